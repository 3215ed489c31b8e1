"""One large deforming step divided among processes by MPI: each finds the contacts of its part.

mpirun -n 2 /usr/bin/python3 examples/many_processes/step_in_parts_mpi.py [cells]     (Debian: python3-mpi4py, openmpi-bin)
"""
import resource
import sys
import time

from moving_sheets import moving_sheets

import toccata

try:
    from mpi4py import MPI
except ModuleNotFoundError:
    sys.exit("skipped: there is no mpi4py")

world = MPI.COMM_WORLD
cells = int(sys.argv[1]) if len(sys.argv) > 1 else 100
start, end, faces = moving_sheets(cells)
scene = toccata.DeformableScene((len(start), faces), threads=1)
scene.update(start, end)
mine = scene.all_contacts(part=(world.rank, world.size), threads=1)
counts = world.gather(len(mine), root=0)
first = world.allreduce(mine.first_time if len(mine) else 1.0, op=MPI.MIN)
taken = world.gather((time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024), root=0)
if world.rank == 0:
    print(f"{len(faces)} triangles, {sum(counts)} contacts in {world.size} parts {counts}, first at t={first:.6f}")
    each = ", ".join(f"{megabytes:.0f} MB, {seconds:.0f} s" for seconds, megabytes in taken)
    print(f"memory and CPU time of each process: {each}", file=sys.stderr)
