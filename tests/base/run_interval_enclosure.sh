#!/usr/bin/env bash
# Compiles interval_enclosure.cpp at -O3 with one compiler and runs it. usage: ... COMPILER [COUNT]
# Without the project's floating-point flags, since the header is used by others' code too. 77 = no compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v "$1" >/dev/null || { echo "no $1"; exit 77; }
eigen=/usr/include/eigen3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" -std=c++20 -O3 -DNDEBUG -Wall -Wextra -Werror -Iinclude -isystem "$eigen" \
  tests/base/interval_enclosure.cpp src/base/interval.cpp -lgmpxx -lgmp -o "$folder/check"
"$folder/check" "${2:-20000}"
