#!/usr/bin/env bash
# Builds the benchmarks and runs those named, or all; writes benchmarks/results/<task>.csv.
# A task is a program bench_<task> that prints CSV, or a script benchmarks/<task>/run that is given the build
# folder and the file to write. usage: tools/run_benchmarks.sh [TASK...]
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh bench
results=benchmarks/results
mkdir -p "$results"
tasks=("$@")
if [ ${#tasks[@]} -eq 0 ]; then
  for folder in benchmarks/*/; do
    task=$(basename "$folder")
    [ "$task" = results ] || tasks+=("$task")
  done
fi
for task in "${tasks[@]}"; do
  program=$(find build/bench/benchmarks -type f -name "bench_$task" -perm -u+x | head -1)
  if [ -x "benchmarks/$task/run" ]; then
    echo "bench: $task"
    "benchmarks/$task/run" build/bench "$results/$task.csv"
  elif [ -n "$program" ]; then
    echo "bench: $task"
    "$program" | tee "$results/$task.csv"
  else
    echo "bench: no benchmark '$task'" >&2
    exit 2
  fi
done
tools/update_figures  # the tables of README.md and docs/
