//! Assessment of a tetrahedral mesh: points per wavelength of the basis functions.

use wavefield_mesh::TetrahedralMesh;
use wavefield_numerics::vector::{norm, sub};
use wavefield_solver::assessment::{Assessment, Verdict, significant};

use crate::medium::Medium;
use crate::spec::{NamedVolumeMaterial, Spec, VolumeMaterial};

/// Points per wavelength below which waves disperse visibly, and below which they do not propagate (Nyquist).
const POINTS: [f64; 2] = [4.0, 2.0];

/// Edges of a tetrahedron, as pairs of corners.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Assesses the electrical size of the mesh and the points per wavelength of its coarsest element outside the PML, at the
/// shortest wavelength in vacuum, m.
pub(crate) fn assess(spec: &Spec, mesh: &TetrahedralMesh, wavelength: f64) -> Vec<Assessment> {
    let diagonal = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
    let lengths: Vec<Option<f64>> = (mesh.volume_groups.iter())
        .map(|group| match spec.dgtd.volumes.get(&group.name) {
            Some(VolumeMaterial::Named(NamedVolumeMaterial::Pml)) => None,
            None | Some(VolumeMaterial::Named(NamedVolumeMaterial::Vacuum)) => Some(wavelength),
            Some(VolumeMaterial::Medium(constants)) => {
                Some(wavelength * Medium::of(constants).speed())
            }
        })
        .collect();
    let points_per_edge = (spec.dgtd.order + 1) as f64;
    let points = (mesh.tetrahedra.iter().zip(&mesh.volume_group_of))
        .filter_map(|(corners, &group)| {
            let edge = |[a, b]: [usize; 2]| {
                let [a, b] = [a, b].map(|corner| mesh.points[corners[corner] as usize]);
                norm(sub(a, b))
            };
            let longest = EDGES.into_iter().map(edge).fold(0.0, f64::max);
            Some(points_per_edge * lengths[group as usize]? / longest)
        })
        .fold(f64::INFINITY, f64::min);
    let size = Assessment::new(
        "electrical size",
        format!(
            "{} wavelengths ({} m), PML included",
            significant(diagonal / wavelength),
            significant(diagonal)
        ),
        Verdict::Ok,
        "",
    );
    let resolution = Assessment::new(
        "resolution",
        format!("{} points per wavelength", significant(points)),
        Verdict::at_least(points, POINTS),
        if spec.dgtd.mesh.is_some() {
            "the mesh is too coarse for the wavelength; increase `dgtd.order`, or check `dgtd.mesh.unit` and `frequency`"
        } else {
            "the mesh is too coarse for the wavelength; increase `dgtd.order`, or reduce `mesh_size` of `dgtd.domain` and \
             bodies"
        },
    );
    vec![size, resolution]
}
