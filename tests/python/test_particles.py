"""First contacts of particles and strands, on arrays."""
import unittest

import numpy as np

import toccata


class Particles(unittest.TestCase):
    def test_particles_meet_a_box_that_moves(self):
        places = [[2.0, 0, 0], [0, 0, 0.25], [5, 5, 5]]
        found = toccata.particle_contacts(places, places, toccata.box(), ([0, 0, 0], [3, 0, 0]))
        self.assertEqual([toccata.STATUSES[s] for s in found.status], ["contact", "overlap_at_start", "separated"])
        self.assertLessEqual(found.time[0], 0.5)
        self.assertAlmostEqual(found.time[0], 0.5, 5)
        self.assertAlmostEqual(found.distance[1], -0.25)
        np.testing.assert_allclose(found.normal[0], [1, 0, 0], atol=1e-9)
        self.assertEqual(found.touches.tolist(), [True, True, False])
        self.assertEqual(len(found), 3)

    def test_fields_and_strands_agree_with_meshes(self):
        ball = toccata.sphere(0.5)
        field = toccata.DistanceField(ball, error=0.01)
        random = np.random.default_rng(1)
        start, end = random.uniform(-1, 1, (60, 3)), random.uniform(-1, 1, (60, 3))
        motion = ([0, 0, 0], [0.2, 0.1, 0])
        by_mesh = toccata.particle_contacts(start, end, ball, motion)
        by_field = toccata.particle_contacts(start, end, field, motion)
        np.testing.assert_array_equal(by_mesh.status, by_field.status)
        np.testing.assert_allclose(by_mesh.time, by_field.time, atol=1e-4)
        strands = toccata.particle_contacts(start, end, field, motion, strands=20)
        self.assertEqual(len(strands), 3)
        for i in range(3):  # a strand meets the body no later than its points
            self.assertLessEqual(strands.time[i], by_mesh.time[20 * i : 20 * i + 20].min() + 1e-4)
        given = toccata.particle_contacts(start, end, field, motion, strands=[0, 20, 40])
        np.testing.assert_array_equal(given.time, strands.time)

    def test_deforming_mesh(self):
        box = toccata.box()
        vertices, faces = np.asarray(box.vertices), np.asarray(box.faces)
        place = [[2.0, 0.1, 0.05]]
        found = toccata.particle_contacts(place, place, (vertices, vertices + [3, 0, 0], faces))
        self.assertAlmostEqual(found.time[0], 0.5, 9)
        np.testing.assert_allclose(np.abs(found.normal[0]), [1, 0, 0], atol=1e-9)

    def test_refuses(self):
        for call, message in (
            (lambda: toccata.particle_contacts([[0, 0, 0]], [[0, 0, 0], [1, 1, 1]], toccata.box()), ""),
            (lambda: toccata.particle_contacts([[0, 0, np.nan]], [[0, 0, 0]], toccata.box()), ""),
            (lambda: toccata.particle_contacts(np.zeros((5, 3)), np.zeros((5, 3)), toccata.box(), strands=2), "strands"),
            (lambda: toccata.DistanceField(toccata.box(), band=-1), "band"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                call()

    def test_sides_of_a_field(self):
        field = toccata.DistanceField(toccata.box(), error=0.01, band=0.2)
        sides = field.side_at([[0, 0, 0.499999], [0, 0, 0.500001]])
        self.assertEqual([toccata.CONTAINMENTS[s] for s in sides], ["inside", "outside"])


if __name__ == "__main__":
    unittest.main()
