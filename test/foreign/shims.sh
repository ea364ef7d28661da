# The programs under test. Each call goes through a small script, bare and wrapped alike, so that toolout is all that differs.

# A suite's `prepare` names a real program, to be found as NAME; the real one is started by a path that ends in NAME too,
# since busybox and toybox look at how they were called.
program() {
  mkdir -p "$cache/real/$suite" && ln -sfn "$2" "$cache/real/$suite/$1"
}

# Sets `bin`: the directory where the suite finds its programs, in this round.
make_shims() {
  local round=$1 name prefix=
  [ "$round" != wrapped ] || prefix="'$toolout' run -- "
  bin=$cache/bin/$suite-$round
  rm -rf "$bin" && mkdir -p "$bin"
  for name in "$cache/real/$suite"/*; do
    name=${name##*/}
    printf '#!/bin/sh\nexec %s"%s/%s" "$@"\n' "$prefix" "$cache/real/$suite" "$name" >"$bin/$name"
    chmod +x "$bin/$name"
  done
}

# limited SECONDS COMMAND...: a test that hangs must not stop the others.
limited() {
  timeout -k 5 "$@"
}

# The names toybox's and busybox's harness give.
verdicts() {
  sed -u -e 's/^PASS: /pass /' -e 's/^FAIL: /fail /'
}
