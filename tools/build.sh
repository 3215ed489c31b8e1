#!/usr/bin/env bash
# Configures and builds a preset. usage: tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1; shift
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" ${1:+--target "$@"}
