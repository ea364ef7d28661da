# toybox: tests of its filters and of timeout, env, xargs, tee.

names="basename cat cksum cmp comm cut dirname echo env expand expr factor fold grep head hexdump md5sum nl paste printf \
pwd rev sed seq sort split strings tac tail tee test timeout tr truncate uudecode uuencode wc xargs xxd"

prepare() {
  local root name
  fetch_source toybox >/dev/null || skip "the source of toybox cannot be fetched"
  root=$(fetch_programs toybox) || skip "toybox cannot be fetched"
  "$root/bin/toybox" true || skip "toybox does not run here"
  for name in $names; do program "$name" "$root/bin/toybox"; done
}

cases() {
  local name
  cp -r "$(fetch_source toybox)/." . || return
  for name in $names; do
    [ -f "tests/$name.test" ] || continue
    PATH=$bin:$PATH TEST_HOST=1 VERBOSE=all limited 300 bash scripts/test.sh "$name" | verdicts
  done
}
