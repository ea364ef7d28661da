# mksh's regression tests, which need Perl.

prepare() {
  local root
  fetch_source mksh >/dev/null || skip "the source of mksh cannot be fetched"
  root=$(fetch_programs mksh) || skip "mksh cannot be fetched"
  "$root/bin/mksh" -c : || skip "mksh does not run here"
  command -v perl >/dev/null || skip "there is no perl"
  program mksh "$root/bin/mksh"
}

cases() {
  local source
  source=$(fetch_source mksh)
  limited 1200 perl "$source/check.pl" -s "$source/check.t" -p "$bin/mksh" -v |
    sed -n -E 's/^(pass|FAIL|fail) \S*check\.t:(\S+).*/\L\1\E \2/p'
}
