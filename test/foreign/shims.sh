# The programs under test. Each call goes through a small script, bare and wrapped alike, so that toolout is all that differs.

# A suite's `prepare` names a real program, to be found as NAME; the real one is started by a path that ends in NAME too,
# since busybox and toybox look at how they were called.
program() {
  mkdir -p "$cache/real/$suite" && ln -sfn "$2" "$cache/real/$suite/$1"
}

# Sets `bin`: the directory where the suite finds its programs, in this round. A link to one of them, under the name of
# another, is that other one. toolout itself runs mkfifo(1), found in PATH: behind toolout it would never end.
make_shims() {
  local round=$1 name prefix=
  [ "$round" != wrapped ] || prefix="'$toolout' run -- "
  bin=$cache/bin/$suite-$round
  rm -rf "$bin" && mkdir -p "$bin"
  for name in "$cache/real/$suite"/*; do
    name=${name##*/}
    cat >"$bin/$name" <<SHIM
#!/bin/sh
name=\${0##*/}
[ "\$name" = mkfifo ] || exec $prefix"$cache/real/$suite/\$name" "\$@"
exec "$cache/real/$suite/\$name" "\$@"
SHIM
    chmod +x "$bin/$name"
  done
}

# limited SECONDS COMMAND...: a test that hangs must not stop the others, and what it started, known by a variable, must
# not stay behind in a session of its own.
limited() {
  local mark=TOOLOUT_FOREIGN_TEST=$$.$BASHPID.$RANDOM
  env "$mark" timeout -k 5 "$@"
  local status=$?
  grep -lsz -x "$mark" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL 2>/dev/null
  return $status
}

# The names toybox's and busybox's harness give.
verdicts() {
  sed -u -e 's/^PASS: /pass /' -e 's/^FAIL: /fail /'
}
