# SPDX-License-Identifier: MIT
# The suites of ./dev test: each runs whatever the others did, its output goes to build/test/NAME.log and, when it
# failed, to the screen; a table and one line with the sums end it.
# shellcheck shell=bash disable=SC2154

declare -A passed failed skipped
broken=()

# count NAME PATTERN: the sum of the numbers that the (extended, one-group) pattern finds in a suite's log.
count() { sed -nE "s/.*$2.*/\1/p" "build/test/$1.log" | awk '{sum += $1} END {print sum + 0}'; }

# suite NAME COMMAND…: the runner's own closing lines are what is counted.
suite() {
  local name=$1 code=0
  shift
  [ ${#wanted[@]} = 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || return 0
  step "test: $name"
  "$@" >"build/test/$name.log" 2>&1 </dev/null || code=$?
  sed -i 's/\x1b\[[0-9;]*m//g' "build/test/$name.log"
  case "$name" in
    cpp)
      failed[$name]=$(count "$name" ' ([0-9]+) tests failed out of')
      passed[$name]=$(($(count "$name" 'tests failed out of ([0-9]+)') - failed[$name]))
      skipped[$name]=$(grep -c '\*\*\*Skipped' "build/test/$name.log" || true) ;;
    *)
      passed[$name]=$(grep -oE '[0-9]+ passed' <(closing "$name") | awk '{sum += $1} END {print sum + 0}')
      failed[$name]=$(grep -oE '[0-9]+ failed' <(closing "$name") | awk '{sum += $1} END {print sum + 0}')
      skipped[$name]=$(grep -oE '[0-9]+ skipped' <(closing "$name") | awk '{sum += $1} END {print sum + 0}') ;;
  esac
  if [ $code != 0 ] || [ $((passed[$name] + skipped[$name])) = 0 ]; then
    broken+=("$name")
    [ "${failed[$name]}" != 0 ] || failed[$name]=1
    tail -100 "build/test/$name.log"
  fi
  if [ "${skipped[$name]}" != 0 ]; then grep -E 'SKIPPED|\*\*\*Skipped' "build/test/$name.log" || true; fi
}

# The closing line of a runner: the last one with counts (vitest counts files first, so the last is right).
closing() { grep -E '[0-9]+ (passed|failed)' "build/test/$1.log" | tail -1; }

# skip REASON: in place of a suite whose tool this system does not have.
skip() { echo "SKIPPED: $*"; echo "0 passed, 0 failed, 1 skipped"; }
has_browser() { [ -n "${MACAW_CHROMIUM:-}" ] || type chromium chromium-browser google-chrome 2>/dev/null | grep -q .; }

cpp_suite() { ctest --preset dev -j "$(jobs)"; }
julia_suite() {
  if type julia >/dev/null 2>&1; then julia --color=no julia/test/runtests.jl; else skip "no Julia could be installed"; fi
}
web_suite() { npm --prefix web run --silent test; }
browser_suite() {
  if has_browser; then npm --prefix web run --silent e2e; else skip "no Chromium on PATH; MACAW_CHROMIUM may name one"; fi
}

run_suites() {
  wanted=("$@")
  use_environment
  mkdir -p build/test
  suite cpp cpp_suite
  suite python python -m pytest -q -rs -p no:cacheprovider tests/arrows tests/vectors tests/support tests/python
  suite system python -m pytest -q -rs -p no:cacheprovider tests/system
  suite julia julia_suite
  suite web web_suite
  suite browser browser_suite
  local name all_passed=0 all_failed=0 all_skipped=0
  printf '\n%-10s %8s %8s %8s\n' suite passed failed skipped
  for name in cpp python system julia web browser; do
    [ -n "${passed[$name]:-}" ] || continue
    printf '%-10s %8d %8d %8d\n' "$name" "${passed[$name]}" "${failed[$name]}" "${skipped[$name]}"
    all_passed=$((all_passed + passed[$name]))
    all_failed=$((all_failed + failed[$name]))
    all_skipped=$((all_skipped + skipped[$name]))
  done
  local skips=
  [ "$all_skipped" = 0 ] || skips=", $all_skipped skipped"
  printf '\n%d passed, %d failed%s\n' "$all_passed" "$all_failed" "$skips"
  [ ${#broken[@]} = 0 ]
}
