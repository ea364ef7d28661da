# dumb-init's tests: signals handed on, statuses, sessions, terminals.

prepare() {
  local root
  fetch_source dumb-init >/dev/null || skip "the source of dumb-init cannot be fetched"
  root=$(fetch_programs dumb-init python3-pytest python3-py python3-attr python3-pluggy python3-iniconfig \
    python3-packaging python3-more-itertools python3-pkg-resources) || skip "dumb-init or pytest cannot be fetched"
  "$root/usr/bin/dumb-init" true || skip "dumb-init does not run here"
  pytest --version || skip "there is no /usr/bin/python3 that runs Debian's pytest"
  program dumb-init "$root/usr/bin/dumb-init"
}

# Each test on its own: one that waits for ever is ended, and costs no other.
cases() {
  cp -r "$(fetch_source dumb-init)/." . || return
  PATH=$bin:$PATH
  pytest --collect-only -q tests | grep '::' | while IFS= read -r test; do
    if limited 15 "${pytest[@]}" -q "$test" </dev/null; then echo "pass $test"; else echo "fail $test"; fi
  done
}

pytest=(env PYTHONPATH="$cache/programs/root/usr/lib/python3/dist-packages" /usr/bin/python3 -m pytest -p no:cacheprovider)
pytest() { "${pytest[@]}" "$@"; }
