"""Batches on processes of this machine: the answers of one process, bit by bit, whatever happens to the workers."""
import contextlib
import errno
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import toccata
from test_robot import URDF
from toccata import _toccata, batch_run, batch_store
from toccata.batch_file import main


def motions(count, seed=1):
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(4), (count, 2, 1, 1))
    poses[:, 0, :3, 3] = rng.normal(size=(count, 3)) + [-4, 0, 0]
    poses[:, 1, :3, 3] = rng.normal(size=(count, 3)) + [4, 0, 0]
    return poses


def workers_of(parent):
    """Process ids of the worker processes."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


class BatchTest(unittest.TestCase):
    def setUp(self):
        self.pair = (toccata.sphere(0.7), toccata.box())
        self.rows = motions(300)
        self.truth = toccata.first_contacts(self.pair[0], self.rows, self.pair[1])

    def same(self, answers, truth=None):
        truth = truth or self.truth
        for name in ("status", "time", "lower", "upper", "point_a", "normal", "triangle_a"):
            np.testing.assert_array_equal(answers[name], getattr(truth, name), err_msg=name)

    def test_bits_do_not_depend_on_workers_or_chunks(self):
        for workers, chunk in ((1, 300), (2, 7), (2, None)):
            answers = toccata.batch("first_contact", self.pair, self.rows, workers=workers, chunk=chunk)
            self.same(answers)
            self.assertEqual(answers.failures, {})
            self.assertEqual(answers.stats.rows, 300)

    def every_column(self, found, truth):
        self.assertGreater(len(found), 1)
        for name in found:
            np.testing.assert_array_equal(found[name], np.asarray(getattr(truth, name)), err_msg=name)

    def test_questions_at_rest_and_closest_approach(self):
        a, b = self.pair
        found = toccata.batch("closest_approach", self.pair, self.rows[:40], workers=1, chunk=11)
        self.every_column(found, toccata.closest_approaches(a, self.rows[:40], b))
        self.assertGreater(np.ptp(found.distance), 0.1)
        poses = self.rows[:50, 0]
        found = toccata.batch("distance", self.pair, {"poses_a": poses}, workers=1, chunk=20)
        self.every_column(found, toccata.distances(a, poses, b))
        self.assertGreater(found.distance.min(), 0.1)
        poses = poses * 0.2 + 0.8 * np.eye(4)
        found = toccata.batch("penetration", self.pair, {"poses_a": poses}, workers=1, chunk=20)
        self.every_column(found, toccata.penetrations(a, poses, b))
        self.assertGreater(found.upper_depth.max(), 0.1)

    def test_rows_choose_their_shapes(self):
        shapes = [toccata.Ball(0.5), toccata.box(), toccata.sphere(1)]
        rng = np.random.default_rng(2)
        a, b = rng.integers(0, 3, size=(2, 60))
        found = toccata.batch("first_contact", shapes, {"motions_a": self.rows[:60], "a": a, "b": b}, workers=2, chunk=16)
        for row in range(60):
            single = toccata.first_contact(shapes[a[row]], toccata.MotionList(self.rows[row:row + 1])[0], shapes[b[row]])
            self.assertEqual(found.time[row], single.time)

    def test_one_shape_is_asked_against_itself(self):
        truth = toccata.first_contacts(self.pair[1], self.rows[:20], self.pair[1])
        for columns in ({}, {"a": np.zeros(20, int)}):  # with one of the columns, the other named a second shape
            answers = toccata.batch("first_contact", [self.pair[1]], {"motions_a": self.rows[:20], **columns}, workers=1)
            self.assertEqual(answers.failures, {})
            self.same(answers, truth)

    def test_steps_of_a_sequence(self):
        sheet = toccata.sheet(6, 6)
        rng = np.random.default_rng(4)
        frames = np.array([sheet.vertices + 0.2 * rng.normal(size=sheet.vertices.shape) for _ in range(6)])
        objects = (len(sheet.vertices), sheet.faces)
        found = toccata.batch("steps", objects, frames, workers=2, chunk=2)
        scene = toccata.DeformableScene(objects)
        for step in range(5):
            scene.update(frames[step], frames[step + 1])
            truth = scene.all_contacts()
            mine = found.contact_row == step
            self.assertEqual(found["count"][step], len(truth))
            np.testing.assert_array_equal(found.contact_first[mine], truth.first)
            np.testing.assert_array_equal(found.contact_lower[mine], truth.lower)

    def test_errors_of_data_are_answers_that_name_the_row(self):
        rows = self.rows.copy()
        rows[[17, 200], 0, 0, 3] = np.nan
        answers = toccata.batch("first_contact", self.pair, rows, workers=1, chunk=64)
        self.assertEqual(sorted(answers.failures), [17, 200])
        self.assertIn("motions_a[0] holds NaN", answers.failures[17])
        self.assertTrue((answers.status[[17, 200]] == toccata.STATUSES.index("failed")).all())
        good = np.setdiff1d(np.arange(300), [17, 200])
        np.testing.assert_array_equal(answers.time[good], self.truth.time[good])
        self.assertTrue(np.isnan(answers.time[17]))

    def test_what_cannot_be_asked_says_why(self):
        def refused(error, text, *arguments, **options):
            with self.assertRaisesRegex(error, text):
                toccata.batch(*arguments, workers=1, **options)

        refused(ValueError, "question must be one of", "contact", self.pair, self.rows)
        refused(TypeError, "'speed' is no option", "first_contact", self.pair, self.rows, speed=1)
        refused(TypeError, "no time limit", "first_contact", self.pair, self.rows, seconds=1)
        refused(ValueError, "no column", "first_contact", self.pair, {"poses": self.rows})
        refused(ValueError, "same length", "first_contact", self.pair, {"motions_a": self.rows, "motions_b": self.rows[:5]})
        refused(ValueError, "row 1 names shape 7", "first_contact", self.pair, {"motions_a": self.rows[:2], "a": [0, 7], "b": [1, 1]})
        refused(ValueError, "one pose", "first_contact", self.pair, np.eye(4))
        refused(TypeError, "Dask Client", "first_contact", self.pair, self.rows, executor=3)
        refused(ValueError, "chunk", "first_contact", self.pair, self.rows, chunk=0)
        refused(ValueError, "chunk", "first_contact", self.pair, self.rows, chunk=True)
        refused(ValueError, "patience", "first_contact", self.pair, self.rows, patience="long")
        # Options are told once, not of every row.
        refused(ValueError, "minimum_distance must be", "first_contact", self.pair, self.rows, minimum_distance=-1)
        refused(ValueError, "minimum_distance must be", "steps", (3, [[0, 1, 2]]), np.zeros((3, 3, 3)), minimum_distance=np.nan)
        for workers in (0, "two"):
            with self.assertRaisesRegex(ValueError, "workers must be a whole number"):
                toccata.batch("first_contact", self.pair, self.rows, workers=workers)

    def test_no_rows(self):
        answers = toccata.batch("first_contact", self.pair, np.zeros((0, 2, 4, 4)), workers=1)
        self.assertEqual((answers.stats.rows, answers.time.shape, answers.point_a.shape), (0, (0,), (0, 3)))
        steps = toccata.batch("steps", (3, [[0, 1, 2]]), np.zeros((1, 3, 3)), workers=1)
        self.assertEqual((steps["count"].shape, steps.contact_point.shape), ((0,), (0, 3)))

    def test_rows_of_which_none_can_be_asked(self):
        answers = toccata.batch("first_contact", self.pair, np.full((5, 2, 4, 4), np.nan), workers=1, chunk=np.int64(2))
        self.assertEqual(sorted(answers.failures), list(range(5)))
        self.assertTrue((answers.status == toccata.STATUSES.index("failed")).all())
        self.assertTrue(np.isnan(answers.time).all() and answers.point_a.shape == (5, 3))

    def test_a_second_run_computes_only_what_is_missing(self):
        with tempfile.TemporaryDirectory() as store:
            first = toccata.batch("first_contact", self.pair, self.rows, workers=1, chunk=64, store=store)
            self.assertEqual((first.stats.computed, first.stats.from_store), (5, 0))
            with mock.patch.object(batch_run.LocalCrew, "greet", side_effect=AssertionError("no worker is needed")):
                again = toccata.batch("first_contact", self.pair, self.rows, workers=1, store=store)
            self.assertEqual((again.stats.computed, again.stats.from_store), (0, 5))
            self.same(again)
            # More rows: only the new ones, and the chunk that was not full.
            more = motions(40, seed=9)
            longer = toccata.batch("first_contact", self.pair, np.concatenate([self.rows, more]), workers=1, store=store)
            self.assertEqual((longer.stats.computed, longer.stats.from_store), (2, 4))
            # Other options, another shape under the same name: nothing of it is taken for the answer.
            other = toccata.batch("first_contact", self.pair, self.rows, workers=1, store=store, chunk=64, minimum_distance=0.1)
            self.assertEqual(other.stats.from_store, 0)
            changed = (toccata.sphere(0.7000001), self.pair[1])
            answers = toccata.batch("first_contact", changed, self.rows, workers=1, store=store, chunk=64)
            self.assertEqual(answers.stats.from_store, 0)
            self.same(answers, toccata.first_contacts(changed[0], self.rows, changed[1]))

    def test_damaged_files_of_the_store_are_computed_again(self):
        with tempfile.TemporaryDirectory() as store:
            toccata.batch("first_contact", self.pair, self.rows, workers=1, chunk=100, store=store)
            files = sorted(Path(store).glob("chunks/*/*.npz"))
            self.assertEqual(len(files), 3)
            files[0].write_bytes(files[0].read_bytes()[:-30])  # cut off
            damaged = bytearray(files[1].read_bytes())
            damaged[len(damaged) // 2] ^= 1
            files[1].write_bytes(damaged)
            files[2].write_bytes(b"")
            for thing in Path(store).glob("things/*"):
                thing.write_bytes(b"something else")
            answers = toccata.batch("first_contact", self.pair, self.rows, workers=1, store=store)
            self.assertEqual(answers.stats.computed, 3)
            self.assertEqual(len(answers.stats.refused), 3)
            self.same(answers)

    def test_killed_at_any_moment_of_a_write(self):
        """Whatever call of a write is the last one of the process, and after whichever byte, there is a whole file or none."""
        columns = {"time": np.arange(5.0)}
        with tempfile.TemporaryDirectory() as folder:
            batch_store.Store(folder).save("ab" * 32, columns, {3: "why"})
            size = next(Path(folder).glob("chunks/*/*.npz")).stat().st_size
        bytes_written = np.unique(np.linspace(0, size, 24).astype(int)).tolist()
        for fatal in ("open", "fsync", "replace", "never", *bytes_written):
            with tempfile.TemporaryDirectory() as folder:
                child = os.fork()
                if child == 0:
                    die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
                    if fatal == "open":
                        batch_store.open = die
                    elif isinstance(fatal, int):
                        real = open

                        def part(path, mode):
                            file = real(path, mode)

                            class Part:
                                def __enter__(self):
                                    return self

                                def __exit__(self, *_):
                                    return None

                                def write(self, content):
                                    file.write(bytes(content)[:fatal])
                                    file.flush()
                                    die()
                            return Part()
                        batch_store.open = part
                    elif fatal != "never":
                        setattr(os, fatal, die)
                    batch_store.Store(folder).save("ab" * 32, columns, {3: "why"})
                    os._exit(0)
                _, status = os.waitpid(child, 0)
                self.assertEqual(os.WIFSIGNALED(status), fatal != "never")
                store = batch_store.Store(folder)
                found = store.load("ab" * 32)
                self.assertEqual(store.refused, [])
                if fatal == "never":
                    np.testing.assert_array_equal(found[0]["time"], columns["time"])
                    self.assertEqual(found[1], {3: "why"})
                else:
                    self.assertIsNone(found)

    def test_a_store_that_cannot_be_written_says_so_and_a_whole_one_need_not_be(self):
        with tempfile.TemporaryDirectory() as folder:
            full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # which, as the system tells it, names no file
            with mock.patch("os.fsync", side_effect=full), self.assertRaises(OSError) as raised:
                toccata.batch("first_contact", self.pair, self.rows, workers=1, chunk=100, store=folder)
            self.assertTrue(str(raised.exception.filename).startswith(folder))
            self.assertIn("No space left", str(raised.exception))
            self.assertEqual([path for path in Path(folder).rglob("*") if path.is_file()], [])
            toccata.batch("first_contact", self.pair, self.rows, workers=1, chunk=100, store=folder)
            with mock.patch("os.fsync", side_effect=full):  # all is there: nothing is written
                answers = toccata.batch("first_contact", self.pair, self.rows, workers=1, chunk=100, store=folder)
            self.assertEqual(answers.stats.computed, 0)
            self.same(answers)

    def test_killed_workers_are_replaced(self):
        rows = motions(4000)
        pair = self.pair
        truth = toccata.first_contacts(pair[0], rows, pair[1])
        killed = []

        def kill(done, _):
            if done in (2, 9) and len(killed) < 4:
                for pid in workers_of(os.getpid()):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)

        answers = toccata.batch("first_contact", pair, rows, workers=2, chunk=100, progress=kill)
        self.assertGreaterEqual(len(killed), 2)
        self.same(answers, truth)
        self.assertEqual(answers.failures, {})

    def test_a_row_that_kills_its_worker_is_found_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            # A module that the workers load before the package, in which one row is deadly.
            Path(folder, "sitecustomize.py").write_text(
                "import os, sys\n"
                "def poison():\n"
                "    import toccata.batch_worker as worker\n"
                "    real = worker.answered\n"
                "    def answered(question, subject, rows, options):\n"
                "        if (rows['motions_a'][:, 0, 0, 3] == 1234.5).any(): os.kill(os.getpid(), 11)\n"
                "        return real(question, subject, rows, options)\n"
                "    worker.answered = answered\n"
                "import multiprocessing.spawn as spawn\n"
                "real_main = spawn._main\n"
                "def _main(*arguments):\n"
                "    poison()\n"
                "    return real_main(*arguments)\n"
                "spawn._main = _main\n")
            rows = self.rows.copy()
            rows[77, 0, 0, 3] = 1234.5
            path = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
            with mock.patch.dict(os.environ, {"PYTHONPATH": path}):
                answers = toccata.batch("first_contact", self.pair, rows, workers=2, chunk=16)
            self.assertEqual(list(answers.failures), [77])
            self.assertIn("SIGSEGV", answers.failures[77])
            good = np.setdiff1d(np.arange(300), [77])
            np.testing.assert_array_equal(answers.time[good], self.truth.time[good])

    def test_the_whole_run_killed_and_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "run.py")
            np.save(Path(folder, "rows.npy"), self.rows)
            script.write_text(  # without any guard: workers do not run it again
                "import numpy as np, os, toccata\n"
                "def stop(done, count):\n"
                "    if done == 3: os.kill(os.getpid(), 9)\n"
                "toccata.batch('first_contact', (toccata.sphere(0.7), toccata.box()), np.load('rows.npy'), workers=1,\n"
                "              chunk=30, store='kept', progress=stop)\n")
            orphans = set(workers_of(1))  # of others
            ended = subprocess.run([sys.executable, str(script)], cwd=folder)
            self.assertEqual(ended.returncode, -9)
            answers = toccata.batch("first_contact", self.pair, self.rows, workers=1, store=Path(folder, "kept"))
            self.assertEqual((answers.stats.from_store, answers.stats.computed), (3, 7))
            self.same(answers)
            deadline = time.monotonic() + 20  # nobody is left behind
            while set(workers_of(1)) - orphans and time.monotonic() < deadline:
                time.sleep(0.2)
            self.assertEqual(set(workers_of(1)) - orphans, set())

    def test_another_version_is_refused(self):
        from toccata import batch_crew, batch_worker
        with self.assertRaisesRegex(batch_worker.VersionMismatch, "toccata .* the client 9.9"):
            batch_worker.hello("9.9")
        with mock.patch.object(batch_crew, "__version__", "9.9"):
            with self.assertRaisesRegex(batch_worker.VersionMismatch, "install the same version"):
                toccata.batch("first_contact", self.pair, self.rows, workers=1)
        self.assertNotEqual(batch_store.key_of("1.0"), batch_store.key_of("1.1"))

    def test_progress_and_measured_chunks(self):
        seen = []
        answers = toccata.batch("first_contact", self.pair, self.rows, workers=1, progress=lambda *s: seen.append(s))
        self.assertEqual(seen[0][0], 0)
        self.assertEqual(seen[-1], (answers.stats.chunks, answers.stats.chunks))
        with contextlib.redirect_stderr(io.StringIO()) as text:
            toccata.batch("first_contact", self.pair, self.rows[:20], workers=1, chunk=10, progress=True)
        self.assertIn("2 of 2 chunks", text.getvalue())


@unittest.skipUnless(_toccata.has_robots, "built without robots")
class RobotBatchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        Path(self.folder, "bars.urdf").write_text(URDF)
        Path(self.folder, "posts.txt").write_text("box 0.1 0.1 1 0 1.5 0 0 0 0 1\nbox 0.1 0.1 1 1.1 -0.9 0 0 0 0 1\n")
        self.case = {"urdf": self.folder / "bars.urdf", "scene": self.folder / "posts.txt"}
        rng = np.random.default_rng(5)
        self.starts, self.ends = rng.uniform(-2.5, 2.5, size=(2, 70, 2))

    def truth(self, **options):
        robot = toccata.Robot(self.folder / "bars.urdf")
        return robot.edges(self.starts, self.ends, str(self.folder / "posts.txt"), **options)

    def asked(self, **options):
        return toccata.batch("robot_edges", self.case, {"starts": self.starts, "ends": self.ends}, chunk=16, **options)

    def test_edges_are_those_of_the_robot(self):
        for options in ({}, {"any_contact": False}, {"minimum_distance": 0.2}):
            truth, found = self.truth(**options), self.asked(workers=2, **options)
            self.assertEqual(set(np.unique(truth.status).tolist()) - {0, 1, 2}, set())
            self.assertTrue(5 < truth.free.sum() < 65)
            for name in found:
                np.testing.assert_array_equal(found[name], np.asarray(getattr(truth, name)), err_msg=name)

    def test_names_are_kept_as_codes_and_come_back_as_they_were(self):
        with tempfile.TemporaryDirectory() as store:
            first, again = self.asked(workers=1, store=store), self.asked(workers=1, store=store)
            self.assertEqual(again.stats.computed, 0)
            for name in first:
                self.assertEqual(first[name].dtype, again[name].dtype)
                np.testing.assert_array_equal(first[name], again[name])
            with np.load(next(Path(store, "chunks").rglob("*.npz"))) as kept:
                self.assertEqual((kept["link_a"].dtype, kept["link_b"].dtype), (np.uint8, np.uint8))

    def test_a_row_that_is_none_is_named(self):
        truth = self.truth()
        self.starts[33, 1] = np.nan
        found = self.asked(workers=1)
        self.assertEqual(list(found.failures), [33])
        self.assertIn("finite", found.failures[33])
        good = np.setdiff1d(np.arange(70), [33])
        np.testing.assert_array_equal(found.time[good], truth.time[good])
        self.assertEqual(found.link_a[33], "")

    def test_a_scene_that_changes_under_its_name(self):
        with tempfile.TemporaryDirectory() as store:
            self.asked(workers=1, store=store)
            self.assertEqual(self.asked(workers=1, store=store).stats.computed, 0)
            real = batch_run.LocalCrew.greet

            def changed(crew):
                Path(self.folder, "posts.txt").write_text("box 0.1 0.1 1 0 1.6 0 0 0 0 1\n")
                return real(crew)

            # After the client has read it, before the worker does.
            with mock.patch.object(batch_run.LocalCrew, "greet", changed):
                with self.assertRaisesRegex(toccata.ChangedContent, "bars.urdf has not the content"):
                    self.asked(workers=1)
            again = self.asked(workers=1, store=store)
            self.assertEqual(again.stats.from_store, 0)
            np.testing.assert_array_equal(again.time, self.truth().time)


class BatchFileTest(unittest.TestCase):
    def run_file(self, folder, text, *arguments):
        Path(folder, "batch.toml").write_text(text)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(Path(folder, "batch.toml")), "--quiet", *arguments])
        return code, out.getvalue(), err.getvalue()

    @unittest.skipIf(sys.version_info < (3, 11), "needs tomllib")
    def test_a_batch_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = motions(50)
            rows[7, 0, 1, 3] = np.nan
            np.savez(Path(folder, "rows.npz"), motions_a=rows)
            np.save(Path(folder, "good.npy"), motions(50))
            toccata.save(Path(folder, "a.off"), toccata.box())
            toccata.box().save(Path(folder, "b.shape"))
            text = 'question = "first_contact"\nshapes = ["a.off", "b.shape"]\nrows = "rows.npz"\nstore = "kept"\n'
            code, out, err = self.run_file(folder, text + 'output = "out.npz"\n', "--workers", "1")
            self.assertEqual(code, 1)
            self.assertIn("50 rows", out)
            self.assertIn("row 7:", err)
            with np.load(Path(folder, "out.npz")) as found:
                self.assertEqual(found["failure_row"].tolist(), [7])
                self.assertEqual(len(found["time"]), 50)
            code, out, err = self.run_file(folder, text + 'output = "out.npz"\n', "--workers", "1")
            self.assertEqual(code, 2)
            self.assertIn("--force", err)
            good = text.replace('"rows.npz"', '{ motions_a = "good.npy" }').replace("first_contact", "closest_approach")
            code, out, err = self.run_file(folder, good + 'output = "out.csv"\n', "--workers", "1")
            self.assertEqual((code, err), (0, ""))
            lines = Path(folder, "out.csv").read_text().splitlines()
            self.assertEqual(len(lines), 51)
            self.assertTrue(lines[0].startswith("row,status,"))

    @unittest.skipIf(sys.version_info < (3, 11), "needs tomllib")
    def test_what_is_wrong_with_a_file_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = 'question = "distance"\nshapes = ["a.off"]\nrows = "r.npy"\noutput = "o.npz"\n'
            for text, why in (("question = ", "Invalid"), (whole.replace("distance", "love"), "one of"),
                              (whole.replace("rows", "lines"), "'lines' is nothing"), (whole, "a.off"),
                              (whole.replace("o.npz", "o.txt"), ".npz or .csv"),
                              ('question = "steps"\nrows = "r.npy"\noutput = "o.npz"\n', "needs 'mesh'")):
                code, out, err = self.run_file(folder, text)
                self.assertEqual(code, 2, text)
                self.assertIn(why, err)
            # Told before anything is computed.
            toccata.save(Path(folder, "a.off"), toccata.box())
            np.save(Path(folder, "r.npy"), np.zeros((5, 9)))
            code, out, err = self.run_file(folder, whole.replace("o.npz", "nowhere/o.npz"))
            self.assertEqual((code, "nowhere/o.npz: cannot be written" in err), (2, True), err)
            code, out, err = self.run_file(folder, whole)
            self.assertEqual((code, "(5, 9)" in err), (2, True), err)


if __name__ == "__main__":
    unittest.main()
