"""One large deforming step divided among Dask workers: each finds the contacts of its part.

/usr/bin/python3 examples/many_processes/step_in_parts_dask.py [cells]     (Debian: python3-distributed)
"""
import sys
from pathlib import Path

import numpy as np

import toccata

try:
    import distributed
except ModuleNotFoundError:
    sys.exit("skipped: there is no Dask")

PARTS = 4


def contacts_of_part(folder, cells, index):
    sys.path.insert(0, folder)
    from moving_sheets import moving_sheets

    # A real one would read the step from a file that all workers see.
    return toccata.ccd(*moving_sheets(cells), part=(index, PARTS), threads=1)


if __name__ == "__main__":
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    folder = str(Path(__file__).resolve().parent)
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        parts = client.gather([client.submit(contacts_of_part, folder, cells, index) for index in range(PARTS)])
    pairs = np.concatenate([np.stack([p.kind, p.first, p.second], axis=1) for p in parts])
    assert len(np.unique(pairs, axis=0)) == len(pairs)  # each contact once
    first = min(p.first_time for p in parts if len(p))
    print(f"{len(pairs)} contacts in {PARTS} parts, first at t={first:.6f}")
