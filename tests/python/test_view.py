import os
import pickle
import tempfile
import unittest

import numpy as np

import toccata


def falling_ball():
    sheet, ball = toccata.sheet(8, 8), toccata.sphere(0.3, 2)
    faces = np.concatenate([sheet.faces, ball.faces + len(sheet.vertices)])
    start = np.concatenate([sheet.vertices, ball.vertices + [0, 0, 0.5]])
    end = start.copy()
    end[len(sheet.vertices):, 2] -= 0.4
    return start, end, faces


class ViewTest(unittest.TestCase):
    def test_a_step(self):
        start, end, faces = falling_ball()
        contacts = toccata.ccd(start, end, faces)
        with tempfile.TemporaryDirectory() as folder:
            page = toccata.view(contacts, os.path.join(folder, "page.html"), title="Ball & sheet")
            text = open(page.path, encoding="utf-8").read()
            self.assertTrue(text.lstrip().lower().startswith("<!doctype html"))
            self.assertNotIn("src=\"http", text)
            with self.assertRaisesRegex(FileExistsError, "force=True"):
                toccata.view(contacts, page.path)
            toccata.view(contacts, page.path, force=True)
            self.assertTrue(page.save(os.path.join(folder, "report.json")).endswith("report.json"))
        report = page.report
        self.assertEqual((report["format"], report["title"]), ("toccata-report", "Ball & sheet"))
        step = report["sequence"]["steps"][0]
        self.assertEqual(step["vertex_face"], len(contacts.vertex_face))
        self.assertEqual(step["edge_edge"], len(contacts.edge_edge))
        self.assertEqual(step["first_time"], contacts.first_time)

    def test_first_contact(self):
        cube = toccata.box()
        result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
        page = toccata.view(result, clearance_samples=6)
        report = page.report
        self.assertEqual(report["results"][0]["time"], result.time)
        self.assertEqual([shape["triangles"] for shape in report["shapes"]], [12])  # one shape, used twice
        self.assertEqual(report["answer"], str(result))
        self.assertEqual(report["results"][0]["sentence"], str(result))
        clearance = report["results"][0]["clearance"]
        self.assertEqual(len(clearance["times"]), 8)  # and the moment of contact
        self.assertIn(result.time, clearance["times"])
        np.testing.assert_allclose(clearance["distances"][:5], [2, 1.5, 1, 0.5, 0], atol=1e-3)
        with self.assertRaisesRegex(ValueError, "pickle"):
            toccata.view(pickle.loads(pickle.dumps(result)))

    def test_up_and_hierarchy(self):
        cube = toccata.sphere(0.5, 2)
        result = toccata.first_contact(cube, ([-3, 0, 0], [0, 0, 0]), cube)
        plain = toccata.view(result, clearance_samples=0).html
        self.assertNotIn('"up":"y"', plain)
        self.assertIn('"up":"y"', toccata.view(result, clearance_samples=0, up="y").html)
        boxes = toccata.view(result, clearance_samples=0, hierarchy_levels=3).html
        self.assertGreater(len(boxes), len(plain) + 500)
        self.assertGreater(len(toccata.view(result, clearance_samples=0, hierarchy_levels=1000).html), len(boxes))
        with self.assertRaisesRegex(ValueError, "up must be 'x', 'y' or 'z', not 'up'"):
            toccata.view(result, up="up")
        with self.assertRaises(ValueError):
            toccata.view(result, hierarchy_levels=-1)

    def test_closest_approach(self):
        cube = toccata.box()
        result = toccata.closest_approach(cube, ([-3, 0, 2], [3, 0, 2]), cube)
        report = toccata.view(result, title="Passing").report
        self.assertEqual((report["query"], report["title"]), ("closest_approach", "Passing"))
        shown = report["results"][0]
        self.assertEqual(shown["status"], "separated")
        self.assertAlmostEqual(shown["closest_approach"]["distance"], 1, 5)
        self.assertEqual(shown["closest_approach"]["time"], result.time)
        touching = toccata.view(toccata.closest_approach(cube, ([-3, 0, 0], [0, 0, 0]), cube)).report
        self.assertEqual(touching["results"][0]["status"], "contact")
        self.assertAlmostEqual(touching["results"][0]["time"], 2 / 3, 5)

    def test_contact_intervals(self):
        cube = toccata.box()
        result = toccata.contact_intervals(cube, ([-3, 0, 0.5], [3, 0, 0.5]), cube)
        page = toccata.view(result)
        self.assertIn("touch from t = 0.33", page.answer)
        shown = page.report["results"][0]
        self.assertEqual(shown["intervals"][0]["begin"][0], result.intervals[0].begin_lower)
        self.assertEqual(shown["time"], result.intervals[0].begin_lower)
        self.assertGreater(len(shown["clearance"]["times"]), 60)
        apart = toccata.view(toccata.contact_intervals(cube, ([-3, 0, 2], [3, 0, 2]), cube))
        self.assertEqual(apart.report["results"][0]["status"], "separated")

    def test_distance(self):
        cube = toccata.box()
        report = toccata.view(toccata.distance(cube, [3, 0, 0], cube)).report
        self.assertEqual((report["query"], report["answer"]), ("distance", "They are 2 apart."))
        self.assertEqual(report["results"][0]["distance"], 2)
        self.assertEqual(report["bodies"][0]["motion"]["pose"]["translation"], [3, 0, 0])
        self.assertIn("touch", toccata.view(toccata.distance(cube, [1, 0, 0], cube)).answer)
        self.assertIn("farther", toccata.view(toccata.distance(cube, [9, 0, 0], cube, limit=1)).answer)

    def test_trials(self):
        cube = toccata.box()
        batch = toccata.first_contacts(cube, [([-3, 0, z], [3, 0, z]) for z in np.linspace(0, 2, 600)], cube)
        page = toccata.view(batch)
        self.assertEqual(page.answer, f"{int(batch.touches.sum())} of 600 trials touch. The first 500 are shown.")
        results = page.report["results"]
        self.assertEqual(len(results), 500)
        self.assertEqual([r["time"] for r in results], batch.time[:500].tolist())
        self.assertAlmostEqual(results[7]["motion_a"]["from"]["translation"][2], 7 * 2 / 599)
        with self.assertRaisesRegex(ValueError, "pickle"):
            toccata.view(pickle.loads(pickle.dumps(batch)))

    def test_reports_read_back(self):
        nut, box = toccata.box([0.1, 0.1, 0.1]), toccata.box()
        motion = toccata.PiecewiseMotion([[-3, 0, 0], [0, 0.2, 0], [3, 0, 1]], [0, 0.4, 1], interpolation="screw")
        found = toccata.first_contact(nut, motion, box, solid=True)
        with tempfile.TemporaryDirectory() as folder:
            path = toccata.view(found).save(os.path.join(folder, "report.json"))
            report = toccata.read_report(path)
            self.assertEqual((report.query, report.answer, report.sentences), ("first_contact", str(found), [str(found)]))
            with open(path, encoding="utf-8") as file:
                self.assertEqual(report._core.json(), file.read())
            a, b = report.bodies
            self.assertEqual((a.name, a.solid), ("a", True))
            for t in (0, 0.123, 0.4, 0.77, 1):
                np.testing.assert_array_equal(a.motion(t), motion(t))
            again = toccata.first_contact(a.mesh, a.motion, b.mesh, b.motion, solid=(a.solid, b.solid))
            self.assertAlmostEqual(again.time, found.time, 12)
            self.assertIn("first touch", report.view().html)
            broken = os.path.join(folder, "broken.json")
            with open(path, encoding="utf-8") as file, open(broken, "w", encoding="utf-8") as out:
                out.write(file.read().replace('"bodies":[0,1]', '"bodies":[0,9]'))
            with self.assertRaisesRegex(ValueError, r"results\[0\].bodies\[1\]: expected an integer from 0 to 1, found 9"):
                toccata.read_report(broken)
        with self.assertRaises(FileNotFoundError):
            toccata.read_report("missing.json")

    def test_inside(self):
        page = toccata.view(toccata.first_contact(toccata.box([0.1, 0.1, 0.1]), None, toccata.box(), solid=True))
        self.assertEqual(page.answer, "a is inside b at the start.")
        self.assertEqual(page.report["results"][0]["inside"], "first_in_second")

    def test_inline_in_a_notebook(self):
        page = toccata.view(toccata.ccd(*falling_ball()))
        shown = page._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc="))
        self.assertEqual(shown.count('srcdoc="'), 1)
        self.assertNotIn("<script", shown)  # escaped inside the attribute
        self.assertIn("not written", repr(page))

    def test_what_cannot_be_shown(self):
        start, end, faces = falling_ball()
        scene = toccata.DeformableScene((len(start), faces))
        scene.update(start, end)
        with self.assertRaisesRegex(ValueError, "positions="):
            toccata.view(scene.all_contacts())
        toccata.view(scene.all_contacts(), positions=(start, end), faces=faces)
        with self.assertRaisesRegex(ValueError, "pickle"):
            toccata.view(pickle.loads(pickle.dumps(scene.all_contacts())), positions=(start, end), faces=faces)
        with self.assertRaises(TypeError):
            toccata.view(3)


if __name__ == "__main__":
    unittest.main()
