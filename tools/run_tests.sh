#!/usr/bin/env bash
# Builds everything and runs all tests but those of the opt-in label `long`.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh test
ctest --test-dir build/test --output-on-failure -j "$(nproc)" -LE long
