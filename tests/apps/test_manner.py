"""The manner of every command: help, version, wrong use."""
import re
import unittest

from program import ProgramTest


class Manner(ProgramTest):
    def commands(self):
        listing = self.succeed("--help").split("Subcommands:")[1]
        return re.findall(r"^  ([a-z][a-z_-]*) ", listing, re.MULTILINE)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^toccata \d+\.\d+\.\d+\n$")

    def test_help_lists_the_commands(self):
        self.assertIn("demo", self.commands())
        self.assertIn("queries", self.commands())

    def test_every_command_has_help_with_an_example(self):
        for command in self.commands():
            with self.subTest(command):
                text = self.succeed(command, "--help")
                self.assertIn("Example", text)
                self.assertIn(f"toccata {command}", text)

    def test_wrong_use(self):
        self.assertIn("expected a command", self.refuse())
        self.assertIn("frobnicate", self.refuse("frobnicate"))
        for command in self.commands():
            with self.subTest(command):
                self.refuse(command, "--frobnicate")


if __name__ == "__main__":
    unittest.main()
