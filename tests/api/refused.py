#!/usr/bin/env python3
"""What must not compile does not, and the compiler's message says why.

Each case is a few lines after `#include <toccata/toccata.hpp>`; the first case must compile, so that a fault of the
set-up is not taken for a refusal. usage: refused.py ROOT [COMPILER]
"""
import subprocess
import sys
import tempfile
from pathlib import Path

# name: (lines inside a function, a part of the message or None where they must compile)
CASES = {
    "what is used below compiles": ("first_contact({mesh, motion}, {mesh});", None),
    "a motion of unknown kind is not copied, which would slice it": (
        "const Motion& any = motion; Body body = {mesh, any};", "OwnedMotion"),
    "a temporary is not borrowed": ("OwnedMotion::borrowed(RigidMotion(pose, pose));", "deleted function"),
    "a pose alone has no distance": ("distance(pose, pose);", "PlacedShape"),
    "a motion alone touches nothing": ("first_contact(motion, motion);", "Body"),
    "a status is not a truth value": (
        "bool touching = first_contact({mesh}, {mesh}).status;", "cannot convert"),
    "an answer is not a truth value": ("if (first_contact({mesh}, {mesh})) return;", "could not convert"),
    "a number is no shape": ("Shape shape = 5;", "Shape"),
    "an angle is no rotation": ("Pose turned = {0.5, Vector3::UnitZ()};", "Pose"),
    "a transform that may scale is no pose": ("Pose scaled = Eigen::Affine3d::Identity();", "Pose"),
    "a rotation alone does not become a pose silently": ("Pose turned = Matrix3(Matrix3::Identity());", "Pose"),
    "an option is not named that does not exist": (
        "first_contact({mesh}, {mesh}, {.tolerence = 1e-6});", "tolerence"),
    "options of one question are not those of another": (
        "closest_approach({mesh}, {mesh}, FirstContactOptions{});", "ClosestApproachOptions"),
    "a prepared mesh is not changed": ("Shape shape = mesh; shape.mesh().vertices.clear();", "discards qualifiers"),
    "a scene is not copied by accident": (
        "extern DeformableScene scene; DeformableScene copy = scene;", "deleted"),
}
HEAD = """#include <Eigen/Geometry>
#include <toccata/toccata.hpp>
using namespace toccata;
"""
FRAME = """void question(const TriangleMesh& mesh, const RigidMotion& motion, const Pose& pose) {
  (void)mesh, (void)motion, (void)pose;
  %s
}
"""


def main():
    root = Path(sys.argv[1]).resolve()
    compiler = sys.argv[2] if len(sys.argv) > 2 else "g++"
    flags = ["-std=c++20", f"-I{root}/include", "-isystem", "/usr/include/eigen3"]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        head = Path(folder) / "head.hpp"
        head.write_text(HEAD)
        # Read once for all cases.
        subprocess.run([compiler, *flags, "-x", "c++-header", head, "-o", f"{head}.gch"], check=True)
        for name, (lines, message) in CASES.items():
            source = Path(folder) / "case.cpp"
            source.write_text(FRAME % lines)
            done = subprocess.run([compiler, *flags, "-fsyntax-only", "-include", head, source],
                                  capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
            if message is None and done.returncode != 0:
                problems.append(f"{name}: does not compile\n{done.stderr}")
            elif message is not None and done.returncode == 0:
                problems.append(f"{name}: compiles\n  {lines}")
            elif message is not None and message not in done.stderr:
                problems.append(f"{name}: refused, but without '{message}'\n{done.stderr[:2000]}")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    print(f"refused: {len(CASES) - 1} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
