#!/usr/bin/env bash
# Installs a build to a temporary prefix, then configures, builds and runs the consumer against it.
# usage: run.sh BUILD_FOLDER
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$1" --prefix "$folder/prefix" >/dev/null
cmake -S "$(dirname "$0")" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$folder/build"
for program in "$folder"/build/*consumer; do
  echo "running $(basename "$program")"
  "$program"
done
"$folder/prefix/bin/toccata" --version
for file in man/man1/toccata.1 bash-completion/completions/toccata zsh/site-functions/_toccata fish/vendor_completions.d/toccata.fish; do
  [ -s "$folder/prefix/share/$file" ] || { echo "not installed: share/$file"; exit 1; }
done
