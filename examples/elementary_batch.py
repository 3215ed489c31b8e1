"""A hundred thousand elementary queries at once: which pairs of moving edges meet, and when?"""
import numpy as np

import toccata

rng = np.random.default_rng(0)
start = rng.uniform(-1, 1, size=(100_000, 4, 3))  # a0, a1, b0, b1 of each query
end = rng.uniform(-1, 1, size=(100_000, 4, 3))

batch = toccata.edge_edge_impact(start, end)
print(batch)
first = int(batch.indices[batch.time.argmin()])
print(f"query {first}: {batch[first].status} in [{batch[first].lower:.9f}, {batch[first].upper:.9f}]")
# Output:
# ImpactBatch(100000 queries, 20813 touch, first at t=9.52502e-05)
# query 64701: contact in [0.000095250, 0.000095250]
