# SPDX-License-Identifier: MIT
# Installing what is missing; sourced by ./dev. Every step says what it does and is skipped when its stamp is right.
# shellcheck disable=SC2154
# shellcheck shell=bash

# May be a link: several checkouts then share what is installed.
state=$(realpath -m "$top/.dev")
preset_dir="$top/build/dev"

step() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { echo "dev: $*" >&2; exit 2; }

# once NAME CONTENT COMMAND…: runs the command unless it succeeded before with the same content.
once() {
  local name=$1 content=$2 stamp="$state/stamps/$1"
  shift 2
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$content" ] && return
  "$@"
  mkdir -p "$state/stamps"
  printf '%s' "$content" >"$stamp"
}

# One name a line; where distributions differ, the names in order of preference with | between. Ubuntu has Chromium as a
# snap only, which neither a container nor a test can start: there the browser's tests need one on PATH.
apt_packages() {
  cat <<'LIST'
ca-certificates
g++
cmake
ninja-build
ccache
pkg-config
python3
python3-venv
python3-dev
qt6-base-dev
libqt6opengl6-dev
qt6-httpserver-dev
qt6-websockets-dev
qt6-charts-dev
libqt6svg6-dev|qt6-svg-dev
libqt6sql6-sqlite
libsodium-dev
libgl-dev
libxkbcommon-dev
doctest-dev
xvfb
xauth
fonts-dejavu-core
fonts-inter
clang-format
clang-tidy
shellcheck
debian-archive-keyring
debootstrap
LIST
  grep -q '^ID=ubuntu' /etc/os-release || echo chromium
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root to run: $* (run it yourself, or install sudo)"
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q "$@"; }

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
  local line name wanted=() missing=() updated=
  command -v apt-get >/dev/null || die "knows Debian and Ubuntu only; install what packaging/dev/setup.sh lists by hand"
  while read -r line; do
    for name in ${line//|/ }; do is_installed "$name" && continue 2; done
    wanted+=("$line")
  done < <(apt_packages)
  [ ${#wanted[@]} = 0 ] && return
  for line in "${wanted[@]}"; do
    [ -n "$updated" ] || { step "apt-get update"; apt update >&2; updated=1; }
    for name in ${line//|/ }; do
      apt-cache show "$name" >/dev/null 2>&1 && { missing+=("$name"); continue 2; }
    done
    die "no package ${line//|/ or } for this system"
  done
  step "apt-get install ${missing[*]}"
  apt install -y --no-install-recommends "${missing[@]}" >&2
}

# From the system's Python, as that one has its headers from the packages above, whatever else is first on PATH.
make_venv() {
  step "virtual environment with packaging/python/requirements-dev.txt"
  rm -rf "$state/venv"
  /usr/bin/python3 -m venv "$state/venv"
  "$state/venv/bin/pip" install -q --disable-pip-version-check --require-hashes -r packaging/python/requirements-dev.txt
}

install_node_modules() {
  step "npm ci in $1"
  (cd "$1" && PATH="$state/venv/bin:$PATH" npm ci --no-audit --no-fund --loglevel=error >&2)
}

install_julia() {
  step "Julia for the tests"
  tests/support/get-julia "$state/julia" >&2 || step "no Julia is to be had here; its tests will be skipped"
}

# A real Prometheus for the tests, unpacked but not installed: its package would start a server.
unpack_prometheus() {
  step "Prometheus for the tests"
  rm -rf "$state/prometheus"
  mkdir -p "$state/prometheus"
  (cd "$state/prometheus" && apt-get -qq -o APT::Sandbox::User=root download prometheus >&2 && dpkg -x prometheus_*.deb . && rm prometheus_*.deb) ||
    step "no Prometheus is to be had here; its tests will be skipped"
}

setup() {
  once packages "$(apt_packages)" install_packages
  # Its programs name their interpreter by the full path: a checkout that was moved needs a new one.
  grep -qs "$state/venv" "$state/venv/bin/pip" || rm -f "$state/stamps/venv"
  once venv "$(cat packaging/python/requirements-dev.txt)" make_venv
  [ -d web/node_modules ] || rm -f "$state/stamps/npm-web"
  once npm-web "$(cat web/package-lock.json)" install_node_modules web
  [ -x "$state/prometheus/usr/bin/promtool" ] || rm -f "$state/stamps/prometheus"
  once prometheus 1 unpack_prometheus
  [ -x "$state/julia/bin/julia" ] || rm -f "$state/stamps/julia"
  once julia "$(cat tests/support/get-julia)" install_julia
}

# Built programs first, then the virtual environment, then Julia; the Python and Julia packages importable.
use_environment() {
  export PATH="$preset_dir/bin:$state/venv/bin:$state/julia/bin:$state/prometheus/usr/bin:$PATH"
  export PYTHONPATH="$preset_dir/python${PYTHONPATH:+:$PYTHONPATH}"
  export JULIA_LOAD_PATH="$top/julia:@:@stdlib" JULIA_DEPOT_PATH="$state/julia/depot" JULIA_PKG_SERVER=
  export MACAW_BIN_DIR="$preset_dir/bin"
}
