"""First contacts of particles and strands, on arrays."""
import numpy as np
import pytest

import toccata


def test_particles_meet_a_box_that_moves():
    box = toccata.box()
    found = toccata.particle_contacts([[2.0, 0, 0], [0, 0, 0.25], [5, 5, 5]], [[2.0, 0, 0], [0, 0, 0.25], [5, 5, 5]], box,
                                      ([0, 0, 0], [3, 0, 0]))
    assert [toccata.STATUSES[s] for s in found.status] == ["contact", "overlap_at_start", "separated"]
    assert found.time[0] <= 0.5 and found.time[0] == pytest.approx(0.5, abs=1e-5)
    assert found.distance[1] == pytest.approx(-0.25)
    np.testing.assert_allclose(found.normal[0], [1, 0, 0], atol=1e-9)
    assert found.touches.tolist() == [True, True, False]
    assert len(found) == 3


def test_fields_and_strands_agree_with_meshes():
    ball = toccata.sphere(0.5)
    field = toccata.DistanceField(ball, error=0.01)
    random = np.random.default_rng(1)
    start, end = random.uniform(-1, 1, (60, 3)), random.uniform(-1, 1, (60, 3))
    motion = ([0, 0, 0], [0.2, 0.1, 0])
    by_mesh = toccata.particle_contacts(start, end, ball, motion)
    by_field = toccata.particle_contacts(start, end, field, motion)
    assert (by_mesh.status == by_field.status).all()
    np.testing.assert_allclose(by_mesh.time, by_field.time, atol=1e-4)
    strands = toccata.particle_contacts(start, end, field, motion, strands=20)
    assert len(strands) == 3
    for i in range(3):  # a strand meets the body no later than its points
        assert strands.time[i] <= by_mesh.time[20 * i : 20 * i + 20].min() + 1e-4
    given = toccata.particle_contacts(start, end, field, motion, strands=[0, 20, 40])
    assert (given.time == strands.time).all()


def test_deforming_mesh():
    box = toccata.box()
    vertices, faces = np.asarray(box.vertices), np.asarray(box.faces)
    found = toccata.particle_contacts([[2.0, 0.1, 0.05]], [[2.0, 0.1, 0.05]], (vertices, vertices + [3, 0, 0], faces))
    assert found.time[0] == pytest.approx(0.5, abs=1e-9)
    np.testing.assert_allclose(np.abs(found.normal[0]), [1, 0, 0], atol=1e-9)


def test_refuses():
    with pytest.raises(ValueError):
        toccata.particle_contacts([[0, 0, 0]], [[0, 0, 0], [1, 1, 1]], toccata.box())
    with pytest.raises(ValueError):
        toccata.particle_contacts([[0, 0, np.nan]], [[0, 0, 0]], toccata.box())
    with pytest.raises(ValueError, match="strands"):
        toccata.particle_contacts(np.zeros((5, 3)), np.zeros((5, 3)), toccata.box(), strands=2)
    with pytest.raises(ValueError, match="band"):
        toccata.DistanceField(toccata.box(), band=-1)


def test_sides_of_a_field():
    field = toccata.DistanceField(toccata.box(), error=0.01, band=0.2)
    assert [toccata.CONTAINMENTS[s] for s in field.side_at([[0, 0, 0.499999], [0, 0, 0.500001]])] == ["inside", "outside"]
