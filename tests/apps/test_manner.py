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

    def test_first_guesses(self):
        """What people type first gets them to what they mean."""
        box = self.write("box.obj", obj(BOX))
        for typed, said in (
            ([box, box], "expected a command before"),
            (["closest", box, box], "did you mean clearance?"),
            (["collide", box, box], "did you mean impact?"),
            (["interval", box, box], "did you mean intervals?"),
            (["version"], "did you mean --version?"),
            (["help", "clearence"], "did you mean clearance?"),
            (["impact", box, box, "--end", "1 0 0"], "did you mean --to?"),
            (["impact", box, box, "--rotate", "90"], "did you mean --turn?"),
            (["impact", box, box, "-t", "1", "0", "0"], "there is no option -t"),
            (["distance", box, box, "--from-b", "1 0 0"], "did you mean --pose-b?"),
            (["intersect", box, box, "--at", "1 0 0"], "did you mean --pose-a?"),
            (["impact", box, box, "--to", "1 0 0", "--pose-b", "1 0 0"], "did you mean --from-b?"),
            (["distance", box, box, "--to", "1 0 0"], "here the bodies rest, at --pose-a and --pose-b"),
            (["impact", box, box, box, "--to", "1 0 0"], "not expected: "),
            (["impact", box, "--to", "1 0 0"], "B is required"),
            (["impact", box, box, "--to", "5mm 0 0"], "lengths have no unit"),
            (["impact", box, box, "--to", "1e309 0 0"], "--to: the number 1e309 is too large"),
            (["impact", box, box, "--to", "9" * 400 + " 0 0"], "the number 99999999999999999999... is too large"),
            (["impact", box, box, "--to", "1 0 0", "--tolerance", "1e309"], "--tolerance: expected a finite number"),
            (["impact", box, box, "--to", "1 0 0", "--tolerance", "9" * 309], "--tolerance: expected a finite number"),
            (["impact", box, box, "--to", "1 0 0", "--budget", "9" * 30], "--budget: expected a whole number from 0 to"),
            (["impact", box, box, "--to", "1 0 0", "--threads", "2.5"], "--threads: expected a whole number from 0 to 4096"),
            (["distance", box, box, "--within", "inf"], "--within: expected a finite number"),
        ):
            with self.subTest(typed=typed):
                self.assertIn(said, self.refuse(*typed))
        # Too small for a double is 0.
        self.assertIn("touch", self.succeed("impact", box, box, "--to", "1e-400 0 0"))

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
