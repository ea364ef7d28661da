# tini's tests: each exit status, signals handed on, process groups, signals ignored and blocked from the start.

prepare() {
  local source root
  source=$(fetch_source tini) || skip "the source of tini cannot be fetched"
  root=$(fetch_programs tini python3-psutil python3-prctl) || skip "tini or the Python modules of its tests cannot be fetched"
  "$root/usr/bin/tini" true || skip "tini does not run here"
  PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import psutil, prctl' ||
    skip "there is no /usr/bin/python3 that takes Debian's modules"
  cc -w -o "$cache/programs/sigconf-test" "$source/test/sigconf/sigconf-test.c" || skip "there is no C compiler for sigconf-test"
  program tini "$root/usr/bin/tini"
}

cases() {
  cp -r "$(fetch_source tini)/." . && mkdir build python || return
  cp "$bin/tini" "$cache/programs/sigconf-test" build/
  ln -s /usr/bin/python3 python/python && ln -s /usr/bin/python3 python/python3
  PATH=$PWD/python:$PATH PYTHONPATH=$cache/programs/root/usr/lib/python3/dist-packages \
    SOURCE_DIR=$PWD BUILD_DIR=$PWD/build FORCE_SUBREAPER=1 \
    limited 600 python3 "$here/suites/tini.py" test/run_inner_tests.py
}
