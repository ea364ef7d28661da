# busybox: the tests of its applets.

# Left out: what touches the machine or asks others, and sums, each case of which is hundreds of calls of one kind.
left_out="makedevs mdev mkfs.minix mount start-stop-daemon wget hostname hostid md5sum sha1sum sha256sum sha3sum sha512sum"

prepare() {
  local source applet
  source=$(fetch_source busybox) || skip "the source of busybox cannot be fetched"
  fetch_programs busybox >/dev/null || skip "busybox cannot be fetched"
  local busybox=$cache/programs/root/bin/busybox
  "$busybox" true || skip "busybox does not run here"
  program busybox "$busybox"
  for applet in $("$busybox" --list); do program "$applet" "$busybox"; done
}

cases() {
  local applet applets=
  cp -r "$(fetch_source busybox)/testsuite" . && cp "$bin/busybox" . || return
  # Every feature: a case whose feature is not built in does not pass bare.
  grep -ohE '\b[A-Z][A-Z0-9_]{2,}\b' testsuite/*.tests | sort -u | sed 's/.*/CONFIG_&=y/' >.config
  for applet in $("$bin/busybox" --list); do
    case " $left_out " in *" $applet "*) continue ;; esac
    [ -e "testsuite/$applet.tests" ] || [ -d "testsuite/$applet" ] || continue
    applets+=" $applet"
  done
  cd testsuite
  for applet in $applets; do
    ECHO="$cache/real/busybox/echo" limited 900 sh ./runtest "$applet" | verdicts | sed -E "s/^(pass|fail) /&$applet: /"
  done
}
