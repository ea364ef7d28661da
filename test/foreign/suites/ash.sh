# busybox's tests of its shell, with ash as the shell.

prepare() {
  local root
  fetch_source busybox >/dev/null || skip "the source of busybox cannot be fetched"
  root=$(fetch_programs busybox) || skip "busybox cannot be fetched"
  "$root/bin/busybox" ash -c : || skip "busybox has no ash that runs here"
  command -v cc >/dev/null || skip "there is no C compiler for its helpers"
  program ash "$root/bin/busybox"
}

cases() {
  local helper module
  cp -r "$(fetch_source busybox)/shell/ash_test/." . && cp "$bin/ash" . || return
  for helper in printenv recho zecho; do cc -w -o $helper $helper.c || return; done
  # Every feature: a case whose feature is not built in does not pass bare.
  grep -ohE '\bCONFIG_[A-Z0-9_]+' -r . | sort -u | sed 's/$/=y/' >.config
  for module in ash-*; do
    limited 600 sh ./run-all "$module" 2>&1 | sed -n -E -e 's/^(.*\.tests): ok$/pass \1/p' -e 's/^(.*\.tests):.* fail$/fail \1/p'
  done
}
