# yash's tests of POSIX shells, with yash as the shell.

prepare() {
  local root
  fetch_source yash >/dev/null || skip "the source of yash cannot be fetched"
  root=$(fetch_programs yash) || skip "yash cannot be fetched"
  "$root/usr/bin/yash" -c : || skip "yash does not run here"
  command -v cc >/dev/null || skip "there is no C compiler for its helpers"
  program yash "$root/usr/bin/yash"
  program sh "$root/usr/bin/yash"
}

cases() {
  local helper file
  cp -r "$(fetch_source yash)/tests/." . || return
  for helper in checkfg ptwrap resetsig; do [ ! -e $helper.c ] || cc -w -o $helper $helper.c || return; done
  for file in *-p.tst; do
    limited 300 sh ./run-test.sh "$bin/yash" "$file" "${file%.tst}.trs" >/dev/null 2>&1
    sed -n -E -e 's/^%%% PASSED: /pass /p' -e 's/^%%% FAILED: /fail /p' "${file%.tst}.trs"
  done
}
