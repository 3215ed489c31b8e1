"""The step that the examples of this folder divide: two sheets of triangles, one falling onto the other, which is wavy."""
import numpy as np

import toccata


def moving_sheets(cells):
    """Vertices at both ends of the step, and faces: 4 * cells^2 of them."""
    sheet = toccata.sheet(cells, cells, (1, 1))
    v = sheet.vertices
    count = len(v)
    start = np.empty((2 * count, 3))
    start[:count], start[count:] = v, v + [0.3 / cells, 0.4 / cells, 0.03]
    start[:count, 2] += 0.02 * np.sin(40 * v[:, 0]) * np.cos(40 * v[:, 1])
    end = start.copy()
    end[count:, 2] -= 0.02
    return start, end, np.concatenate([sheet.faces, sheet.faces + count])
