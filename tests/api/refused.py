#!/usr/bin/env python3
"""What must not compile does not, and the compiler's message says why.

Each case is a few lines after `#include <toccata/toccata.hpp>`; the first case must compile, so that a fault of the
set-up is not taken for a refusal. usage: refused.py ROOT [COMPILER]
"""
import re
import subprocess
import sys
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
        "first_contact({mesh}, {mesh}, {.tolerence = 1e-6});", "FirstContactOptions"),
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
# The compiler says of every message in which case it arose.
FRAME = """
#line 1 "case_%d"
void case_%d(const TriangleMesh& mesh, const RigidMotion& motion, const Pose& pose) { (void)mesh, (void)motion, (void)pose;
  %s
}
"""


def messages_by_case(text):
    """What the compiler said about each case, errors with the notes that follow them; and in which there are errors."""
    said, wrong, case = {}, set(), None
    for line in text.splitlines():
        place = re.match(r"case_(\d+):", line)
        case = int(place[1]) if place else case
        if place and "error:" in line:
            wrong.add(case)
        said[case] = said.get(case, "") + line + "\n"
    return said, wrong


def main():
    root = Path(sys.argv[1]).resolve()
    compiler = sys.argv[2] if len(sys.argv) > 2 else "g++"
    source = HEAD + "".join(FRAME % (k, k, lines) for k, (lines, _) in enumerate(CASES.values()))
    done = subprocess.run([compiler, "-std=c++20", f"-I{root}/include", "-isystem", "/usr/include/eigen3", "-fsyntax-only",
                           "-x", "c++", "-"], input=source, capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    said, wrong = messages_by_case(done.stderr)
    problems = []
    for k, (name, (lines, message)) in enumerate(CASES.items()):
        if message is None and k in wrong:
            problems.append(f"{name}: does not compile\n{said[k]}")
        elif message is not None and k not in wrong:
            problems.append(f"{name}: compiles\n  {lines}")
        elif message is not None and message not in said[k]:
            problems.append(f"{name}: refused, but without '{message}'\n{said[k][:2000]}")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    print(f"refused: {len(CASES) - 1} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
