"""Mesh files of every format, in every command that reads meshes."""
import base64
import json
import os
import struct
import unittest

from program import ProgramTest

TRIANGLE = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0)]
OBJ = "v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n"
STL = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 2 0\nendloop\nendfacet\nendsolid s\n"
OFF = "OFF\n3 1 0\n0 0 0\n2 0 0\n0 2 0\n3 0 1 2\n"
PLY = ("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
       "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n3 0 1 2\n")


def gltf():
    data = b"".join(struct.pack("<3f", *p) for p in TRIANGLE) + struct.pack("<3H", 0, 1, 2)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"uri": uri, "byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [2, 2, 0]},
                      {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]})


DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 2 0 0 0 2 0</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


class Formats(ProgramTest):
    def answers_alike(self, name, text):
        """The file against the same triangle as OBJ, by every command."""
        a, b = self.write(name, text), self.write("b.obj", OBJ)
        self.assertAlmostEqual(self.succeed_json("distance", "--json", a, b, "--pose-a", "0 0 1")["distance"], 1)
        self.assertTrue(self.succeed_json("intersect", "--json", a, b)["intersects"])
        impact = self.succeed_json("impact", "--json", a, b, "--from", "0 0 1", "--to", "0 0 -1")
        self.assertEqual(impact["status"], "contact")
        self.assertAlmostEqual(impact["time"], 0.5, 5)
        self.assertEqual(self.succeed_json("sequence", "--json", a, a)["summary"]["steps"], 1)

    def test_built_in(self):
        for name, text in (("a.obj", OBJ), ("a.STL", STL), ("a.ply", PLY), ("a.off", OFF)):
            with self.subTest(name):
                self.answers_alike(name, text)

    def test_by_assimp(self):
        for name, text in (("a.gltf", gltf()), ("a.dae", DAE)):
            with self.subTest(name):
                if os.environ["TOCCATA_WITH_ASSIMP"] == "1":
                    self.answers_alike(name, text)
                else:
                    message = self.refuse("distance", self.write(name, text), self.write("b.obj", OBJ))
                    self.assertIn(f"{name}: expected a name that ends with .obj", message)
                    self.assertIn("libassimp-dev", message)

    def test_unreadable_ones_are_named(self):
        b = self.write("b.obj", OBJ)
        for name in ("a.gltf", "a.xyz", "noextension"):
            with self.subTest(name):
                self.assertIn(name + ": ", self.refuse("impact", self.write(name, "nonsense"), b, "--to", "1 0 0"))


if __name__ == "__main__":
    unittest.main()
