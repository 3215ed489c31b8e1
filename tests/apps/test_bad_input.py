"""Bad input of every kind to every command: exit code 2, nothing on stdout, and a reason that names what is wrong."""
import os
import unittest

from program import ProgramTest
from test_outputs import BOX, obj

EYE = "1 0 0 0 1 0 0 0 1 0 0 0 "


class BadMeshes(ProgramTest):
    def commands(self, bad):
        """Every command that reads meshes, with `bad` as the first and as the second."""
        good = self.write("good.obj", obj(BOX))
        trials = self.write("trials.txt", EYE + EYE + "\n")
        for a, b in ((bad, good), (good, bad)):
            yield ["impact", a, b, "--to", "1 0 0"]
            yield ["impact", a, b, "--trials", trials]
            yield ["distance", a, b]
            yield ["intersect", a, b]
            yield ["sequence", a, b]

    def refused_by_all(self, path, *messages):
        for arguments in self.commands(path):
            with self.subTest(arguments=arguments):
                said = self.refuse(*arguments)
                self.assertIn(str(path), said)
                for message in messages:
                    self.assertIn(message, said)

    def test_missing(self):
        for arguments in self.commands(self.folder / "missing.obj"):
            with self.subTest(arguments=arguments):
                self.assertIn("missing.obj", self.refuse(*arguments))

    def test_malformed(self):
        for name, text, message in [
            ("a.obj", "v 0 0\nf 1 2 3\n", "a.obj:1: expected"),
            ("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "b.obj:4: expected a vertex index from 1 to 3"),
            ("c.obj", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "c.obj:1: expected"),
            ("d.obj", "v 0 inf 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "d.obj:1: expected"),
            ("e.stl", "solid x\nfacet\n", "e.stl:"),
            ("f.stl", "short", "f.stl"),
            ("g.ply", "ply\nformat ascii 1.0\nelement vertex 1099511627776\nproperty float x\nproperty float y\nproperty float z\nend_header\n", "g.ply"),
            ("h.off", "OFF\n3 1 0\n0 0 0\n", "h.off"),
            ("i.obj", "", "i.obj: the file is empty"),
            ("j.obj", "\x00\x01\x02\x03" * 100, "j.obj"),
            ("k.xyz", "0 0 0\n", "k.xyz"),
        ]:
            self.refused_by_all(self.write(name, text), message)

    def test_no_triangles(self):
        path = self.write("points.obj", "v 0 0 0\nv 1 0 0\n")
        for arguments in self.commands(path):
            if arguments[0] == "sequence":  # points may take part in a sequence, but all frames must agree
                continue
            with self.subTest(arguments=arguments):
                self.assertIn("points.obj: has no triangles", self.refuse(*arguments))

    def test_folder_instead_of_a_file(self):
        folder = self.folder / "folder.obj"
        folder.mkdir()
        self.refused_by_all(folder)

    def test_no_permission(self):
        path, good = self.write("secret.obj", obj(BOX)), self.write("good.obj", obj(BOX))
        os.chmod(path, 0)
        os.chmod(self.folder, 0o755)
        # Root may read everything: ask as nobody.
        options = {"user": 65534, "cwd": "/"} if os.geteuid() == 0 else {}
        done = self.run_program("distance", good, path, **options)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("secret.obj: cannot open the file: Permission denied", done.stderr)

    def test_pipe_instead_of_a_file(self):
        path = self.folder / "pipe.obj"
        os.mkfifo(path)
        self.refused_by_all(path)


class BadNumbers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.box = self.write("box.obj", obj(BOX))

    def test_poses(self):
        for option, command in [("--to", ["impact"]), ("--from", ["impact", "--to", "1 0 0"]), ("--to-b", ["impact"]),
                                ("--from-b", ["impact", "--to", "1 0 0"]), ("--pose-a", ["distance"]), ("--pose-b", ["distance"]),
                                ("--pose-a", ["intersect"]), ("--pose-b", ["intersect"])]:
            for pose in ("nan 0 0", "inf 0 0", "1 2", "1 2 3 4", "one two three", "1e999 0 0", "0 0 0 0 0 0 0",
                         "2 0 0 0 2 0 0 0 2 0 0 0", "-1 0 0 0 1 0 0 0 1 0 0 0", " "):
                with self.subTest(command=command, option=option, pose=pose):
                    said = self.refuse(command[0], self.box, self.box, *command[1:], f"{option}={pose}")
                    self.assertIn(option, said)

    def test_trials(self):
        for name, text, message in [
            ("few.txt", EYE + EYE + "\n" + EYE + EYE[:-2] + "\n", "few.txt, line 2: expected 24 numbers, found 23"),
            ("many.txt", EYE + EYE + "1\n", "many.txt, line 1: expected 24 numbers, found 25"),
            ("word.txt", EYE + EYE.replace("1", "one") + "\n", "word.txt, line 1: expected a number at 'one"),
            ("nan.txt", EYE + EYE.replace("1", "nan") + "\n", "nan.txt, line 1: expected a number at 'nan"),
            ("stretched.txt", EYE + EYE.replace("1", "2") + "\n", "stretched.txt, line 1: the 3x3 part is not a rotation"),
            ("empty.txt", "\n\n", "empty.txt: holds no trial"),
        ]:
            with self.subTest(name):
                self.assertIn(message, self.refuse("impact", self.box, self.box, "--trials", self.write(name, text)))
        self.assertIn("none.txt", self.refuse("impact", self.box, self.box, "--trials", self.folder / "none.txt"))
        self.assertIn(str(self.folder), self.refuse("impact", self.box, self.box, "--trials", self.folder))

    def test_options_out_of_range(self):
        two = [self.box, self.box]
        for arguments in [
            ["impact", *two, "--to", "1 0 0", "--tolerance", "nan"], ["impact", *two, "--to", "1 0 0", "--tolerance", "0"],
            ["impact", *two, "--to", "1 0 0", "--tolerance", "-1"], ["impact", *two, "--to", "1 0 0", "--tolerance", "inf"],
            ["impact", *two, "--to", "1 0 0", "--minimum-distance", "nan"],
            ["impact", *two, "--to", "1 0 0", "--minimum-distance", "-1"],
            ["impact", *two, "--to", "1 0 0", "--budget", "-1"], ["impact", *two, "--to", "1 0 0", "--threads", "-2"],
            ["impact", *two, "--to", "1 0 0", "--method", "magic"], ["impact", *two, "--to", "1 0 0", "--motion", "wild"],
            ["impact", *two], ["impact", self.box, "--to", "1 0 0"],
            ["distance", *two, "--within", "nan"], ["distance", *two, "--within", "-1"],
            ["distance", *two, "--relative-error", "nan"], ["distance", *two, "--absolute-error", "-1"],
            ["distance", self.box], ["intersect", self.box],
            ["sequence", *two, "--from", "-1"], ["sequence", *two, "--to", "7"], ["sequence", *two, "--threads", "-1"],
            ["sequence", *two, "--minimum-distance", "nan"], ["sequence", *two, "--within", "--between"],
            ["sequence", *two, "--from", "1", "--to", "1"], ["sequence"],
            ["view"], ["view", self.box, "--triangles", "-1"], ["demo", "nothing"], ["completion"],
        ]:
            with self.subTest(arguments=arguments):
                self.refuse(*arguments)

    def test_view(self):
        self.assertIn("cannot be read", self.refuse("view", self.folder))
        self.assertIn("box.obj", self.refuse("view", self.box))
        self.assertIn("[1, 2]", self.refuse("view", self.write("list.json", "[1, 2]")) + "[1, 2]")


if __name__ == "__main__":
    unittest.main()
