import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import toccata


def crumpled(seed, columns=8):
    """A sheet whose vertices jump about: many contacts with itself."""
    rng = np.random.default_rng(seed)
    sheet = toccata.sheet(columns, columns)
    start = sheet.vertices + rng.normal(scale=0.05, size=sheet.vertices.shape)
    end = sheet.vertices + rng.normal(scale=0.25, size=sheet.vertices.shape)
    return start, end, np.array(sheet.faces)


def by_elementary_queries(start, end, faces):
    """Every pair of features that share no vertex, one elementary query each."""
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges = np.unique(sides, axis=0)
    vertex, face = (x.ravel() for x in np.meshgrid(np.arange(len(start)), np.arange(len(faces)), indexing="ij"))
    keep = (faces[face] != vertex[:, None]).all(axis=1)
    vertex, face = vertex[keep], face[keep]
    rows = np.concatenate([vertex[:, None], faces[face]], axis=1)
    touching = toccata.vertex_face_impact(start[rows], end[rows]).collides
    vertex_face = {(int(v), int(f)) for v, f in zip(vertex[touching], face[touching])}
    a, b = np.triu_indices(len(edges), 1)
    keep = (edges[a][:, :, None] != edges[b][:, None, :]).all(axis=(1, 2))
    rows = np.concatenate([edges[a[keep]], edges[b[keep]]], axis=1)
    touching = toccata.edge_edge_impact(start[rows], end[rows]).collides
    edge_edge = {tuple(sorted((tuple(r[:2].tolist()), tuple(r[2:].tolist())))) for r in rows[touching]}
    return vertex_face, edge_edge


def sets_of(contacts):
    vertex_face = {tuple(row) for row in contacts.vertex_face.tolist()}
    edges = contacts.edges.tolist()
    edge_edge = {tuple(sorted((tuple(edges[i]), tuple(edges[j])))) for i, j in contacts.edge_edge.tolist()}
    return vertex_face, edge_edge


class CcdTest(unittest.TestCase):
    def test_equals_all_elementary_queries(self):
        for seed in range(3):
            start, end, faces = crumpled(seed)
            expected = by_elementary_queries(start, end, faces)
            self.assertGreater(len(expected[0]), 20)
            for method in ("clusters", "connectivity", "brute_force"):
                contacts = toccata.ccd(start, end, faces, method=method)
                self.assertEqual(sets_of(contacts), expected)

    def test_layouts_and_threads_do_not_matter(self):
        start, end, faces = crumpled(5)
        expected = toccata.ccd(start, end, faces).to_dict()
        del expected["stats"]
        for given in (
            (np.asfortranarray(start), end, faces.astype(np.int64)),
            (start.tolist(), end.tolist(), faces.tolist()),
            (start, end, np.asfortranarray(faces)),
        ):
            found = toccata.ccd(*given, threads=1).to_dict()
            del found["stats"]
            self.assertEqual(found, expected)

    def test_first_contact_and_safe_step(self):
        start, end, faces = crumpled(6)
        scene = toccata.DeformableScene((len(start), faces))
        scene.update(start, end)
        contacts, first = scene.all_contacts(), scene.first_contact()
        self.assertEqual(first.time, contacts.first_time)
        step = scene.safe_step()
        self.assertGreater(step, 0.0)
        self.assertLess(step, first.lower)
        # on the way to just before the safe step nothing touches
        scene.update(start, start + 0.999 * step * (end - start))
        self.assertEqual(len(scene.all_contacts()), 0)
        self.assertEqual(scene.safe_step(), 1.0)

    def test_safe_step_is_one_only_if_the_whole_step_is_free(self):
        faces = [[0, 1, 2], [3, 4, 5]]
        start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]], float)
        scene = toccata.DeformableScene((6, faces))
        for fall, free in ((0.75, True), (1.0, False), (1.25, False)):
            end = start - np.array([[0, 0, 0]] * 3 + [[0, 0, fall]] * 3)
            scene.update(start, end)
            fraction = scene.safe_step()
            with self.subTest(fall=fall):
                self.assertEqual(fraction == 1.0, free)  # touching exactly at t = 1 is no free step
                lowest = 1.0 - fraction * fall  # exact: where the vertex above the face is then
                self.assertGreater(lowest, 0.0)
                self.assertAlmostEqual(fraction, min(1.0, 1.0 / fall))
        touching = start - np.array([[0, 0, 0]] * 3 + [[0, 0, 1]] * 3)
        scene.update(touching, start)
        self.assertEqual(scene.safe_step(), 0.0)

    def test_objects_scopes_and_filters(self):
        ball, sheet = toccata.sphere(0.3, 2), toccata.sheet(12, 12)
        scene = toccata.DeformableScene([sheet, ball])
        start = np.concatenate([sheet.vertices, ball.vertices + [0, 0, 0.5]])
        end = start.copy()
        end[len(sheet.vertices):, 2] -= 0.6
        scene.update(start, end)
        between = scene.all_contacts(scope="between_objects")
        self.assertGreater(len(between), 0)
        self.assertEqual(len(scene.all_contacts(scope="within_object")), 0)
        self.assertEqual(len(scene.all_contacts(object_filter=lambda a, b: a == b)), 0)
        self.assertEqual(len(scene.all_contacts(object_filter=lambda a, b: a != b)), len(between))
        # the lowest point of the ball is at z = 0.2 at first and falls by 0.6
        lowest = start[len(sheet.vertices):, 2].min()
        self.assertAlmostEqual(scene.first_contact().time, lowest / 0.6, places=9)
        self.assertLessEqual(scene.first_contact().time, lowest / 0.6)

    def test_the_first_contact_is_the_answer_of_rigid_bodies_too(self):
        scene = toccata.DeformableScene((6, [[0, 1, 2], [3, 4, 5]]))
        start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.3, 0.2, 2], [0.2, 0.3, 2]])
        scene.update(start, start - [0, 0, 1.5] * (np.arange(6) > 2)[:, None])
        first = scene.first_contact()
        self.assertIsInstance(first, toccata.FirstContactResult)
        self.assertEqual(first.contact.feature_a, toccata.Feature("vertex", 3, 0))
        self.assertEqual(first.contact.feature_b, toccata.Feature("face", 0, 0))
        np.testing.assert_allclose(first.weights, [1, 0.6, 0.2, 0.2], atol=1e-9)
        self.assertIsNone(first.pose_a)
        self.assertEqual(str(first)[:20], "They first touch at ")
        self.assertTrue(first)
        scene.update(start, start)
        free = scene.first_contact()
        self.assertFalse(free)
        self.assertEqual((free.contact, free.weights, free.step), (None, None, 0))

    def test_minimum_distance_and_start(self):
        faces = [[0, 1, 2], [3, 4, 5]]
        start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0], [0.3, 0.2, 2], [0.2, 0.3, 2]], float)
        self.assertEqual(toccata.ccd(start, start, faces)[0].status, "overlap_at_start")
        self.assertEqual(len(toccata.ccd(start, start, faces, at_start="skip")), 0)
        lifted = start.copy()
        lifted[3:, 2] += 0.1
        self.assertEqual(len(toccata.ccd(lifted, lifted, faces)), 0)
        self.assertGreater(len(toccata.ccd(lifted, lifted, faces, minimum_distance=0.1001)), 0)

    def test_whether_only_says_which_touch_at_the_start(self):
        faces = [[0, 1, 2], [3, 4, 5]]
        start = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0], [0.3, 0.2, 2], [0.2, 0.3, 2]], float)
        end = start.copy()
        end[3:, 2] -= 3
        full = toccata.ccd(start, end, faces)
        self.assertEqual(set(full.status.tolist()), {1, 2})
        np.testing.assert_array_equal(toccata.ccd(start, end, faces, boolean_only=True).status, full.status)
        later = toccata.ccd(start, end, faces, boolean_only=True, at_start="skip")
        self.assertEqual(len(later), int((full.status == 1).sum()))

    def test_changing_topology(self):
        start, end, faces = crumpled(7)
        scene = toccata.DeformableScene((len(start), faces[:-10]))
        scene.update(start, end)
        scene.update_topology((len(start), faces))
        scene.update(start, end)
        self.assertEqual(sets_of(scene.all_contacts()), sets_of(toccata.ccd(start, end, faces)))

    def test_wires_and_points(self):
        # a point (2) falls through a wire (0-1)
        scene = toccata.DeformableScene((3, np.zeros((0, 3), int), [[0, 1]]))
        scene.update([[-1, 0, 0], [1, 0, 0], [0, 0, 1]], [[-1, 0, 0], [1, 0, 0], [0, 0, -1]])
        contacts = scene.all_contacts()
        self.assertEqual([contact.kind for contact in contacts], ["vertex_edge"])
        self.assertAlmostEqual(contacts[0].time, 0.5)

    def test_pickle(self):
        contacts = toccata.ccd(*crumpled(8))
        again = pickle.loads(pickle.dumps(contacts))
        self.assertEqual(again.to_dict(), contacts.to_dict())
        self.assertEqual(repr(again[0]), repr(contacts[0]))

    def test_none(self):
        start, _, faces = crumpled(9, 2)
        flat = np.array(toccata.sheet(2, 2).vertices)
        contacts = toccata.ccd(flat, flat + [0, 0, 1], faces)
        self.assertEqual((len(contacts), repr(contacts), contacts.first_time), (0, "DeformableContacts(none)", 1.0))
        self.assertEqual(contacts.vertex_face.shape, (0, 2))

    def test_only_what_is_proven_free_is_false(self):
        start, end, faces = crumpled(9, 2)
        flat = np.array(toccata.sheet(2, 2).vertices)
        self.assertFalse(toccata.ccd(flat, flat + [0, 0, 1], faces))
        self.assertTrue(toccata.ccd(*crumpled(8)))
        stopped = toccata.ccd(*crumpled(8), seconds=1e-9)
        self.assertEqual((len(stopped), stopped.complete), (0, False))
        self.assertTrue(stopped)
        self.assertEqual(str(stopped), "Out of budget: no contact was found, but not all pairs were decided.")
        sheet = toccata.sheet(6, 6)
        through_a_point = (sheet.vertices, -sheet.vertices, sheet.faces)
        part = toccata.ccd(*through_a_point, budget=50)
        self.assertFalse(part.complete)
        self.assertTrue(part)
        self.assertRegex(str(part), "^Out of budget: .*(there may be more|not all pairs were decided)")
        with tempfile.TemporaryDirectory() as folder:
            toccata.view(part, f"{folder}/part.html")
            page = Path(folder, "part.html").read_text()
        self.assertIn("proven_until", page)
        self.assertIn("Out of budget", page)

    def test_errors(self):
        start, end, faces = crumpled(10, 3)
        bad = start.copy()
        bad[4, 1] = np.inf
        for call, kind, message in (
            (lambda: toccata.ccd(start, end[:-1], faces), ValueError, str(len(start))),
            (lambda: toccata.ccd(bad, end, faces), ValueError, r"positions_t0\[4\].*finite"),
            (lambda: toccata.ccd(start, end[:, :2], faces), ValueError, r"positions_t1.*\(n, 3\)"),
            (lambda: toccata.ccd(start, end, faces + 100), IndexError, r"faces\[0\] names vertex"),
            (lambda: toccata.ccd(start, end, faces, method="fast"), ValueError, "'clusters', 'connectivity'"),
            (lambda: toccata.ccd(start, end, faces, scope="self"), ValueError, "'within_component'"),
            (lambda: toccata.ccd(start, end, faces, at_start="ignore"), ValueError, "'skip'"),
            (lambda: toccata.DeformableScene((len(start), faces)).first_contact(), ValueError, "update"),
            (lambda: toccata.DeformableScene((len(start), faces)).safe_step(), ValueError, "update"),
            (lambda: toccata.DeformableScene([3, 4]), TypeError, "vertex_count"),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                call()


if __name__ == "__main__":
    unittest.main()
