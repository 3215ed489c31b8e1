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
        self.assertEqual([shape["triangles"] for shape in report["shapes"]], [12, 12])
        clearance = report["results"][0]["clearance"]
        self.assertEqual(len(clearance["times"]), 7)
        np.testing.assert_allclose(clearance["distances"][:5], [2, 1.5, 1, 0.5, 0], atol=1e-3)
        with self.assertRaisesRegex(ValueError, "pickle"):
            toccata.view(pickle.loads(pickle.dumps(result)))

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
