#!/usr/bin/env bash
# Configures and builds a preset. usage: tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1; shift
cmake --preset "$preset" >/dev/null  # every time: which sources are compiled together depends on what they say
cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" ${1:+--target "$@"}
