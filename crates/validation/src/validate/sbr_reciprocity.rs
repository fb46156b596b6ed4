//! Case `sbr/reciprocity`: symmetry of monostatic scattering matrices.

use std::f64::consts::{FRAC_PI_2, TAU};

use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_mom3d as mom3d;
use wavefield_numerics::observe::Silent;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_sbr::{Density, Scatterer, Scattering};
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

use super::noise;
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Number of aspects of every body.
const ASPECTS: usize = 20;
/// Frequency in Hz, and the side of the corner reflectors in meters: two wavelengths.
const FREQUENCY: f64 = 2e9;
const SIDE: f64 = 0.3;
/// Aspect at which the dihedral is compared with the method of moments, degrees.
const OBLIQUE: [f64; 2] = [80.0, 30.0];

pub(super) fn cases() -> Vec<Case> {
    vec![Case::new(
        "sbr/reciprocity",
        "reciprocity, S_VH compared with S_HV, of a dihedral, a trihedral, and a finned box with edge diffraction at 20 random aspects each; cross-polar level of the dihedral compared with the 3-D method of moments",
        measure,
    )
    .limits([
        // Rounding of sums over the ray paths, with a margin for bodies with many more.
        ("error", Limit::AtMost(1e-9)),
        // Galerkin testing makes the EFIE matrix symmetric up to its quadrature: any asymmetry here is in the
        // definition of V and H, not in the current.
        ("mom_error", Limit::AtMost(1e-6)),
    ])]
}

fn measure() -> Result<Measured, Error> {
    let shape = |error: primitive::PrimitiveError| Error::runtime(error.to_string());
    let dihedral = primitive::dihedral(SIDE, SIDE, FRAC_PI_2, SIDE).map_err(shape)?;
    let trihedral = primitive::triangular_trihedral(SIDE, SIDE).map_err(shape)?;
    let finned = finned_box().map_err(shape)?;
    let mut worst = Asymmetry::default();
    for (first, mesh) in [&dihedral, &trihedral, &finned].into_iter().enumerate() {
        worst.see(&Scatterer::with_edges(mesh)?, first * ASPECTS)?;
    }
    let exact = dihedral_by_moments()?;
    let [theta, phi] = OBLIQUE;
    let from = Direction::from_degrees(theta, phi);
    let found = [
        Scatterer::new(&dihedral)?,
        Scatterer::with_edges(&dihedral)?,
    ]
    .map(|body| body.monostatic(from, FREQUENCY, Density::default()));
    let [facets, edges] = found;
    let (facets, edges) = (facets?.dbsm(Channel::VH), edges?.dbsm(Channel::VH));
    let level = exact.dbsm(Channel::VH);
    Ok([
        ("error", worst.monostatic.value()),
        ("path_direction_difference", worst.of_paths.value()),
        ("bistatic_difference", worst.bistatic.value()),
        ("cross_polar_dbsm", facets),
        ("cross_polar_mom_dbsm", level),
        ("cross_polar_error_db", facets - level),
        ("cross_polar_error_with_edges_db", edges - level),
        ("mom_error", (exact.vh - exact.hv).norm() / largest(&exact)),
    ]
    .into())
}

/// Largest asymmetries, each relative to the peak of its body.
#[derive(Default)]
struct Asymmetry {
    /// |S_VH − S_HV| of monostatic matrices.
    monostatic: Worst,
    /// ½|S_VH − S_HV| of the forward paths.
    of_paths: Worst,
    /// |S_pq(a → b) − S_qp(b → a)|.
    bistatic: Worst,
}

impl Asymmetry {
    /// Adds a body observed from random aspects, each monostatically and from the previous and next aspect.
    fn see(&mut self, body: &Scatterer, first: usize) -> Result<(), Error> {
        let aspect = |number: usize| random_direction(first + number % ASPECTS);
        let found: Vec<Scattering> = (0..ASPECTS)
            .map(|number| {
                let [before, from, after] = [ASPECTS - 1, 0, 1].map(|step| aspect(number + step));
                let to = [from, before, after];
                body.scatter(from, &to, &[FREQUENCY], Density::default())
            })
            .collect::<Result<_, _>>()?;
        let peak = |places: &[usize]| {
            let matrices = found.iter().flat_map(|one| {
                places
                    .iter()
                    .map(move |&place| largest(&one.matrices[place]))
            });
            matrices.fold(f64::MIN_POSITIVE, f64::max)
        };
        let (monostatic, bistatic) = (peak(&[0]), peak(&[1, 2]));
        for (number, one) in found.iter().enumerate() {
            let back = &one.matrices[0];
            self.monostatic.see((back.vh - back.hv).norm() / monostatic);
            self.of_paths.see(one.asymmetry[0] / monostatic);
            let there = &one.matrices[2];
            let reversed = &found[(number + 1) % ASPECTS].matrices[1];
            for (a, b) in [
                (there.vv, reversed.vv),
                (there.vh, reversed.hv),
                (there.hv, reversed.vh),
                (there.hh, reversed.hh),
            ] {
                self.bistatic.see((a - b).norm() / bistatic);
            }
        }
        Ok(())
    }
}

/// Returns a direction uniform over the sphere.
fn random_direction(number: usize) -> Direction {
    let [height, turn] = [0, 1].map(|part| noise(2 * number + part));
    Direction::new((2.0 * height).acos(), TAU * turn)
}

/// Returns the largest |S| of a matrix.
fn largest(matrix: &ScatteringMatrix) -> f64 {
    let each = Channel::ALL.map(|channel| matrix.channel(channel).norm());
    each.into_iter().fold(f64::MIN_POSITIVE, f64::max)
}

/// Returns a box with an upright and a canted fin on top, without a plane of symmetry: sharp edges, rims, and up to
/// three bounces.
fn finned_box() -> Result<TriangleMesh, primitive::PrimitiveError> {
    let mut body = primitive::cuboid([0.4, 0.2, 0.1], 0.4)?;
    let upright = [
        [-0.1, 0.02, 0.05],
        [0.12, 0.02, 0.05],
        [0.1, 0.02, 0.2],
        [0.0, 0.02, 0.2],
    ];
    // Trapezoid: its upper side is parallel to its base.
    let canted = [
        [-0.15, -0.04, 0.05],
        [0.05, -0.06, 0.05],
        [0.01, -0.116, 0.15],
        [-0.13, -0.102, 0.15],
    ];
    for fin in [upright, canted] {
        let plate = TriangleMesh::single_group(fin.to_vec(), vec![[0, 1, 2], [0, 2, 3]], "fin");
        body.append(&plate);
    }
    Ok(body)
}

/// Solves the dihedral at its oblique aspect by the EFIE with edge length λ/10.
fn dihedral_by_moments() -> Result<ScatteringMatrix, Error> {
    let [theta, phi] = OBLIQUE;
    let side = Length::Meters(SIDE);
    let spec = mom3d::Spec::new(
        Frequency(FREQUENCY),
        Body::pec(Geometry::dihedral(side, side)),
        Excitation::plane_wave(Sweep::degree(theta), Sweep::degree(phi)),
        Observation::Monostatic,
    );
    let solution = mom3d::Plan::new(&spec, None)?.execute(&Silent)?;
    let first = solution.matrices.first().copied();
    first.ok_or_else(|| Error::runtime("the monostatic run has no result".to_owned()))
}
