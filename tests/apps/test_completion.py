"""toccata completion and toccata man: made from the parser, understood by the shells and by man."""
import re
import shutil
import subprocess
import unittest

from program import ProgramTest


class Completion(ProgramTest):
    def commands(self):
        listing = self.succeed("--help").split("Subcommands:")[1]
        return re.findall(r"^  ([a-z][a-z_-]*) ", listing, re.MULTILINE)

    def in_bash(self, *words):
        """What bash offers for the last word."""
        script = self.write("toccata.bash", self.succeed("completion", "bash"))
        quoted = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(
            ["bash", "-c", f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _toccata; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
            capture_output=True, text=True, cwd=self.folder, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_completes_commands(self):
        self.assertEqual(self.in_bash("toccata", "imp"), ["impact"])
        self.assertEqual(set(self.in_bash("toccata", "")) - {"-h", "--help", "-V", "--version"}, set(self.commands()))

    def test_bash_completes_every_option_of_every_command(self):
        for command in self.commands():
            with self.subTest(command):
                options = set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", self.succeed(command, "--help"), re.MULTILINE))
                self.assertGreater(len(options), 0)
                self.assertEqual(set(self.in_bash("toccata", command, "--")), options)

    def test_bash_completes_values_and_files(self):
        self.assertEqual(self.in_bash("toccata", "impact", "a", "b", "--motion", ""), ["linear", "screw"])
        self.assertEqual(self.in_bash("toccata", "impact", "a", "--motion", "=", "s"), ["screw"])
        self.assertEqual(self.in_bash("toccata", "impact", "a", "--motion", "="), ["linear", "screw"])
        self.assertEqual(self.in_bash("toccata", "demo", "tor"), ["torus_knots"])
        self.assertEqual(self.in_bash("toccata", "completion", ""), ["bash", "zsh", "fish"])
        self.write("part one.stl", "")
        self.assertEqual(self.in_bash("toccata", "distance", "part"), ["part", "one.stl"])
        self.assertEqual(self.in_bash("toccata", "impact", "a", "b", "--to", ""), [])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_it(self):
        script = self.write("_toccata", self.succeed("completion", "zsh"))
        done = subprocess.run(["zsh", "-f", "-c", f"autoload -Uz compinit; compinit -u -D; source {script}; echo $_comps[toccata]"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("_toccata\n", ""))

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes(self):
        script = self.write("toccata.fish", self.succeed("completion", "fish"))

        def offered(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C'{line}'"], capture_output=True,
                                  text=True, cwd=self.folder, timeout=60)
            self.assertEqual(done.stderr, "")
            return [entry.split("\t")[0] for entry in done.stdout.splitlines()]

        self.assertEqual(offered("toccata imp"), ["impact"])
        self.assertEqual(offered("toccata impact --motion "), ["linear", "screw"])
        self.assertIn("--minimum-distance", offered("toccata impact --min"))
        self.assertEqual(offered("toccata demo tor"), ["torus_knots"])

    def test_unknown_shell(self):
        self.assertIn("tcsh", self.refuse("completion", "tcsh"))


class Manual(ProgramTest):
    def test_every_command_and_option_is_in_it(self):
        page = self.succeed("man").replace("\\-", "-")
        listing = self.succeed("--help").split("Subcommands:")[1]
        for command in re.findall(r"^  ([a-z][a-z_-]*) ", listing, re.MULTILINE):
            part = page.split(f"\n.SS toccata {command}")[1].split("\n.SS ")[0]
            for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", self.succeed(command, "--help"), re.MULTILINE):
                self.assertIn(f"\\fB{option}\\fR", part, command)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_it_is_set_without_warnings(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=self.succeed("man"), capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = re.sub("\x1b\\[[0-9;]*m|.\x08", "", done.stdout)
        self.assertIn("toccata impact A B [options]", text)
        self.assertIn("EXIT STATUS", text)


if __name__ == "__main__":
    unittest.main()
