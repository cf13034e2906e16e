# SPDX-License-Identifier: MIT
# The suites of ./dev test: each runs whatever the others did, its output goes to build/test/NAME.log and, when it
# failed, to the screen; a table and one line with the sums end it.
# shellcheck shell=bash disable=SC2154

suites=(cpp python system julia web browser)
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
      passed[$name]=$(closing "$name" passed)
      failed[$name]=$(closing "$name" failed)
      skipped[$name]=$(closing "$name" skipped) ;;
  esac
  if [ $code != 0 ] || [ $((passed[$name] + skipped[$name])) = 0 ]; then
    broken+=("$name")
    [ "${failed[$name]}" != 0 ] || failed[$name]=1
    tail -100 "build/test/$name.log"
  fi
  if [ "${skipped[$name]}" != 0 ]; then grep -E 'SKIPPED|\*\*\*Skipped' "build/test/$name.log" || true; fi
}

# closing NAME WORD: the number before the word in a runner's closing line, which is the last one with counts (vitest
# counts files first).
closing() {
  awk -v word="$2" '/[0-9]+ (passed|failed|skipped)/ {line = $0}
    END {if (match(line, "[0-9]+ " word)) split(substr(line, RSTART), found, " "); print found[1] + 0}' "build/test/$1.log"
}

# skip REASON: in place of a suite whose tool this system does not have.
skip() { echo "SKIPPED: $*"; echo "0 passed, 0 failed, 1 skipped"; }
has_browser() { [ -n "${MACAW_CHROMIUM:-}$(type -P chromium chromium-browser google-chrome || true)" ]; }

cpp_suite() { ctest --preset dev -j "$(jobs)"; }
python_suite() {
  python -m pytest -q -rs -p no:cacheprovider tests/arrows tests/packaging tests/vectors tests/support tests/python
}
system_suite() { python -m pytest -q -rs -p no:cacheprovider tests/system; }
julia_suite() {
  if type julia >/dev/null 2>&1; then julia --color=no julia/test/runtests.jl; else skip "no Julia could be installed"; fi
}
web_suite() { npm --prefix web run --silent test; }
browser_suite() {
  if has_browser; then npm --prefix web run --silent e2e; else skip "no Chromium on PATH; MACAW_CHROMIUM may name one"; fi
}

run_suites() {
  wanted=("$@")
  for name in "${wanted[@]}"; do
    [[ " ${suites[*]} " == *" $name "* ]] || die "there is no suite \"$name\"; there are: ${suites[*]}"
  done
  use_environment
  mkdir -p build/test
  local name
  for name in "${suites[@]}"; do suite "$name" "${name}_suite"; done
  local all_passed=0 all_failed=0 all_skipped=0
  printf '\n%-10s %8s %8s %8s\n' suite passed failed skipped
  for name in "${suites[@]}"; do
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
