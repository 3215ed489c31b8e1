"""Every --json output and every report obeys the schema in docs."""
import json
import unittest
from pathlib import Path

import jsonschema

import test_outputs
from program import ProgramTest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def validator(file, name=None):
    schema = json.loads((DOCS / file).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    if name:
        schema = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(schema)


class Schemas(test_outputs.Outputs):
    """The cases of test_outputs, both endings, with and without --all and the like."""

    DEFINITIONS = {
        "impact": "impact", "impact --skip-initial": "impact", "impact --solid": "impact", "impact --path": "impact",
        "impact --trials": "impact_trials", "clearance": "clearance", "intervals": "intervals", "distance": "distance",
        "distance --within": "distance_within", "intersect": "intersect", "intersect inside": "intersect", "penetration": "penetration",
        "world": "world", "world --events": "world", "queries": "queries", "sequence": "sequence", "sequence --all": "sequence",
    }
    MORE = {"impact": ["--all", "--minimum-distance", "0.1", "--repeat", "3"], "impact --trials": ["--closest", "--repeat", "2"],
            "intersect": ["--all"], "queries": ["--times", "--repeat", "2"], "sequence": ["--topology-changes", "--repeat", "2"],
            "sequence --all": ["--seconds", "1e-9"]}

    def test_every_command_has_a_definition(self):
        self.assertEqual(set(self.cases()), set(self.DEFINITIONS))

    def test_outputs_obey(self):
        for name, both in self.cases().items():
            check = validator("json.schema.json", self.DEFINITIONS[name])
            for arguments in both:
                for extra in ([], self.MORE.get(name, [])):
                    with self.subTest(name, arguments=arguments, extra=extra):
                        check.validate(self.succeed_json(*arguments, *extra, "--json"))

    def test_reports_obey(self):
        check = validator("report.schema.json")
        for name, both in self.cases().items():
            for arguments in both:
                with self.subTest(name, arguments=arguments):
                    report = self.folder / "r.json"
                    self.succeed(*arguments, "--report", report, "--force")
                    check.validate(json.loads(report.read_text()))

    def test_scenes_and_pages_obey(self):
        validator("json.schema.json", "demo").validate(self.succeed_json("demo", "--json"))
        for name in ("torus_knots", "sheet_and_ball", "robot"):
            report = self.folder / f"{name}.json"
            done = self.run_program("demo", name, "--json", "--report", report)
            validator("json.schema.json", f"demo_{name}").validate(json.loads(done.stdout))
            validator("report.schema.json").validate(json.loads(report.read_text()))
            page = self.succeed_json("view", report, "-o", self.folder / f"{name}.html", "--json")
            validator("json.schema.json", "view").validate(page)

    def test_the_schema_can_refuse(self):
        check = validator("json.schema.json", "distance")
        answer = self.succeed_json(*self.cases()["distance"][0], "--json")
        for broken in ({**answer, "distance": -1}, {**answer, "extra": 1}, {k: v for k, v in answer.items() if k != "normal"}):
            self.assertFalse(check.is_valid(broken))


def load_tests(loader, tests, pattern):
    """Only what is written here: the inherited tests run in test_outputs.py."""
    return unittest.TestSuite(Schemas(name) for name in vars(Schemas) if name.startswith("test_"))


if __name__ == "__main__":
    unittest.main()
