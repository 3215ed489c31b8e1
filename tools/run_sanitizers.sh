#!/usr/bin/env bash
# Builds the library under sanitizers, links the tests with it, and runs them one after the other.
# usage: tools/run_sanitizers.sh asan|tsan [NAME...]    tests as ctest names them: a folder (impact, ccd.rigid) or one of
#        its sources (impact.batch); unless told all folders (asan: memory and undefined behaviour), or the sources that
#        use threads (tsan: races)
# BUILD_FOLDER (build/asan or build/tsan), JOBS, TOCCATA_TEST_EFFORT. For tsan oneTBB is built, too, from Debian's source
# package: without it the sanitizer does not see how work is handed from thread to thread. What each program said is kept
# in BUILD_FOLDER/sanitized; the run goes on after a failure, says how many tests ran, and is an error then.
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: tools/run_sanitizers.sh asan|tsan [NAME...]"
preset=${1:?$usage}
case $preset in asan | tsan) shift ;; *) echo "$usage" >&2; exit 2 ;; esac
folder=$(realpath -m "${BUILD_FOLDER:-build/$preset}")
cmake --preset "$preset" -B "$folder" >/dev/null

# Folders of tests, and sources by the names of ctest.
mapfile -t folders < <(ninja -C "$folder" -t targets all | sed -n 's/^test_\([^/]*\): phony$/\1/p' | grep -vx main | sort)
sources_of() { sed 's|^tests/||; s|/test_\([^/]*\)\.cpp$|.\1|; s|/|.|g' | sort; }
names=("$@")
if [ ${#names[@]} -eq 0 ] && [ "$preset" = asan ]; then
  names=("${folders[@]}")
elif [ ${#names[@]} -eq 0 ]; then
  mapfile -t names < <(grep -rlE 'threads|std::thread' tests --include='test_*.cpp' | sources_of)
fi
[ ${#names[@]} -gt 0 ] || { echo "run_sanitizers: no tests found in $folder" >&2; exit 1; }
# The folder of a name: the name itself, or what stands before its last part.
folder_of() { printf '%s\n' "${folders[@]}" | grep -xF -e "$1" || printf '%s\n' "${folders[@]}" | grep -xF -e "${1%.*}"; }
for name in "${names[@]}"; do
  folder_of "$name" >/dev/null || { echo "run_sanitizers: no tests '$name' (one of: ${folders[*]}, or one of their sources)" >&2; exit 2; }
done

# oneTBB with the thread sanitizer, in the build folder.
build_onetbb() {
  local place=$folder/onetbb
  [ -e "$place/libtbb.so.12" ] && return
  mkdir -p "$place/lists/partial"
  local release source
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  source=$(grep -rhoE '^(URIs: |deb (\[[^]]*\] )?)[a-z+]+://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
    2>/dev/null | head -1 | grep -oE '[a-z+]+://.*')
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $source $release main" >"$place/source.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$place/source.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$place/lists")
  (cd "$place" && "${apt[@]}" update && "${apt[@]}" source onetbb >/dev/null 2>&1)
  cmake -S "$place"/onetbb-*/ -B "$place/build" -G Ninja -DTBB_TEST=OFF -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF \
    -DTBB_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
  cmake --build "$place/build" -j "${JOBS:-$(nproc)}" --target tbb
  cp -P "$place"/build/*/libtbb.so* "$place/"
}
run=(env ASAN_OPTIONS=detect_stack_use_after_return=1:strict_init_order=1 UBSAN_OPTIONS=print_stacktrace=1)
if [ "$preset" = tsan ]; then
  build_onetbb
  # -R: the sanitizer wants its places in memory free of what is put there at random.
  run=(env LD_LIBRARY_PATH="$folder/onetbb" TSAN_OPTIONS="suppressions=$PWD/tools/tsan_suppressions.txt:history_size=7" setarch -R)
fi
cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target toccata toccata_oracle

mkdir -p "$folder/sanitized"
tests=0 findings=0 failed=()
# Is the library linked before the tests? Of functions in headers that both have, the first is taken, and tests are not
# instrumented: in the other order the same objects of hierarchy/ gave 75 races that are none.
library_first() {
  ninja -C "$folder" -t commands "$1" | tail -1 | tr ' ' '\n' | grep -E 'src/libtoccata\.a$|/test_[^/]*\.dir/.*\.o$' | head -1 | grep -q libtoccata
}
for name in "${names[@]}"; do
  log=$folder/sanitized/$name.log program=test_$(folder_of "$name") only=()
  library_first "$program" || { echo "run_sanitizers: $program is not linked with the library first" >&2; exit 1; }
  [ "$program" = "test_$name" ] || only=(--of "${name##*.}")
  cmake --build "$folder" -j "${JOBS:-$(nproc)}" --target "$program" >"$log" || { tail -40 "$log" >&2; failed+=("$name"); continue; }
  "${run[@]}" "$folder/tests/$program" "${only[@]}" >"$log" 2>&1 || failed+=("$name")
  found=$(grep -cE 'runtime error:|(WARNING|ERROR): [A-Za-z]*Sanitizer' "$log" || true)
  ran=$(sed -n 's/^\[==========\] \([0-9]*\) tests\{0,1\} from .* ran.*/\1/p' "$log")
  tests=$((tests + ${ran:-0})) findings=$((findings + found))
  echo "$preset: $name, ${ran:-0} tests, $found findings"
done
echo "$preset: $tests tests of ${#names[@]} programs, $findings findings, ${#failed[@]} programs failed${failed[*]:+: ${failed[*]}}"
[ ${#failed[@]} -eq 0 ] && [ "$findings" -eq 0 ] && [ "$tests" -gt 0 ]
