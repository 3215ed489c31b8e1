"""The manner of every command: help, version, wrong use."""
import os
import pty
import re
import subprocess
import unittest

from program import PROGRAM, ProgramTest
from test_outputs import BOX, obj


class Manner(ProgramTest):
    def commands(self):
        listing = self.succeed("--help").split("Subcommands:")[1]
        return re.findall(r"^  ([a-z][a-z_-]*) ", listing, re.MULTILINE)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^toccata \d+\.\d+\.\d+\n$")
        self.assertEqual(self.succeed("-V"), self.succeed("--version"))

    def test_help_of_a_command(self):
        self.assertEqual(self.succeed("help"), self.succeed("--help"))
        for command in self.commands():
            self.assertEqual(self.succeed("help", command), self.succeed(command, "--help"))

    def test_did_you_mean(self):
        for word, meant in (("impcat", "impact"), ("dist", "distance"), ("intersects", "intersect")):
            self.assertIn(f"did you mean {meant}?", self.refuse(word, "a", "b"))
        self.assertNotIn("did you mean", self.refuse("frobnicate"))
        for word, meant in (("--form", "--from"), ("--minimum-distanse=1", "--minimum-distance"), ("--toleranze", "--tolerance")):
            said = self.refuse("impact", "a", "b", word)
            self.assertIn(f"there is no option {word.split('=')[0]}; did you mean {meant}?", said)

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
        self.assertIn("there is no command 'frobnicate'", self.refuse("frobnicate", "a", "b"))
        for command in self.commands():
            with self.subTest(command):
                self.refuse(command, "--frobnicate")

    def on_terminal(self, *arguments, **environment):
        """What the program prints on a terminal."""
        reader, writer = pty.openpty()
        with subprocess.Popen([PROGRAM, *arguments], stdout=writer, stderr=writer,
                              env={**os.environ, "TERM": "xterm", **environment}) as process:
            os.close(writer)
            text = b""
            try:
                while chunk := os.read(reader, 65536):
                    text += chunk
            except OSError:  # the other end is closed
                pass
            os.close(reader)
        self.assertEqual(process.returncode, 0)
        return text.decode()

    def test_progress_only_on_a_terminal(self):
        box = self.write("box.obj", obj(BOX))
        eye = "1 0 0 0 1 0 0 0 1"
        trials = self.write("trials.txt", f"{eye} -5 0 0 {eye} 5 0 0\n" * 2000)
        arguments = ["impact", box, box, "--trials", trials, "--json"]
        self.assertRegex(self.on_terminal(*arguments), r"trials \[#*\.*\] \d+/2000")
        self.assertNotIn("trials [", self.on_terminal(*arguments, TERM="dumb"))
        self.succeed(*arguments)  # nothing on stderr

    def test_colour_only_where_wanted(self):
        self.assertIn("\033[1m", self.on_terminal("demo", "sheet_and_ball"))
        self.assertNotIn("\033", self.on_terminal("demo", "sheet_and_ball", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal("demo", "sheet_and_ball", TERM="dumb"))
        self.assertNotIn("\033", self.succeed("demo", "sheet_and_ball"))


if __name__ == "__main__":
    unittest.main()
