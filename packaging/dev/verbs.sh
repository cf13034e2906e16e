# SPDX-License-Identifier: MIT
# The verbs of ./dev but `test`; sourced by it.
# shellcheck shell=bash disable=SC2154

help() {
  cat <<'TEXT'
./dev run [--screenshot FILE]   build, then show the example job in the app (without a display: in the collector)
./dev test [SUITE…]             every test of every language, or the named suites
./dev build                     build everything into build/dev
./dev exec CMD…                 run a command with the built programs and packages at hand
./dev bench [--quick]           speed against the peers, into build/bench.json
./dev lint · ./dev fmt          check · format every language
./dev asan                      the C++ tests under address and undefined-behaviour sanitizers
./dev tsan                      the C++ tests of the SDK under the thread sanitizer
./dev lock                      pin the Python requirements anew
./dev setup                     only install what is missing
TEXT
}

# Two gigabytes a compiler, as Qt's headers need them.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : cores < memory ? cores : memory))
}

configure() {
  PATH="$state/venv/bin:$PATH" cmake --preset "$1" -DPython_EXECUTABLE="$state/venv/bin/python" >"build/$1.log" 2>&1 ||
    { cat "build/$1.log" >&2; die "cmake could not configure; its words are above"; }
}

build() {
  mkdir -p build
  grep -qsF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" build/dev/CMakeCache.txt || rm -f "$state/stamps/configure"
  once configure "$(cat CMakePresets.json)" configure dev
  step "build"
  PATH="$state/venv/bin:$PATH" cmake --build build/dev -j "$(jobs)" >build/build.log 2>&1 ||
    { grep -vE '^\[[0-9]+/[0-9]+\] (Building|Automatic|Linking)' build/build.log | tail -60 >&2; die "the build failed; all of it is in build/build.log"; }
}

has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

# from_json FIELD: a field of the JSON object on stdin.
from_json() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

run() {
  use_environment
  local example=python/examples/doing_nothing.py picture=
  if [ "${1:-}" = --screenshot ]; then
    picture=$(cd "$from" && realpath -m "${2:?dev: --screenshot needs a file name}")
  elif [ $# != 0 ]; then
    die "run takes nothing but --screenshot FILE"
  fi
  local program=macaw-collector options=(--print-config --no-history)
  if [ -n "$picture" ]; then
    program=macaw-desktop
    options+=(--screenshot "$picture")
    has_display || export QT_QPA_PLATFORM=offscreen
  elif has_display; then
    program=macaw-desktop
  fi
  local port receiver answer config='' url
  mkdir -p "$state/run"
  for port in 6229 0; do
    exec {answer}< <(exec "$program" "${options[@]}" --port "$port" --data "$state/run/$port" 2>"$state/run/log")
    receiver=$!
    # shellcheck disable=SC2064
    trap "kill $receiver 2>/dev/null || true" EXIT
    read -r -t 30 config <&"$answer" && break
    step "not on port $port: $(cat "$state/run/log")"
  done
  [ -n "$config" ] || die "$program did not start"
  url=udp://127.0.0.1:$(from_json port <<<"$config")
  step "$program listens; the mirror is at $(from_json http <<<"$config")"
  MACAW_URL=$url MACAW_CONSOLE=${MACAW_CONSOLE:-plain} python "$example"
  if [ -n "$picture" ]; then
    wait "$receiver"
    trap - EXIT
    step "picture of the window in $picture"
  elif has_display; then
    step "close the window to end"
    wait "$receiver" || true
    trap - EXIT
  fi
}

bench() {
  use_environment
  python tests/bench/bench.py "$@"
}

cpp_files() { git ls-files '*.cpp' '*.hpp' '*.h' '*.c'; }

lint() {
  use_environment
  local failed=0
  check() { step "$1"; shift; "$@" || failed=1; }
  check "clang-format" clang_format --dry-run -Werror
  check "clang-tidy" tidy
  check "ruff" ruff check -q python tests packaging
  check "ruff format" ruff format --check -q python tests packaging
  check "mypy" mypy --strict python/macaw
  check "shellcheck" shellcheck -x dev packaging/dev/*.sh .ci/run
  check "licence heads" python tests/arrows/check_heads.py
  check "arrows" python tests/arrows/check_arrows.py
  [ -e web/package.json ] && check "web" npm --prefix web run --silent check
  return $failed
}

clang_format() { cpp_files | xargs -r clang-format "$@"; }

# The compiler's precompiled headers mean nothing to clang-tidy: its own list of commands goes without them.
tidy() {
  mkdir -p build/tidy
  sed -E 's/-Winvalid-pch|-include [^ ]*cmake_pch\.hxx//g' build/dev/compile_commands.json >build/tidy/compile_commands.json
  cpp_files | grep '\.cpp$' | grep -vE '^tests/|^python/' |
    xargs -r -n 4 -P "$(jobs)" clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null
}

format() {
  use_environment
  clang_format -i
  ruff check -q --fix --select I python tests packaging || true
  ruff format -q python tests packaging
  [ -e web/package.json ] && npm --prefix web run --silent fmt
  return 0
}

asan() {
  mkdir -p build
  configure dev-asan
  step "build with sanitizers"
  cmake --build build/dev-asan -j "$(jobs)" | tail -1
  LSAN_OPTIONS="suppressions=$top/packaging/dev/lsan.supp" UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    ctest --preset dev-asan
}

tsan() {
  mkdir -p build
  configure dev-tsan
  step "build with the thread sanitizer"
  cmake --build build/dev-tsan -j "$(jobs)" | tail -1
  TSAN_OPTIONS=halt_on_error=1 ctest --preset dev-tsan
}

lock() {
  "$state/venv/bin/python" -m venv "$state/lock"
  "$state/lock/bin/pip" install -q uv
  "$state/lock/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    packaging/python/requirements-dev.in -o packaging/python/requirements-dev.txt
}
