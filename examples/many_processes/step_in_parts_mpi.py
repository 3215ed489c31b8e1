"""One large deforming step divided among processes by MPI: each finds the contacts of its part.

mpirun -n 2 /usr/bin/python3 examples/many_processes/step_in_parts_mpi.py [cells]     (Debian: python3-mpi4py, openmpi-bin)
"""
import resource
import sys

import numpy as np

import toccata

try:
    from mpi4py import MPI
except ModuleNotFoundError:
    sys.exit("skipped: there is no mpi4py")

world = MPI.COMM_WORLD
cells = int(sys.argv[1]) if len(sys.argv) > 1 else 100
sheet = toccata.sheet(cells, cells, (1, 1))
# Two sheets, one falling onto the other, which is wavy.
waves = 0.02 * np.sin(40 * sheet.vertices[:, :1]) * np.cos(40 * sheet.vertices[:, 1:2]) * [0, 0, 1]
start = np.concatenate([sheet.vertices + waves, sheet.vertices + [0.3 / cells, 0.4 / cells, 0.03]])
end = start - np.concatenate([np.zeros_like(waves), np.full_like(waves, [0, 0, 0.02])])
faces = np.concatenate([sheet.faces, sheet.faces + len(sheet.vertices)])

scene = toccata.DeformableScene((len(start), faces), threads=1)
scene.update(start, end)
mine = scene.all_contacts(part=(world.rank, world.size), threads=1)
counts = world.gather(len(mine), root=0)
first = world.allreduce(mine.first_time if len(mine) else 1.0, op=MPI.MIN)
most = world.gather(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, root=0)
if world.rank == 0:
    print(f"{len(faces)} triangles, {sum(counts)} contacts in {world.size} parts {counts}, first at t={first:.6f}")
    print(f"memory of each process: {', '.join(f'{m:.0f} MB' for m in most)}", file=sys.stderr)
