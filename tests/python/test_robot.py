"""Robots on their paths."""
import json
import math
import os
import tempfile
import unittest

import numpy as np

import toccata
from toccata import _toccata

URDF = """<robot name="bars">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""


@unittest.skipUnless(_toccata.has_robots, "built without robots")
class RobotTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.urdf = os.path.join(self.folder.name, "bars.urdf")
        with open(self.urdf, "w") as file:
            file.write(URDF)
        self.robot = toccata.Robot(self.urdf)
        self.post = [("post", toccata.Box([0.1, 0.1, 1]), [0, 1.5, 0])]

    def test_what_it_is(self):
        self.assertEqual(self.robot.variables, ("shoulder", "elbow"))
        self.assertEqual(self.robot.limits.tolist(), [[-3, 3], [-math.inf, math.inf]])
        self.assertEqual(self.robot.links, ("base", "upper", "lower"))
        self.assertIn("2 variables", repr(self.robot))
        poses = self.robot.poses([math.pi / 2, 0])
        np.testing.assert_allclose(poses["lower"][:3, 3], [0, 1, 0], atol=1e-15)

    def test_first_contact(self):
        found = self.robot.check([[0, 0], [math.pi, 0]], self.post)
        angle = math.atan2(1.45, 0.05) - math.asin(0.05 / math.hypot(1.45, 0.05))
        self.assertEqual((found.status, found.link_a, found.link_b), ("contact", "lower", "post"))
        self.assertLessEqual(found.time * math.pi, angle + 1e-12)
        self.assertAlmostEqual(found.time * math.pi, angle, places=5)
        self.assertTrue(found)
        self.assertIn("first touches post", str(found))
        self.assertEqual(json.loads(json.dumps(found.to_dict()))["link_b"], "post")
        other = self.robot.check([[0, 0], [math.pi, 0]], self.post, method="interval")
        self.assertAlmostEqual(other.time, found.time, places=5)
        self.assertFalse(self.robot.check([[0, 0], [1.2, 0]], self.post))
        self.assertFalse(self.robot.check([[0, 0], [3, 0]]))
        timed = self.robot.check([[0, 0], [0.1, 0], [math.pi, 0]], self.post, times=[0, 3, 4])
        self.assertGreater(timed.time, 0.75)

    def test_clearance(self):
        found = self.robot.clearance([[0, 0], [1.2, 0]], self.post, bands=3)
        expected = math.hypot(1.45, 0.05) * math.sin(math.atan2(1.45, 0.05) - 1.2) - 0.05
        self.assertAlmostEqual(float(found), expected, places=6)
        self.assertLessEqual(found.lower_distance, expected + 1e-12)
        self.assertEqual(found.bands.shape, (3, 4))

    def test_edges(self):
        starts, ends = np.zeros((3, 2)), np.array([[3, 0], [1.2, 0], [0, 3]])
        found = self.robot.edges(starts, ends, self.post)
        self.assertEqual(found.free.tolist(), [False, True, True])
        self.assertEqual(found.link_b, ["post", "", ""])
        first = self.robot.edges(starts, ends, self.post, any_contact=False, threads=1)
        self.assertEqual(first.time[0], self.robot.check([starts[0], ends[0]], self.post).time)
        self.assertEqual(len(found), 3)

    def test_paddings(self):
        # The lower bar's end passes the post at 0.15.
        far = [("post", toccata.Box([0.1, 0.1, 1]), [0, 2.2, 0])]
        path = [[0, 0], [3, 0]]
        self.assertFalse(self.robot.check(path, far))
        for paddings in ({"lower": 0.2}, {"post": 0.2}, {("post", "lower"): 0.2}, {"lower": 0.1, "post": 0.1}):
            robot = toccata.Robot(self.urdf, paddings=paddings)
            self.assertEqual(robot.check(path, far).link_b, "post", paddings)
        self.assertFalse(toccata.Robot(self.urdf, paddings={("upper", "post"): 0.2}).check(path, far))
        both = toccata.Robot.together({"only": toccata.Robot(self.urdf, paddings={("lower", "post"): 0.2})})
        self.assertTrue(both.check(path, far))
        with self.assertRaisesRegex(ValueError, "paddings"):
            toccata.Robot(self.urdf, paddings={"lower": -1})
        with self.assertRaisesRegex(TypeError, "two names"):
            toccata.Robot(self.urdf, paddings={("lower",): 1})

    def test_splines(self):
        # At rest at both ends: a cubic is at 3 t^2 - 2 t^3 of the way.
        points, still = [[0, 0], [math.pi, 0]], np.zeros((2, 2))
        straight = self.robot.check(points, self.post).time
        for extra in ({"velocities": still}, {"velocities": still, "accelerations": still}):
            t = self.robot.check(points, self.post, **extra).time
            way = 10 * t**3 - 15 * t**4 + 6 * t**5 if "accelerations" in extra else 3 * t**2 - 2 * t**3
            self.assertAlmostEqual(way, straight, places=5)
        with self.assertRaisesRegex(ValueError, "velocities has 1 rows, but path has 2"):
            self.robot.check(points, velocities=still[:1])
        with self.assertRaisesRegex(ValueError, "no velocities"):
            self.robot.check(points, accelerations=still)

    def test_certificates(self):
        path = [[0, 0], [1.2, 0]]
        certificate = self.robot.certify(path, self.post)
        self.assertGreater(certificate.clearance, 0.1)
        self.assertEqual(set(certificate.pairs), {("upper", "post"), ("lower", "post")})
        found = self.robot.verify(certificate, path, self.post)
        self.assertTrue(found, found)
        self.assertEqual(found.clearance, certificate.clearance)
        file = os.path.join(self.folder.name, "free.json")
        certificate.save(file)
        again = toccata.PathCertificate.load(file)
        self.assertTrue(self.robot.verify(again, path, self.post))
        self.assertIn("another path", self.robot.verify(again, [[0, 0], [1.3, 0]], self.post).reason)
        self.assertIn("another scene", str(self.robot.verify(again, path)))
        changed = json.loads(again.to_json())
        changed["pairs"][0]["spans"][0][2] *= 10
        wrong = self.robot.verify(toccata.PathCertificate(json.dumps(changed)), path, self.post)
        self.assertIn("less than the certificate says", wrong.reason)
        self.assertFalse(wrong)
        with self.assertRaisesRegex(ValueError, "no certificate: lower first touches post"):
            self.robot.certify([[0, 0], [3, 0]], self.post)
        with self.assertRaisesRegex(ValueError, "share"):
            self.robot.certify(path, share=2)

    def test_pairs(self):
        (pair,) = self.robot.pairs()
        self.assertEqual((pair.a, pair.b, pair.kind, pair.variables), ("upper", "lower", "adjacent", ["elbow"]))
        with self.assertRaisesRegex(ValueError, "budget"):
            self.robot.pairs(budget=0)

    def test_scenes_from_files(self):
        path = os.path.join(self.folder.name, "post.txt")
        with open(path, "w") as file:
            file.write("box 0.1 0.1 1  0 1.5 0  0 0 0 1\n")
        for _ in range(2):
            self.assertEqual(self.robot.check([[0, 0], [3, 0]], path).link_b, "obstacle 1")

    def test_intervals_and_bands_of_pairs(self):
        found = self.robot.intervals([[0, 0], [math.pi, 0]], self.post)
        self.assertTrue(found)
        half = math.asin(0.1 / 1.5)  # at least: the post is square
        (pair,) = found.pairs
        self.assertEqual((pair.link_a, pair.link_b), ("lower", "post"))
        begin, end = pair.intervals[0, 0] * math.pi, pair.intervals[0, 3] * math.pi
        self.assertLess(begin, math.pi / 2 - half * 0.9)
        self.assertAlmostEqual(begin + end, math.pi, places=3)
        self.assertEqual(found.intervals.shape, (1, 4))
        self.assertFalse(self.robot.intervals([[0, 0], [1.2, 0]], self.post))
        clearance = self.robot.clearance([[0, 0], [1.2, 0]], self.post, bands=3, pairs=True)
        self.assertEqual([pair.link_a for pair in clearance.pairs], ["lower", "upper"])
        self.assertAlmostEqual(clearance.pairs[0].distance, clearance.distance, places=3)
        self.assertEqual(clearance.pairs[0].bands.shape, (3, 4))
        near = self.robot.clearance([[0, 0], [1.2, 0]], self.post, pairs=True, pair_limit=clearance.distance + 0.01)
        self.assertEqual(len(near.pairs), 1)

    def test_paths_as_values(self):
        points = [[0, 0], [0.1, 0], [math.pi, 0]]
        path = toccata.JointPath(points, times=[0, 3, 4])
        self.assertEqual(self.robot.check(path, self.post).time, self.robot.check(points, self.post, times=[0, 3, 4]).time)
        with self.assertRaisesRegex(TypeError, "times belong to the JointPath"):
            self.robot.check(path, self.post, times=[0, 1, 2])
        with self.assertRaisesRegex(TypeError, "velocity"):
            self.robot.check(points, velocity=1)

    def test_things_in_the_hand(self):
        path = [[0, 0], [1.2, 0]]
        holding = self.robot.hold("lower", toccata.Box([0.4, 0.02, 0.02]), [0.5, 0.5, 0], name="rod")
        self.assertFalse(self.robot.check(path, self.post))
        self.assertEqual(holding.check(path, self.post).link_a, "rod")
        self.assertFalse(holding.release().check(path, self.post))
        back = toccata.Robot(self.urdf, adjacent_allowed=False, allowed=[("upper", "lower"), ("base", "upper")])
        rod = toccata.Box([0.5, 0.02, 0.02])
        self.assertTrue(back.hold("lower", rod, [-0.2, 0, 0]).check(path))
        self.assertFalse(back.hold("lower", rod, [-0.2, 0, 0], touch=["upper"]).check(path))
        with self.assertRaisesRegex(ValueError, "no link 'hand'"):
            self.robot.hold("hand", rod)

    def test_several_robots(self):
        two = toccata.Robot.together({"left": self.robot, "right": (self.robot, [3.5, 0, 0])})
        self.assertEqual(two.variables[2], "right/shoulder")
        path = {"left": [[1.5, 0], [0, 0]], "right": [[math.pi, 0], [math.pi, 0]]}
        found = two.check(path)
        self.assertEqual({found.link_a, found.link_b}, {"left/lower", "right/lower"})
        apart = {"left": toccata.JointPath([[1.5, 0], [1.0, 0]], times=[0, 2]), "right": [[1.5, 0]]}
        self.assertFalse(two.check(apart))
        self.assertTrue(two.verify(two.certify(apart), apart))
        with self.assertRaisesRegex(ValueError, "one path for each of left, right"):
            two.check({"left": [[0, 0]]})
        with self.assertRaisesRegex(ValueError, r"of robot 'right': path must be an \(n, 2\)"):
            two.check({"left": [[0, 0]], "right": [[0, 0, 0]]})
        with self.assertRaisesRegex(TypeError, "must be a Robot"):
            toccata.Robot.together({"left": 3})

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(ValueError, r"path must be an \(n, 2\) array"):
            self.robot.check([[0, 0, 0]])
        with self.assertRaisesRegex(ValueError, "NaN"):
            self.robot.check([[0, 0], [math.nan, 0]])
        with self.assertRaisesRegex(ValueError, "starts has 1 rows, but ends has 2"):
            self.robot.edges([[0, 0]], [[0, 0], [1, 1]])
        with self.assertRaisesRegex(ValueError, "times holds 1"):
            self.robot.check([[0, 0], [1, 0]], times=[0])
        with self.assertRaisesRegex(ValueError, "missing.urdf"):
            toccata.Robot("missing.urdf")
        with self.assertRaisesRegex(TypeError, r"scene\[0\] must be"):
            self.robot.check([[0, 0], [1, 0]], [("post",)])
        with self.assertRaisesRegex(ValueError, "padding"):
            toccata.Robot(self.urdf, padding=-1)


if __name__ == "__main__":
    unittest.main()
