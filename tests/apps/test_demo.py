"""toccata demo: the built-in scenes."""
import unittest

from program import ProgramTest


class Demo(ProgramTest):
    def test_the_default_scene_finds_the_first_contact(self):
        result = self.succeed_json("demo", "sheet_and_ball", "--json")
        first = result["first"]
        # Highest point of the ball 0.5 + 0.1 t, sheet 0.8 - 0.7 t + ripple t: they meet between 1/4 and 1/2.
        self.assertGreater(first["lower"], 0.25)
        self.assertLess(first["upper"], 0.5)
        self.assertLessEqual(first["upper"] - first["lower"], 1e-12)
        self.assertAlmostEqual(sum(x * x for x in first["normal"]), 1, places=12)
        for row in result["pairs"]:
            self.assertLessEqual(row["contacts"], row["candidates"])
            self.assertLessEqual(row["candidates"], row["pairs"])
            self.assertGreater(row["contacts"], 0)

    def test_text_is_a_result_for_people(self):
        text = self.succeed("demo", "sheet_and_ball")
        self.assertIn("They first touch at t = 0.", text)
        self.assertNotIn("\033", text)

    def test_the_arm_in_the_shelf(self):
        result = self.succeed_json("demo", "robot", "--json")
        self.assertEqual(result["free"]["status"], "separated")
        self.assertGreater(result["free"]["lower_distance"], 0.005)
        self.assertEqual((result["touching"]["status"], result["touching"]["link_b"]), ("contact", "rod"))
        text = self.succeed("demo", "robot")
        self.assertIn("The whole path is free", text)
        self.assertIn("first touches rod", text)

    def test_list_and_unknown_scene(self):
        for arguments in (["demo"], ["demo", "--list"]):
            listing = self.succeed(*arguments)
            self.assertIn("sheet_and_ball", listing)
            self.assertIn("torus_knots", listing)
        names = [scene["name"] for scene in self.succeed_json("demo", "--json")["scenes"]]
        for name in names:
            self.succeed_json("demo", name, "--json")
        self.assertIn("sheet_and_ball", self.refuse("demo", "nothing"))


if __name__ == "__main__":
    unittest.main()
