"""Shapes typed in one word where a mesh file may stand, and how deep they are in each other."""
import json
import math
import struct
import unittest
import zlib
from pathlib import Path

import numpy

from program import ProgramTest
from test_outputs import BOX, obj
from test_schemas import validator


class Shapes(ProgramTest):
    def files(self):
        self.box = self.write("box.obj", obj(BOX))
        numpy.save(self.folder / "points.npy", [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)] + [[0, 0, 0]])
        x = numpy.arange(5)
        numpy.save(self.folder / "map.npy", numpy.array([x * 0.5, x * 0.5, x * 0.5]))  # rises along x
        self.points, self.map = self.folder / "points.npy", self.folder / "map.npy"

    def distance(self, a, b, *more):
        return self.succeed_json("distance", a, b, "--json", *more)["distance"]

    def test_distances_known_by_hand(self):
        self.files()
        slope = 0.5 / 1.0  # of the height field with spacing 1
        for shape, pose, expected in [
            ("box:1,2,3", "5 0 0", 5 - 0.5),
            ("box:1,2,3", "0 5 0", 5 - 1.0),
            ("box:1,2,3,0.25", "0 0 5", 5 - 1.5 - 0.25),
            ("ball:0.5", "3 4 0", 5 - 0.5),
            ("capsule:0.5,2", "0 0 5", 5 - 1.5),
            ("capsule:0.5,2", "5 0 0", 5 - 0.5),
            ("cylinder:0.5,2", "0 0 5", 5 - 1.0),
            ("cylinder:0.5,2", "3 4 0", 5 - 0.5),
            ("cone:1,2", "0 0 5", 5 - 1.0),  # its tip
            ("cone:1,2", "0 0 -5", 5 - 1.0),  # its base
            ("cone:1,2", "4 0 -1", 4 - 1.0),  # the rim of the base
            ("ellipsoid:1,2,0.5", "5 0 0", 5 - 1.0),
            ("ellipsoid:1,2,0.5", "0 5 0", 5 - 2.0),
            ("ellipsoid:1,2,0.5", "0 0 5", 5 - 0.5),
            (f"hull:{self.points}", "5 0 0", 5 - 1.0),
            (f"hull:{self.points},0.5", "5 0 0", 5 - 1.5),
            (f"hull:{self.box}", "0 0 5", 5 - 0.5),
            ("halfspace:0,0,1,0", "0 0 5", 5.0),
            ("halfspace:0,0,2,4", "9 9 5", 5 - 2.0),
            (f"heightfield:{self.map}", "2 1 5", (5 - 1.0) / math.hypot(1, slope)),
            (f"heightfield:{self.map},2", "4 2 5", (5 - 1.0) / math.hypot(1, slope / 2)),
            (f"heightfield:{self.map},2,1", "4 1 5", (5 - 1.0) / math.hypot(1, slope / 2)),
            (f"heightfield:{self.map},1,1,-3", "2 1 -5", 2.0),
        ]:
            with self.subTest(shape, pose=pose):
                point = ["--pose-b", pose]
                self.assertAlmostEqual(self.distance(shape, "ball:0", *point), expected, delta=2e-8 * expected)
                # A box without size is a point, too.
                self.assertAlmostEqual(self.distance(shape, "box:0,0,0", *point), expected, delta=2e-8 * expected)
                self.assertAlmostEqual(self.distance("ball:0", shape, "--pose-a", pose), expected, delta=2e-8 * expected)

    # Rows of samples as a PNG image, each row filtered in another of the five ways.
    @staticmethod
    def png(rows, depth, alpha=None, strategy=zlib.Z_DEFAULT_STRATEGY, level=9, colour=0, interlace=0):
        channels = 1 if alpha is None else 2
        step = max(1, channels * depth // 8)
        packed = b""
        above = None
        for r, row in enumerate(rows):
            samples = [x for c, grey in enumerate(row) for x in ([grey] if alpha is None else [grey, alpha[r][c]])]
            bits = "".join(f"{x:0{depth}b}" for x in samples)
            bits += "0" * (-len(bits) % 8)
            line = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))
            up = above or bytes(len(line))
            kind = r % 5

            def expected(i):
                left = line[i - step] if i >= step else 0
                corner = up[i - step] if i >= step else 0
                guess = left + up[i] - corner
                nearest = min((left, up[i], corner), key=lambda x: abs(guess - x))
                return (0, left, up[i], (left + up[i]) // 2, nearest)[kind]

            packed += bytes([kind]) + bytes((line[i] - expected(i)) % 256 for i in range(len(line)))
            above = line

        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

        squeeze = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)
        data = squeeze.compress(packed) + squeeze.flush()
        header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), depth, colour if alpha is None else 4, 0, 0, interlace)
        half = len(data) // 2
        return (
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"tEXt", b"Title\0map")
            + chunk(b"IDAT", data[:half]) + chunk(b"IDAT", data[half:]) + chunk(b"IEND", b"")
        )

    def test_heights_of_images(self):
        image = self.folder / "map.png"
        # Above a sample that is a plateau of three by three, the distance is down to it.
        for depth in (1, 2, 4, 8, 16):
            white = 2**depth - 1
            rows = [[(7 * r // 3 * 5 + c // 3 * 11) % (white + 1) for c in range(30)] for r in range(24)]
            rows = [rows[r - r % 3] for r in range(24)]
            for manner in ({}, {"level": 0}, {"strategy": zlib.Z_FIXED}, {"strategy": zlib.Z_HUFFMAN_ONLY}):
                image.write_bytes(self.png(rows, depth, **manner))
                for r, c in ((1, 1), (4, 10), (22, 28), (16, 4)):
                    height = rows[r][c] / white
                    with self.subTest(depth=depth, manner=manner, row=r, column=c):
                        found = self.distance(f"heightfield:{image},1,1,-1", "ball:0", "--pose-b", f"{c} {r} {height + 1e-3}")
                        self.assertAlmostEqual(found, 1e-3, delta=1e-9)
        scaled = self.distance(f"heightfield:{image},2,3,-1,0.5", "ball:0", "--pose-b", f"8 48 {rows[16][4] / white / 2 + 1e-3}")
        self.assertAlmostEqual(scaled, 1e-3, delta=1e-9)

    def test_transparent_pixels_are_holes(self):
        image = self.folder / "holes.png"
        alpha = [[0 if 4 <= r <= 8 and 4 <= c <= 8 else 255 for c in range(12)] for r in range(12)]
        image.write_bytes(self.png([[128] * 12] * 12, 8, alpha))
        # The hole's wall: triangles at a transparent corner are gone.
        self.assertAlmostEqual(self.distance(f"heightfield:{image},1,1,-1", "ball:0", "--pose-b", "6 6 0"), 3.0, delta=1e-6)

    def test_images_that_are_refused(self):
        good = self.png([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 8)
        at = good.index(b"IDAT")

        def header_with(rows, columns):
            header = b"IHDR" + struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
            return good[:12] + header + struct.pack(">I", zlib.crc32(header)) + good[33:]

        for name, content, words in [
            ("none", b"no image", "does not start as a PNG"),
            ("short", good[:-20], "cut short"),
            ("damaged", good[: at + 6] + bytes([good[at + 6] ^ 64]) + good[at + 7 :], "a checksum differs"),
            ("colour", self.png([[1, 2, 3]] * 3, 8, colour=2), "convert it to grey"),
            ("interlaced", self.png([[1, 2, 3]] * 3, 8, interlace=1), "interlaced"),
            ("taller", header_with(5, 3), "shorter than the image"),
            ("flatter", header_with(2, 3), "longer than the image"),
            ("huge", header_with(1 << 23, 1 << 23), "cut short"),
        ]:
            image = self.folder / f"{name}.png"
            image.write_bytes(content)
            with self.subTest(name):
                message = self.refuse("distance", f"heightfield:{image}", "ball:0")
                self.assertIn(words, message)
                self.assertIn(f"{name}.png", message)

    def test_a_box_is_the_mesh_of_it(self):
        self.files()
        for pose in ("2 0.3 0.4 10 20 30", "1.1 1.2 1.3 0 45 0"):
            with self.subTest(pose):
                of_shape = self.distance("box:1,1,1", "cylinder:0.2,1", "--pose-b", pose)
                of_mesh = self.distance(self.box, "cylinder:0.2,1", "--pose-b", pose)
                self.assertAlmostEqual(of_shape, of_mesh, delta=1e-8)
        motion = ["--from", "0 0 5 10 20 30", "--to", "0 0 0 100 20 30", "--json"]
        shape, mesh = (self.succeed_json("impact", body, "halfspace:0,0,1,0", *motion) for body in ("box:1,1,1", self.box))
        self.assertEqual((shape["status"], mesh["status"]), ("contact", "contact"))
        self.assertAlmostEqual(shape["time"], mesh["time"], delta=1e-5)

    def parts(self, name, *parts):
        return f"compound:{self.write(name, json.dumps({'parts': parts}))}"

    def test_compounds(self):
        self.files()
        # A dumbbell along x; a part of it a compound again, from a file beside it.
        self.parts("end.json", {"shape": "ball:0.5", "pose": [1, 0, 0]})
        dumbbell = self.parts(
            "dumbbell.json", {"shape": "compound:end.json"}, {"shape": "compound:end.json", "pose": [0, 0, 0, 0, 0, 180]},
            {"shape": "cylinder:0.1,2", "pose": [0, 0, 0, 0, 90, 0]}, {"shape": "box.obj", "pose": [0, 0, 8]})
        for pose, expected in [("4 0 0", 2.5), ("-4 0 0", 2.5), ("0 0.9 0", 0.8), ("1 3 0", 2.5), ("0 0 10", 1.5)]:
            with self.subTest(pose):
                self.assertAlmostEqual(self.distance(dumbbell, "ball:0", "--pose-b", pose), expected, delta=1e-7)
        found = self.succeed_json("impact", dumbbell, "halfspace:0,0,1,0", "--from", "0 0 3", "--to", "0 0 -1", "--json")
        self.assertAlmostEqual(found["time"], 2.5 / 4, delta=1e-6)
        self.assertEqual(self.succeed("penetration", dumbbell, "ball:0.5", "--pose-b", "1.8 0 0"),
                         "They overlap by 0.2; moving ball by 0.2 along (1, 0, 0) parts them.\n")

    def test_compounds_obey_their_schema_and_say_what_is_wrong(self):
        check = validator("compound.schema.json")
        good = {"parts": [{"shape": "ball:1"}, {"shape": "box:1,1,1", "pose": [0, 0, 1]}]}
        check.validate(good)
        self.distance(f"compound:{self.write('good.json', json.dumps(good))}", "ball:0", "--pose-b", "5 0 0")
        self.write("self.json", json.dumps({"parts": [{"shape": "compound:self.json"}]}))
        for text, said, fits in [
            ("nonsense", "is not JSON", None),
            ("[" * 100, "nested too deeply", None),
            ("{}", 'expected {"parts"', False),
            ('{"parts": []}', 'expected {"parts"', False),
            ('{"parts": [5]}', "parts[0]: expected an object", False),
            ('{"parts": [{"shape": "ball:1"}, {"pose": [0, 0, 0]}]}', "parts[1]: expected an object", False),
            ('{"parts": [{"shape": "ball:1", "poes": [0, 0, 0]}]}', "there is no field 'poes'", False),
            ('{"parts": [{"shape": "ball:1"}], "name": "x"}', "there is no field 'name'", False),
            ('{"parts": [{"shape": "ball:1", "pose": [1, 2]}]}', "parts[0].pose", False),
            ('{"parts": [{"shape": "ball:1", "pose": "1 2 3"}]}', "expected a list of numbers", False),
            ('{"parts": [{"shape": "ball:-1"}]}', "parts[0]: ball:-1", True),
            ('{"parts": [{"shape": "halfspace:0,0,1,0"}]}', "half space", True),
            ('{"parts": [{"shape": "missing.obj"}]}', "missing.obj", True),
            ('{"parts": [{"shape": "compound:self.json"}]}', "does the file name itself?", True),
        ]:
            with self.subTest(text[:60]):
                self.assertIn(said, self.refuse("distance", f"compound:{self.write('parts.json', text)}", "ball:1"))
                if fits is not None:
                    self.assertEqual(check.is_valid(json.loads(text)), fits)
        self.assertIn("cannot open", self.refuse("distance", "compound:nowhere.json", "ball:1"))

    def test_reports_say_what_kind_it_is(self):
        report = self.folder / "depth.json"
        self.succeed("penetration", "box:1,1,1,0.25", "capsule:0.2,1", "--pose-b", "0.6 0 0", "--report", report)
        record = json.loads(report.read_text())
        validator("report.schema.json").validate(record)
        self.assertEqual([(s["kind"], s["sizes"]) for s in record["shapes"]], [("box", [1, 1, 1, 0.25]), ("capsule", [0.2, 1])])
        lower, upper = record["results"][0]["depth"]
        self.assertAlmostEqual(upper, 0.5 + 0.25 + 0.2 - 0.6, delta=1e-7)
        self.assertTrue(0.35 - 1e-7 <= lower <= upper)

    def test_in_motion(self):
        fall = ["--from", "0 0 5", "--to", "0 0 -5"]
        found = self.succeed_json("impact", "ball:0.5", "halfspace:0,0,1,0", *fall, "--json")
        self.assertEqual((found["status"], found["solid_a"]), ("contact", True))
        self.assertAlmostEqual(found["time"], 0.45, delta=1e-5)
        self.assertLessEqual(found["time"], 0.45)
        past = ["--from", "-5 2 0", "--to", "5 2 0"]
        found = self.succeed_json("clearance", "ball:0.5", "capsule:0.25,1", *past, "--json")
        self.assertAlmostEqual(found["distance"], 2 - 0.75, delta=1e-5)
        through = ["--from", "-5 0 0", "--to", "5 0 0"]
        (interval,) = self.succeed_json("intervals", "ball:0.5", "box:1,1,1", *through, "--json")["intervals"]
        self.assertAlmostEqual(interval["begin_lower"], 0.4, delta=1e-4)
        self.assertAlmostEqual(interval["end_upper"], 0.6, delta=1e-4)
        self.assertIn("They do not touch.", self.succeed("impact", "ball:0.5", "box:1,1,1", *past))
        self.assertIn(": ball and halfspace, normal", self.succeed("impact", "ball:0.5", "halfspace:0,0,1,0", *fall))

    def test_trials(self):
        start, end = "1 0 0 0 1 0 0 0 1 0 0 2", "1 0 0 0 1 0 0 0 1 0 0 0"
        trials = self.write("trials.txt", f"{start} {end}\n{start} {start}\n")
        first, second = self.succeed_json("impact", "ball:0.5", "box:2,2,1", "--trials", trials, "--json")["trials"]
        self.assertAlmostEqual(first["time"], 0.5, delta=1e-5)
        self.assertEqual(second["status"], "separated")

    def test_intersect(self):
        self.files()
        self.assertEqual(self.succeed("intersect", "ball:0.5", "box:1,1,1", "--pose-a", "0.9 0 0"), "They overlap or touch.\n")
        self.assertEqual(self.succeed("intersect", "ball:0.5", "box:1,1,1", "--pose-a", "1.1 0 0"), "They do not meet.\n")
        self.assertEqual(self.succeed("intersect", "ball:0.1", self.box), "The surfaces do not meet, but ball is inside box.\n")
        found = self.succeed_json("intersect", "ball:0.5", self.box, "--pose-a", "0.9 0 0", "--json")
        self.assertTrue(found["intersects"])
        self.assertEqual(self.run_program("intersect", "ball:0.5", "ball:0.5", "--check").returncode, 1)

    def test_options_of_meshes_say_so(self):
        self.files()
        self.assertIn("--all lists pairs of triangles: both bodies must be meshes, and ball:1 is a ball",
                      self.refuse("intersect", self.box, "ball:1", "--all"))
        self.assertIn("only meshes can be surfaces", self.refuse("impact", "box:1,1,1", "ball:1", "--to", "1 0 0", "--surface"))
        room = ["impact", "ball:0.1", self.box, "--to", "0.2 0 0"]
        self.assertIn("ball is inside box at the start", self.succeed(*room))
        self.assertIn("They do not touch", self.succeed(*room, "--surface"))
        done = self.run_program("impact", "box:1,1,1", "ball:1", "--from", "5 0 0", "--to", "0 0 0", "--method", "screw")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mesh", done.stderr)

    def test_what_was_wrong(self):
        self.files()
        (self.folder / "flat.npy").write_bytes(b"")
        numpy.save(self.folder / "line.npy", [1.0, 2.0])
        numpy.save(self.folder / "inf.npy", [[1.0, math.inf], [0, 0]])
        for shape, *said in [
            ("box:1,2", "expected 3 to 4 numbers, found 2", "e.g. box:1,2,3"),
            ("box:1,2,3,4,5", "expected 3 to 4 numbers, found 5"),
            ("box:1,,2,3", "expected a number between two commas"),
            ("box:1,2,x", "expected a number at 'x'"),
            ("box:1,2,nan", "expected a number at 'nan'"),
            ("box:1,-2,3", "must be a finite number that is not negative"),
            ("ball:", "expected 1 number, found 0", "e.g. ball:0.5"),
            ("ball", "expected 1 number, found 0"),
            ("ball:5mm", "lengths have no unit"),
            ("capsule:1", "expected 2 numbers, found 1", "capsule:radius,height"),
            ("halfspace:0,0,0,1", "its normal must be finite and not zero"),
            ("hull:", "expected a file", "e.g. hull:points.obj"),
            (f"hull:{self.folder}/missing.obj", "missing.obj"),
            (f"hull:{self.points},-1", "radius"),
            (f"hull:{self.folder}/line.npy", "expected points of the shape (n, 3), found (2,)"),
            ("heightfield:map.tif,1,1", "heights are read from numpy files (.npy, .npz) and grey images (.png), and map.tif is none"),
            (f"heightfield:{self.folder}/missing.png", "missing.png: cannot be read"),
            (f"heightfield:{self.folder}/line.npy", "expected heights of the shape", "found (2,)"),
            (f"heightfield:{self.folder}/flat.npy", "flat.npy"),
            (f"heightfield:{self.folder}/inf.npy", "is infinite (NaN makes a hole)"),
            (f"heightfield:{self.map},0,1", "spacings must be finite and above zero"),
            (f"heightfield:{self.map},1,1,9", "the floor is"),
            ("sphere:1", "there is no such file, and no shape 'sphere'", "ball"),
        ]:
            for command in (["distance"], ["penetration"], ["impact", "--to", "1 0 0"]):
                for bodies in ((shape, self.box), (self.box, shape)):
                    with self.subTest(shape, command=command, bodies=bodies):
                        message = self.refuse(command[0], *bodies, *command[1:])
                        for text in (shape, *said):
                            self.assertIn(text, message)

    def test_a_file_of_that_name_is_a_file(self):
        (self.folder / "box:1,2,3").mkdir()
        done = self.run_program("distance", "box:1,2,3", "ball:1", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.write("a,1.obj", obj(BOX))
        done = self.run_program("distance", "hull:a,1.obj,0.5", "ball:0", "--pose-b", "5 0 0", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "They are 4 apart."))

    def test_inputs_are_never_replaced(self):
        self.files()
        said = self.refuse("distance", f"hull:{self.box},0.1", "ball:1", "--report", self.box, "--force")
        self.assertIn("box.obj", said)
        self.assertTrue(Path(self.box).read_text().startswith("v "))

    def test_reports_and_pages(self):
        self.files()
        for a in ("box:1,2,3,0.1", "ball:1", "cone:1,2", "halfspace:0,0,1,0", f"hull:{self.points}", f"heightfield:{self.map}"):
            for command in (["distance"], ["intersect"], ["penetration"], ["impact", "--from-b", "0 0 9", "--to-b", "0 0 -1"]):
                with self.subTest(a, command=command):
                    report, page = self.folder / "r.json", self.folder / "p.html"
                    self.succeed(command[0], a, "capsule:0.5,1", *command[1:], "--report", report, "--page", page, "--force")
                    written = json.loads(report.read_text())
                    self.assertEqual(len(written["shapes"]), 2)
                    self.assertTrue(page.read_text().startswith("<!doctype html>"))

    # The side of a box is named, but has no number: triangles are of meshes.
    def test_numbers_are_of_meshes(self):
        self.files()
        question = [self.box, "box:1,1,1", "--pose-b", "5 0.1 0.2"]
        answer = self.succeed_json("distance", *question, "--json")
        self.succeed("distance", *question, "--report", self.folder / "numbers.json")
        contact = json.loads((self.folder / "numbers.json").read_text())["results"][0]["contacts"][0]
        for shown in (answer, contact):
            self.assertGreaterEqual(shown["triangle_a"], 0)
            self.assertEqual(shown.get("triangle_b", -1), -1)
            self.assertNotIn("index_b", shown)
            self.assertIn(shown["feature_b"], ("vertex", "edge", "face"))
        self.assertNotIn("triangle_b", contact)
        self.assertIn("corners_a", contact)


class Penetration(ProgramTest):
    def test_depths_known_by_hand(self):
        for a, b, pose, depth, normal in [
            ("box:1,1,1", "box:1,1,1", "0.9 0.1 0", 0.1, (1, 0, 0)),
            ("box:1,1,1", "ball:0.5", "0 0.8 0", 0.2, (0, 1, 0)),
            ("ball:1", "ball:2", "0 0 -2.5", 0.5, (0, 0, -1)),
            ("halfspace:0,0,1,0", "box:1,1,1", "3 4 0.25", 0.25, (0, 0, 1)),
            ("capsule:0.5,2", "ball:0.25", "0.5 0 0.3", 0.25, (1, 0, 0)),
        ]:
            with self.subTest(a, b=b):
                found = self.succeed_json("penetration", a, b, "--pose-b", pose, "--json")
                self.assertEqual(found["status"], "overlap_at_start")
                self.assertLessEqual(found["lower_depth"], depth * (1 + 1e-9))
                self.assertGreaterEqual(found["upper_depth"], depth * (1 - 1e-9))
                self.assertAlmostEqual(found["upper_depth"], found["lower_depth"], delta=1e-6)
                numpy.testing.assert_allclose(found["normal"], normal, atol=1e-4)

    def test_moved_out_it_is_out(self):
        bodies = ("ellipsoid:1,0.5,0.3", "cylinder:0.4,1")
        found = self.succeed_json("penetration", *bodies, "--pose-b", "0.4 0.3 0.2 30 40 50", "--json")
        self.assertLess(found["lower_depth"], found["upper_depth"] * (1 + 1e-9))
        for share, apart in ((1.0001, True), (0.99, False)):
            way = share * (found["upper_depth"] if apart else found["lower_depth"]) * numpy.array(found["normal"])
            pose = " ".join(map(str, [*(numpy.array([0.4, 0.3, 0.2]) + way), 30, 40, 50]))
            self.assertEqual(self.run_program("intersect", *bodies, "--pose-b", pose, "--check").returncode, 0 if apart else 1)

    def test_sentences(self):
        box = self.write("box.obj", obj(BOX))
        small = self.write("small.obj", obj([tuple(0.1 * x for x in p) for p in BOX]))
        for arguments, said in [
            (["box:1,1,1", "capsule:0.2,1", "--pose-b", "0.6 0 0"],
             "They overlap by 0.1; moving capsule by 0.1 along (1, 0, 0) parts them."),
            (["ball:1", "ball:1", "--pose-b", "0 0 3"], "They do not overlap; 1 apart."),
            (["halfspace:0,0,1,0", "halfspace:0,0,1,0"], "They overlap, and no translation parts them."),
            ([small, box], "The surfaces do not meet, but small is inside box."),
        ]:
            with self.subTest(arguments):
                self.assertEqual(self.succeed("penetration", *arguments), said + "\n")
                code = 0 if "apart" in said else 1
                self.assertEqual(self.run_program("penetration", *arguments, "--check").returncode, code)
        hooked = self.succeed("penetration", box, box, "--pose-b", "0.5 0.4 0.3")
        self.assertRegex(hooked, r"^They overlap by (between \S+ and )?\S+; moving B by \S+ along \(.*\) parts them\.\n$")

    def test_solids_have_deepest_points(self):
        box = self.write("solid.obj", obj(BOX))
        small = self.write("small_solid.obj", obj([tuple(0.1 * x for x in p) for p in BOX]))
        found = self.succeed_json("penetration", small, box, "--solid", "--error", "1e-4", "--json")
        self.assertEqual(found["status"], "overlap_at_start")
        deepest = found["deepest_a_in_b"]
        self.assertLessEqual(deepest["upper"] - deepest["lower"], 1e-4 * 1.001)
        self.assertGreater(deepest["lower"], 0)
        self.assertEqual(found["deepest_b_in_a"], {"lower": 0, "upper": 0})
        self.assertGreaterEqual(found["upper_depth"], found["lower_depth"])
        said = self.succeed("penetration", small, box, "--solid")
        self.assertIn("The surface of small_solid is between", said)
        self.assertIn("No point of the surface of solid is inside small_solid.", said)
        open_box = self.write("open.obj", obj(BOX).rsplit("f", 1)[0])
        self.assertIn("not closed", self.refuse("penetration", open_box, box, "--solid"))

    def test_motions_are_refused(self):
        self.assertIn("here the bodies rest", self.refuse("penetration", "ball:1", "ball:1", "--to", "1 0 0"))
        self.assertIn("did you mean penetration?", self.refuse("depth", "ball:1", "ball:1"))


if __name__ == "__main__":
    unittest.main()
