#!/usr/bin/env bash
# Installs a build to a temporary prefix, then configures, builds and runs the consumer against it.
# usage: run.sh BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$1" --prefix "$folder/prefix" >/dev/null
cmake -S "$here" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$folder/build"
for program in "$folder"/build/*consumer; do
  echo "running $(basename "$program")"
  "$program"
done
"$folder/prefix/bin/toccata" --version
for file in man/man1/toccata.1 bash-completion/completions/toccata zsh/site-functions/_toccata fish/vendor_completions.d/toccata.fish \
    doc/libtoccata-dev/copyright; do
  [ -s "$folder/prefix/share/$file" ] || { echo "not installed: share/$file"; exit 1; }
done

# Without CMake, and from a prefix that was moved.
mv "$folder/prefix" "$folder/moved"
if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find "$folder/moved" -name toccata.pc)")
  PKG_CONFIG_PATH=$pc pkg-config --print-errors --exists toccata toccata-json
  # shellcheck disable=SC2046
  c++ -std=c++20 "$here/main.cpp" -o "$folder/by_pkg_config" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs toccata)
  "$folder/by_pkg_config"
fi

# Inside another project.
cmake -S "$here/subproject" -B "$folder/inside" -G Ninja -DTOCCATA_SOURCE="$here/../.." >"$folder/inside.log" ||
  { cat "$folder/inside.log"; exit 1; }
[ -z "$(grep -s 'file(INSTALL' "$folder/inside/toccata/cmake_install.cmake")" ] || { echo "installs of its own accord"; exit 1; }
