#!/usr/bin/env bash
# Builds everything with g++, and the fuzzers and what they ask with clang (warnings are errors in both), runs
# all tests but those of the opt-in label `long`, and each fuzzer for FUZZ_SECONDS (10 unless told).
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh test
tools/build.sh fuzz fuzzers
ctest --test-dir build/test --output-on-failure -j "$(nproc)" -LE long
FUZZ_SECONDS=${FUZZ_SECONDS:-10} tools/run_fuzzers.sh
