import glob
import json
import os
import sys
import typing
import unittest
from importlib import metadata

import toccata
from toccata import _literals


class PackageTest(unittest.TestCase):
    def test_the_installed_package_is_tested(self):
        self.assertTrue(toccata.__file__.startswith(sys.prefix), toccata.__file__)

    def test_the_environment_is_clean(self):
        self.assertFalse(any(entry.endswith("dist-packages") for entry in sys.path), sys.path)

    def test_the_libraries_of_the_wheel_are_used(self):
        package = os.path.realpath(os.path.dirname(toccata.__file__))
        with open("/proc/self/maps") as maps:
            loaded = {line.split()[-1] for line in maps if "/lib" in line}
        for library in ("libtbb.so", "libhwy.so"):
            found = [path for path in loaded if os.path.basename(path).startswith(library)]
            self.assertEqual([os.path.dirname(path) for path in found], [package], library)

    def test_typed(self):
        folder = os.path.dirname(toccata.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        stub = open(os.path.join(folder, "_toccata.pyi")).read()
        for name in dir(toccata._toccata):
            if not name.startswith("__"):
                self.assertIn(name, stub, "the stub misses a name of the extension")

    def test_the_licence_travels_along(self):
        folder = os.path.dirname(toccata.__file__)
        (information,) = glob.glob(os.path.join(os.path.dirname(folder), "toccata-*.dist-info"))
        with open(os.path.join(information, "LICENSE")) as file:
            self.assertIn("Apache License", file.read())
        self.assertEqual(metadata.metadata("toccata")["License"], "Apache-2.0")
        for library in ("libtbb", "libhwy"):
            self.assertTrue(glob.glob(os.path.join(folder, "licenses", f"{library}*.txt")), library)

    def test_literals_are_the_names_of_cpp(self):
        for literal, names in (
            (_literals.Status, toccata._toccata.statuses),
            (_literals.RigidMethod, toccata._toccata.rigid_methods),
            (_literals.ConvexMethod, toccata._toccata.convex_methods),
            (_literals.AtStart, toccata._toccata.at_start_choices),
            (_literals.DeformableMethod, toccata._toccata.deformable_methods),
            (_literals.PairScope, toccata._toccata.pair_scopes),
            (_literals.FeaturePairKind, toccata._toccata.feature_pair_kinds),
            (_literals.Containment, toccata._toccata.containments),
            (_literals.Inside, toccata._toccata.inside_names),
            (_literals.FeatureKind, toccata._toccata.feature_kinds),
        ):
            self.assertEqual(typing.get_args(literal), tuple(names))

    def test_everything_public_is_documented(self):
        for name in toccata.__all__:
            thing = getattr(toccata, name)
            if callable(thing):
                self.assertTrue((thing.__doc__ or "").strip(), name)

    def test_answers_are_json(self):
        face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        impact = toccata.vertex_face_impact([[0.2, 0.2, 1], *face], [[0.2, 0.2, -1], *face])
        self.assertEqual(json.loads(json.dumps(impact.to_dict()))["status"], "contact")


if __name__ == "__main__":
    unittest.main()
