"""One step in parts, as the examples divide it among processes: by MPI and by Dask, each where it is installed.

usage: PYTHONPATH=FOLDER_WITH_TOCCATA /usr/bin/python3 test_parts.py     (with neither: skipped)
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "many_processes"
CELLS = "24"
HAS_MPI = shutil.which("mpirun") is not None and importlib.util.find_spec("mpi4py") is not None
HAS_DASK = importlib.util.find_spec("distributed") is not None


def told(command, name):
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    ended = subprocess.run([*command, sys.executable, "-B", str(EXAMPLES / name), CELLS], capture_output=True, text=True,
                           timeout=120, env={**os.environ, **root})
    if ended.returncode != 0:
        raise AssertionError(ended.stdout + ended.stderr)
    return int(re.search(r"(\d+) contacts", ended.stdout)[1]), re.search(r"first at t=([0-9.]+)", ended.stdout)[1]


class PartsTest(unittest.TestCase):
    def whole(self):
        """The same step in one process, as one part."""
        import importlib.machinery

        loader = importlib.machinery.SourceFileLoader("step_of_example", str(EXAMPLES / "moving_sheets.py"))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("step_of_example", loader))
        loader.exec_module(module)
        import toccata
        found = toccata.ccd(*module.moving_sheets(int(CELLS)))
        return len(found), f"{found.first_time:.6f}"

    @unittest.skipUnless(HAS_MPI, "there is no MPI")
    def test_mpi(self):
        self.assertEqual(told(["mpirun", "--oversubscribe", "-n", "3"], "step_in_parts_mpi.py"), self.whole())

    @unittest.skipUnless(HAS_DASK, "there is no Dask")
    def test_dask(self):
        self.assertEqual(told([], "step_in_parts_dask.py"), self.whole())


if __name__ == "__main__":
    if not HAS_MPI and not HAS_DASK:
        print("skipped: there is neither MPI nor Dask")
        sys.exit(77)
    unittest.main()
