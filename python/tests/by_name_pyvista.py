"""Meshes in PyVista, which is too large for every change: pytest python/tests/by_name_pyvista.py."""

import numpy as np
import pyvista

import wavefield as wf


def test_a_surface_is_a_mesh_with_cell_data():
    problem = wf.mom3d.problem(
        [{"geometry": {"shape": "plate", "width": 0.2, "height": 0.1}, "material": "pec"}],
        frequency=1e9,
        incidence_theta_deg=0,
        incidence_phi_deg=0,
    )
    result = wf.run(problem, progress=False)
    mesh = result.to_pyvista()
    assert isinstance(mesh, pyvista.PolyData) and mesh.n_cells == len(result["mesh/triangles"])
    np.testing.assert_allclose(mesh.area, 0.02)
    np.testing.assert_array_equal(mesh.cell_data["current/v.real"], result["current/v"].real)
