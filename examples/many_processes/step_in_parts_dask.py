"""One large deforming step divided among Dask workers: each finds the contacts of its part.

/usr/bin/python3 examples/many_processes/step_in_parts_dask.py [cells]     (Debian: python3-distributed)
"""
import sys

import numpy as np

import toccata

try:
    import distributed
except ModuleNotFoundError:
    sys.exit("skipped: there is no Dask")

PARTS = 4
cells = int(sys.argv[1]) if len(sys.argv) > 1 else 100


def step():
    sheet = toccata.sheet(cells, cells, (1, 1))
    waves = 0.02 * np.sin(40 * sheet.vertices[:, :1]) * np.cos(40 * sheet.vertices[:, 1:2]) * [0, 0, 1]
    start = np.concatenate([sheet.vertices + waves, sheet.vertices + [0.3 / cells, 0.4 / cells, 0.03]])
    end = start - np.concatenate([np.zeros_like(waves), np.full_like(waves, [0, 0, 0.02])])
    return start, end, np.concatenate([sheet.faces, sheet.faces + len(sheet.vertices)])


def contacts_of_part(index):
    start, end, faces = step()  # a real one would read it from a file that all workers see
    return toccata.ccd(start, end, faces, part=(index, PARTS), threads=1)


if __name__ == "__main__":
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        parts = client.gather(client.map(contacts_of_part, range(PARTS)))
    pairs = np.concatenate([np.stack([p.kind, p.first, p.second], axis=1) for p in parts])
    assert len(np.unique(pairs, axis=0)) == len(pairs)  # each contact once
    first = min(p.first_time for p in parts if len(p))
    print(f"{len(pairs)} contacts in {PARTS} parts, first at t={first:.6f}")
