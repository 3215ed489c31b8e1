#!/usr/bin/env bash
# Builds the fuzzers and runs each for FUZZ_SECONDS (60 unless told). New inputs gather in build/fuzz/corpus;
# an input that fails is kept in build/fuzz/failures, and the run ends with an error.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
tools/build.sh fuzz fuzzers
failures=build/fuzz/failures/
mkdir -p "$failures"
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [ -x "$program" ] && [ -f "$program" ] || continue
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
    exit 1
  fi
  echo "fuzz: $name $(grep -o 'number_of_executed_units: [0-9]*' "$log" | grep -o '[0-9]*$') inputs in $seconds s, none failed"
done
