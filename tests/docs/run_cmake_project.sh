#!/usr/bin/env bash
# Installs Toccata from a build folder and builds and runs a project that finds it there.
# usage: run_cmake_project.sh BUILD PROJECT WORK
set -euo pipefail
build=$1; project=$2; work=$3
rm -rf "$work" && mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; exit 1; }
{ cmake -S "$project" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" &&
  cmake --build "$work/build"; } >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
exec python3 "$(dirname "$0")/run_example.py" "$project/main.cpp" "$work/build/my_project"
