# Fetching from Debian's archive into $cache, with directories of apt's own there: needs no root, and leaves the system as it is.

# fetch_source NAME: its upstream source, unpacked; prints the directory.
fetch_source() {
  local place=$cache/source/$1
  if [ ! -e "$place/done" ]; then
    rm -rf "$place" && mkdir -p "$place" || return
    (cd "$place" && apt_get source --download-only --tar-only "$1" && tar -xf ./*.orig.tar.* && touch done) >&2 || return
  fi
  find "$place" -mindepth 1 -maxdepth 1 -type d
}

# fetch_programs PACKAGE...: unpacked below one directory, which it prints; what they depend on is not fetched with them.
fetch_programs() {
  local place=$cache/programs package
  for package; do
    [ ! -e "$place/$package.done" ] || continue
    mkdir -p "$place/root" || return
    (cd "$place" && apt_get download "$package" && dpkg-deb -x "$package"_*.deb root && touch "$package.done") >&2 || return
  done
  echo "$place/root"
}

apt_get() {
  [ -e "$cache/apt/ready" ] || prepare_apt || return
  APT_CONFIG=$cache/apt/apt.conf apt-get -qq "$@"
}

# The sources that this machine has for its own release, and their source packages.
prepare_apt() {
  command -v apt-get dpkg-deb >/dev/null || return
  local own=$cache/apt file release
  rm -rf "$own" && mkdir -p "$own/sources" "$own/lists/partial" "$own/cache/archives/partial" || return
  release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && grep -qE "(^|[[:space:]])$release([[:space:]]|\$)" "$file" || continue
    sed -E -e 's/^Types:.*/Types: deb deb-src/' -e '/^deb[[:space:]]/{p;s/^deb/deb-src/}' "$file" >"$own/sources/$(basename "$file")"
  done
  cat >"$own/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$own/sources";
Dir::State::lists "$own/lists";
Dir::Cache "$own/cache";
APT::Sandbox::User "";
CONF
  APT_CONFIG=$own/apt.conf apt-get -qq update && touch "$own/ready"
}
