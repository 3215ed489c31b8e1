#!/usr/bin/env bash
# Builds the Python wheel and installs it into a clean virtual environment.
# usage: tools/build_wheel.sh FOLDER     (FOLDER/dist gets the wheel, FOLDER/venv the environment)
# TOCCATA_BUILD_DIR: a build folder with the compiled module, instead of compiling it in build/python.
#
# The environment sees nothing of the system's packages but numpy, which Debian provides and this script
# links in; on a machine with network access `pip install numpy` would take its place.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mkdir -p "$1" && cd "$1" && pwd)
[ -z "${TOCCATA_BUILD_DIR:-}" ] || export TOCCATA_BUILD_DIR=$(realpath "$TOCCATA_BUILD_DIR")
python=${PYTHON:-/usr/bin/python3}
rm -rf "$folder/dist" "$folder/venv" python/build python/toccata.egg-info
"$python" -m build --wheel --no-isolation --outdir "$folder/dist" python >"$folder/build.log" 2>&1 ||
  { cat "$folder/build.log" >&2; exit 1; }
rm -rf python/build python/toccata.egg-info

"$python" -m venv "$folder/venv"
mkdir -p "$folder/venv/numpy"
numpy=$("$python" -c 'import numpy, os; print(os.path.dirname(numpy.__path__[0]))')
for entry in "$numpy"/numpy "$numpy"/numpy-*; do ln -s "$entry" "$folder/venv/numpy/"; done
site=$("$folder/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$folder/venv/numpy" >"$site/numpy.pth"
"$folder/venv/bin/python" -m pip install --quiet --no-index --disable-pip-version-check "$folder"/dist/toccata-*.whl
ls "$folder"/dist/*.whl
