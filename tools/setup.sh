#!/usr/bin/env bash
# Installs the Debian packages that a command of the Makefile needs, by name, and only those missing.
# usage: tools/setup.sh run|test|bench|python|docs|package
set -euo pipefail
run="g++ make cmake ninja-build libeigen3-dev libtbb-dev libhwy-dev libgmp-dev libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev"
python="$run python3 python3-dev python3-numpy python3-build python3-pip python3-setuptools python3-venv python3-wheel pybind11-dev"
docs="python3 mkdocs mkdocs-material"
test="$python $docs python3-jsonschema python3-pandas pkg-config ccache libgtest-dev librapidcheck-dev libboost-dev libassimp-dev libtinyxml2-dev libyaml-cpp-dev liborocos-kdl-dev libkdl-parser-dev libompl-dev clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14"
package="$python libassimp-dev libtinyxml2-dev libyaml-cpp-dev dpkg-dev debootstrap"
# The viewer's tests. A Node from elsewhere brings its own npm, which Debian's package would conflict with.
command -v chromium >/dev/null || test="$test chromium"
command -v node >/dev/null || test="$test nodejs"
command -v npm >/dev/null || test="$test npm"
bench="$run ccache python3 python3-numpy python3-matplotlib libboost-dev libbenchmark-dev libfcl-dev libbullet-dev libcgal-dev libcgal-demo libembree-dev libopenvdb-dev libegl-dev libgl-dev"
case "${1:-run}" in
  run) wanted=$run ;; test) wanted=$test ;; bench) wanted=$bench ;; python) wanted=$python ;; docs) wanted=$docs ;;
  package) wanted=$package ;;
  *) echo "setup: unknown set '$1' (run, test, bench, python, docs or package)" >&2; exit 2 ;;
esac
missing=()
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "setup: installing ${missing[*]}"
sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: not root and sudo is missing; install these packages by hand: ${missing[*]}" >&2; exit 2; }
  sudo=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
