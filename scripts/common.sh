# Sourced by every script here: where the project is, how to speak, and what must be there.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
stop() { # stop WHAT REMEDY: end with one sentence that says what is wrong and one that says what to do
  printf '\n%s: %s\n    %s\n' "$(basename -- "$0")" "$1" "$2" >&2
  exit 1
}

may_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# apt_install WHAT PACKAGE…: on Debian or Ubuntu as root, else the sentence that says what to install.
apt_install() {
  local what=$1
  shift
  may_apt || stop "$what is missing." "Install it, on Debian or Ubuntu with: sudo apt-get install $*"
  say "Installing $what (apt-get install $*)"
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
    stop "$what could not be installed." "Run: apt-get update && apt-get install $*   and read what apt says."
}
