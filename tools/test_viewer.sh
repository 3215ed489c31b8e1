#!/usr/bin/env bash
# Tests of the viewer page: it is built from its sources, and works in a browser. usage: tools/test_viewer.sh [PROGRAM]
# Exit code 77 says skipped.
set -euo pipefail
cd "$(dirname "$0")/../web"
for tool in node npm; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed (tools/setup.sh test)"; exit 77; }
done
if ! [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  echo "skipped: chromium is not installed (tools/setup.sh test)"
  exit 77
fi
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-fund --no-audit --loglevel=error
export TOCCATA_PROGRAM=${1:-}
# Two files at a time, the largest first; each has a browser of its own.
ls -S test/*.test.mjs | xargs -P 2 -n 1 node --test
