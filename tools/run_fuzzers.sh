#!/usr/bin/env bash
# Builds the fuzzers and runs each for FUZZ_SECONDS (60 unless told), as many at once as there are cores. New inputs
# gather in build/fuzz/corpus; an input that fails is kept in build/fuzz/failures, and the run ends with an error.
set -euo pipefail
cd "$(dirname "$0")/.."
export seconds=${FUZZ_SECONDS:-60} failures=build/fuzz/failures/
tools/build.sh fuzz fuzzers
mkdir -p "$failures"

run() {
  local program=$1 name question corpus seeds dictionary log
  name=$(basename "$program")
  question=${name#fuzz_}
  corpus=build/fuzz/corpus/$question
  mkdir -p "$corpus"
  seeds=tests/fuzz/seeds/$question
  dictionary=tests/fuzz/$question.dict
  log=build/fuzz/$name.log
  if ! "$program" "$corpus" $([ -d "$seeds" ] && echo "$seeds") $([ -f "$dictionary" ] && echo "-dict=$dictionary") \
      -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -artifact_prefix="$failures" \
      -print_final_stats=1 >"$log" 2>&1; then
    tail -40 "$log" >&2
    echo "fuzz: $name failed; the input is in $failures" >&2
    return 1
  fi
  echo "fuzz: $name $(grep -o 'number_of_executed_units: [0-9]*' "$log" | grep -o '[0-9]*$') inputs in $seconds s, none failed"
}
export -f run
find build/fuzz/tests/fuzz -maxdepth 1 -type f -name 'fuzz_*' -executable -print0 | sort -z |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'run "$1"' run
