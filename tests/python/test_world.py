"""Worlds from Python: the answers of C++ as numpy columns, bodies that come and go, and functions that bounce them."""
import pickle
import unittest

import numpy as np

import toccata

BALL = toccata.Ball(0.5)


def head_on():
    world = toccata.World()
    world.insert(BALL, ([-5, 0, 0], [5, 0, 0]))
    world.insert(BALL, ([5, 0, 0], [-5, 0, 0]))
    world.insert(toccata.box([1, 1, 1]), [0, 3, 0], solid=True)
    return world


class WorldTest(unittest.TestCase):
    def test_events_are_those_of_the_pairs(self):
        rng = np.random.default_rng(3)
        world, bodies = toccata.World(), []
        for i in range(12):
            shape = [BALL, toccata.Box([1, 0.5, 0.7]), toccata.box([0.6, 0.6, 0.6])][i % 3]
            motion = toccata.RigidMotion(rng.uniform(-3, 3, 3), velocity=rng.uniform(-4, 4, 3),
                                         angular_velocity=rng.uniform(-3, 3, 3))
            self.assertEqual(world.insert(shape, motion), i)
            bodies.append((shape, motion))
        expected = {}
        for i, (a, motion_a) in enumerate(bodies):
            for k, (b, motion_b) in enumerate(bodies[i + 1:], i + 1):
                found = toccata.first_contact(a, motion_a, b, motion_b)
                if found:
                    expected[i, k] = found
        found = world.events()
        self.assertGreater(len(found), 3)
        self.assertEqual({tuple(pair) for pair in found.bodies.tolist()}, set(expected))
        self.assertTrue((np.diff(found.group) >= 0).all())
        for event in found:
            one = expected[event.body_a, event.body_b]
            self.assertEqual(event.status, one.status)
            self.assertLessEqual(one.lower, event.lower)
            self.assertLessEqual(event.lower, one.upper)
        self.assertEqual(found.point_a.shape, (len(found), 3))
        self.assertEqual(world.first_contact().bodies.tolist(), found.bodies[found.group == 0].tolist())
        stepped = world.step(threads=1)
        for name in ("bodies", "time", "lower", "upper", "group", "point_a", "point_b", "normal"):
            np.testing.assert_array_equal(getattr(stepped, name), getattr(found, name))
        self.assertEqual(world.step().known_pairs, stepped.solved_pairs)
        self.assertEqual(pickle.loads(pickle.dumps(found)).time.tolist(), found.time.tolist())

    def test_bodies_come_and_go(self):
        world = head_on()
        self.assertEqual((len(world), world.ids.tolist(), 1 in world, 7 in world), (3, [0, 1, 2], True, False))
        self.assertEqual(world.poses(1.0)[:, 0, 3].tolist(), [5, -5, 0])
        world.switch_off(0, 1)
        self.assertFalse(world.events())
        world.switch_on(1, 0)
        self.assertTrue(world.events())
        self.assertEqual(world.generation(1), 0)
        world.remove(1)
        self.assertFalse(world.events())
        self.assertEqual(world.insert(BALL, [0, 0, 0]), 1)
        self.assertEqual(world.generation(1), 1)
        self.assertEqual(world.events().bodies.tolist(), [[0, 1]])
        world.set_filter(1, wants=0)
        self.assertFalse(world.events())
        world.set_filter(1)
        world.set_poses([0, 1], [[0, 0, 5], [0, 0, 6]])
        self.assertEqual(world.events().status, "contact")
        with self.assertRaisesRegex(KeyError, "there is no body 9"):
            world.remove(9)
        with self.assertRaisesRegex(ValueError, "not closed"):
            world.insert((np.eye(3), [[0, 1, 2]]), solid=True)
        with self.assertRaisesRegex(ValueError, "until"):
            world.events(until=2)
        with self.assertRaisesRegex(TypeError, "there is no option 'speed'"):
            world.step(speed=1)

    def test_a_moment(self):
        world = head_on()
        near = world.within(2.6, t=0.0)
        self.assertEqual(len(near), 0)
        near = world.within(2.6, t=0.5)
        self.assertEqual(near.bodies.tolist(), [[0, 1], [0, 2], [1, 2]])
        np.testing.assert_allclose(near.distance, [0, 2, 2], atol=1e-12)
        body, distance, point = world.nearest([-7, 0, 0])
        self.assertEqual(body, 0)
        self.assertAlmostEqual(distance, 1.5)
        np.testing.assert_allclose(point, [-5.5, 0, 0], atol=1e-12)
        self.assertEqual(world.ray_cast([0, 9, 0], [0, -1, 0])[:2], (2, 5.5))
        self.assertIsNone(world.ray_cast([0, 9, 0], [0, 1, 0]))
        with self.assertRaisesRegex(ValueError, "t must be from 0 to 1"):
            world.within(1, t=2)

    def test_bodies_bounce(self):
        world, speeds, seen = head_on(), {0: 10.0, 1: -10.0}, []

        def bounce(event, response):
            for body, pose in ((event.body_a, event.pose_a), (event.body_b, event.pose_b)):
                speeds[body] = -speeds[body]
                response.set_motion(body, toccata.RigidMotion.through(event.time, pose, [speeds[body], 0, 0]))
            seen.append(response)
            return True

        played = world.play(bounce)
        self.assertEqual(len(played), 1)
        self.assertAlmostEqual(played[0].time, 0.45, 5)
        self.assertLess(played.time[0], 0.45)
        np.testing.assert_allclose(world.poses(1.0)[:2, 0, 3], [-6, 6], atol=1e-4)
        with self.assertRaisesRegex(ValueError, "a response is over"):
            seen[0].stop()

    def test_casts_into_the_world(self):
        world = head_on()
        found = world.cast(BALL, ([0, 9, 0], [0, -9, 0]))
        self.assertEqual(found.bodies.tolist(), [[-1, 2], [-1, 0], [-1, 1]])
        one = toccata.first_contact(BALL, ([0, 9, 0], [0, -9, 0]), toccata.box([1, 1, 1]), [0, 3, 0])
        self.assertEqual((found[0].lower, found[0].upper), (one.lower, one.upper))
        self.assertFalse(world.cast(BALL, ([0, 0, 9], [0, 9, 9])))
        self.assertEqual(len(world), 3)

    def test_meshes_that_deform(self):
        world = toccata.World()
        start = np.array([[0, 0, 1.0], [1, 0, 1], [0, 1, 1], [1, 1, 1.5]])
        sheet = world.insert_deforming(start, start - [0, 0, 2], [[0, 1, 2], [1, 3, 2]])
        ground = world.insert(toccata.HalfSpace([0, 0, 1], 0.0), static=True)
        found = world.events()
        self.assertEqual(found.bodies.tolist(), [[sheet, ground]])
        self.assertAlmostEqual(found.time[0], 0.5, 5)
        with self.assertRaisesRegex(ValueError, "deforms"):
            world.set_motion(sheet, [0, 0, 1])
        with self.assertRaisesRegex(ValueError, "does not deform"):
            world.set_step(ground, start, start)
        with self.assertRaisesRegex(ValueError, "has corner 3 of 3"):
            world.set_step(sheet, start[:3], start[:3])

        def bounce(event, response):
            response.set_velocities(sheet, np.tile([0, 0, 2.0], (4, 1)))
            return True

        played = world.play(bounce)
        self.assertEqual(len(played), 1)
        self.assertEqual(len(world.within(0.9, 1.0)), 0)  # up again
        world.set_step(sheet, start, start)
        self.assertFalse(world.events())
        world.remove(sheet)
        self.assertEqual(world.insert(toccata.Ball(1.0), [0, 0, 0.5]), sheet)
        self.assertEqual(world.events().status, "contact")
        self.assertEqual(world.events(at_start="skip").status, "contact")  # they never part

    def test_a_response_may_ask_its_world(self):
        world, seen = head_on(), []

        def look(event, response):
            seen.append((world.poses(event.time)[0, 0, 3], len(world.within(0.1, event.time)), len(world.events())))
            with self.assertRaisesRegex(ValueError, "by response.set_motion"):
                world.set_motion(0, [0, 0, 0])
            with self.assertRaisesRegex(ValueError, "by response.set_motion"):
                world.step()
            return False

        self.assertEqual(len(world.play(look)), 1)
        self.assertEqual([(round(x, 4), near, events) for x, near, events in seen], [(-0.5, 1, 1)])
        world.set_motion(0, [0, 0, 0])

    def test_what_a_response_does_wrong(self):
        def jump(event, response):
            response.set_motion(0, [9, 9, 9])
            return True

        def broken(event, response):
            raise RuntimeError("no idea")

        with self.assertRaisesRegex(ValueError, "jumps"):
            head_on().play(jump)
        with self.assertRaisesRegex(RuntimeError, "no idea"):
            head_on().play(broken)
        with self.assertRaisesRegex(TypeError, "must return True"):
            head_on().play(lambda event, response: None)
        with self.assertRaisesRegex(ValueError, "do not come apart"):
            head_on().play(lambda event, response: True)
        with self.assertRaisesRegex(TypeError, "respond must be"):
            head_on().play(3)
        self.assertEqual(len(head_on().play(lambda event, response: False)), 1)

    def test_exceptions_of_motions_are_raised(self):
        def pose(t):
            raise RuntimeError("lost")

        world = toccata.World()
        world.insert(BALL, [0.3, 0, 0])
        with self.assertRaisesRegex((RuntimeError, ValueError), "lost"):
            world.insert(BALL, toccata.CustomMotion(pose, speed=1.0, angular_speed=0.0))
            world.events()


if __name__ == "__main__":
    unittest.main()
