#!/usr/bin/env bash
# Tries the packages of `make package` on a clean Debian 12 made for the purpose (debootstrap, as root, about 5 minutes):
# apt installs them without a compiler, the first examples of the README run, and so does the tarball's program.
# usage: tools/test_packages.sh [BUILD_FOLDER [ROOT_FOLDER]]     ROOT_FOLDER is kept and used again if it is there
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/package}
[ "$(id -u)" -eq 0 ] || { echo "test_packages: debootstrap and chroot need root" >&2; exit 77; }
command -v debootstrap >/dev/null || { echo "test_packages: no debootstrap (apt-get install debootstrap)" >&2; exit 77; }
ls "$build"/toccata*.deb "$build"/toccata-*.tar.gz >/dev/null || { echo "test_packages: run make package first" >&2; exit 77; }

# The same source of packages as this machine's.
source=$(grep -rhoE '^(URIs: |deb (\[[^]]*\] )?)[a-z+]+://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
  /etc/apt/sources.list.d/*.list 2>/dev/null | head -1 | grep -oE '[a-z+]+://.*' || true)
[ -n "$source" ] || { echo "test_packages: no source of packages in /etc/apt" >&2; exit 77; }
temporary=""
if [ $# -ge 2 ]; then root=$2; else root=$(mktemp -d); temporary=$root; fi
cleanup() {
  umount "$root/proc" 2>/dev/null || true
  [ -z "$temporary" ] || rm -rf "$temporary"
}
trap cleanup EXIT
if [ ! -x "$root/usr/bin/apt-get" ]; then
  echo "test_packages: a clean system in $root"
  debootstrap --variant=minbase bookworm "$root" "$source" >"$build/debootstrap.log" 2>&1 ||
    { tail -5 "$build/debootstrap.log" >&2; exit 1; }
fi
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }

rm -rf "$root/trial" "$root/opt/toccata"
mkdir -p "$root/trial" "$root/opt/toccata"
cp "$build"/toccata*.deb "$root/trial/"
tar -xzf "$build"/toccata-*.tar.gz -C "$root/opt/toccata" --strip-components=1
cp examples/blade_and_post.cpp "$root/trial/"

echo "test_packages: the tarball, before anything is installed"
inside /opt/toccata/bin/toccata --version
inside sh -c 'cd /trial && /opt/toccata/bin/toccata demo torus_knots --page knots.html && rm knots.html'
mv "$root/opt/toccata" "$root/opt/moved"
inside /opt/moved/bin/toccata demo torus_knots --json >/dev/null
mv "$root/opt/moved" "$root/opt/toccata"

echo "test_packages: apt install ./toccata*.deb"
compiler_before=$(inside sh -c 'command -v c++ || true')  # in a folder that is used again
inside apt-get update -qq
inside sh -c 'cd /trial && apt-get install -y -qq --no-install-recommends ./toccata*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }'
[ -n "$compiler_before" ] || inside sh -c '! command -v g++ && ! command -v c++' || { echo "test_packages: a compiler came along" >&2; exit 1; }
inside dpkg-query -W 'toccata' 'libtoccata*' 'python3-toccata'
inside toccata --version

echo "test_packages: the first examples"
inside sh -c 'cd /trial && python3 - >python.txt' <<'PY'
import re
import numpy as np, toccata

bar, ball = toccata.box([4, 0.1, 0.1]), toccata.sphere(0.1)
turned = (toccata.rotation_about([0.1, 0.2, 1], np.pi / 2), [0, 0, 0])
result = toccata.first_contact(bar, (None, turned), ball, [1, 1, 0])
print(result)
page = toccata.view(result, "contact.html")
cloth = toccata.sheet(20, 20)
moved = cloth.vertices + 0.1 * np.random.default_rng(1).normal(size=cloth.vertices.shape)
print(toccata.ccd(cloth.vertices, moved, cloth.faces))
toccata.save("bar.stl", bar)
toccata.save("ball.stl", ball)
PY
cat "$root/trial/python.txt"
grep -q "They first touch at t = 0.474" "$root/trial/python.txt"
grep -q "511 vertex-face and 2,429 edge-edge contacts" "$root/trial/python.txt"
inside sh -c 'cd /trial && toccata impact bar.stl ball.stl --to "0 0 0 0 0 90" --from-b "1 1 0" --to-b "1 1 0" --page turn.html' |
  tee "$root/trial/program.txt"
grep -q "They first touch at t = 0.432502" "$root/trial/program.txt"
[ -s "$root/trial/turn.html" ]

echo "test_packages: the headers, with a compiler"
inside sh -c 'apt-get install -y -qq --no-install-recommends g++ pkg-config >/trial/apt.log 2>&1 || { cat /trial/apt.log; exit 1; }'
inside sh -c 'cd /trial && g++ -std=c++20 blade_and_post.cpp -o blade $(pkg-config --cflags --libs toccata) && ./blade' |
  tee "$root/trial/blade.txt"
grep -q "contact at t = 0.503355" "$root/trial/blade.txt"
echo "test_packages: all good"
