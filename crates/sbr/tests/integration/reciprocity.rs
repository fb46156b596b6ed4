//! Reciprocity: monostatic scattering matrices of all bodies are symmetric.

use std::f64::consts::PI;

use wavefield_gpu::{Device, DeviceChoice, Gpu};
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_physics::material::{ComplexNumber, Material, MediumSpec, NamedMaterial};
use wavefield_sbr::{Density, GpuScatterer, LayeredCoating, Scatterer, Scattering};

/// Rounding error of sums of some thousand terms, relative to the largest element of the matrix.
const ROUNDING: f64 = 1e-12;

/// Returns a right-angled corner of 2 wavelengths; `oblique` is the aspect at which S_HV vanished.
fn dihedral() -> Scatterer {
    Scatterer::new(&primitive::dihedral(0.3, 0.3, 0.5 * PI, 0.3).unwrap()).unwrap()
}

const FREQUENCY: f64 = 2e9;

fn oblique() -> Direction {
    Direction::from_degrees(80.0, 30.0)
}

/// Returns a box with an upright and a canted fin on its top, without a plane of symmetry: sharp edges, boundary
/// edges, and up to three reflections.
fn finned_box() -> TriangleMesh {
    let mut body = primitive::cuboid([0.4, 0.2, 0.1], 0.4).unwrap();
    for fin in [
        [
            [-0.1, 0.02, 0.05],
            [0.12, 0.02, 0.05],
            [0.1, 0.02, 0.2],
            [0.0, 0.02, 0.2],
        ],
        [
            [-0.15, -0.04, 0.05],
            [0.05, -0.06, 0.05],
            [0.01, -0.116, 0.15],
            [-0.13, -0.102, 0.15],
        ],
    ] {
        let plate = TriangleMesh::single_group(fin.to_vec(), vec![[0, 1, 2], [0, 2, 3]], "fin");
        body.append(&plate);
    }
    body
}

/// Returns monostatic scattering at two frequencies.
fn back(
    scatter: impl Fn(
        Direction,
        &[Direction],
        &[f64],
        Density,
    ) -> Result<Scattering, wavefield_sbr::Error>,
    from: Direction,
) -> Scattering {
    scatter(
        from,
        &[from],
        &[FREQUENCY, 1.5 * FREQUENCY],
        Density::default(),
    )
    .unwrap()
}

/// Returns |S_VH − S_HV| relative to the largest element.
fn asymmetry(matrix: &ScatteringMatrix) -> f64 {
    let largest = Channel::ALL.map(|channel| matrix.channel(channel).norm());
    (matrix.vh - matrix.hv).norm() / largest.into_iter().fold(f64::MIN_POSITIVE, f64::max)
}

fn is_reciprocal(found: &Scattering) {
    for matrix in &found.matrices {
        assert!(asymmetry(matrix) < ROUNDING, "{matrix:?}");
    }
}

#[test]
fn the_cross_polar_channels_of_an_oblique_dihedral_are_equal() {
    let found = dihedral()
        .monostatic(oblique(), FREQUENCY, Density::default())
        .unwrap();
    assert!(asymmetry(&found) < ROUNDING, "{found:?}");
    // The 3-D method of moments yields −14.65 dBsm; at two wavelengths the error of SBR is a few decibels.
    for channel in [Channel::VH, Channel::HV] {
        assert!(
            (found.dbsm(channel) + 14.65).abs() < 3.0,
            "{}",
            found.dbsm(channel)
        );
    }
}

#[test]
fn edges_and_several_bounces_are_reciprocal_at_every_frequency() {
    let body = Scatterer::with_edges(&finned_box()).unwrap();
    for (theta, phi) in [(60.0, 20.0), (75.0, 130.0), (40.0, 250.0)] {
        let from = Direction::from_degrees(theta, phi);
        let found = back(|a, b, c, d| body.scatter(a, b, c, d), from);
        assert!(found.matrices.iter().all(|m| m.rcs(Channel::VH) > 1e-6));
        is_reciprocal(&found);
    }
}

#[test]
fn coated_bodies_are_reciprocal() {
    let mesh = primitive::dihedral(0.3, 0.3, 0.5 * PI, 0.3).unwrap();
    let absorber = MediumSpec {
        permittivity: ComplexNumber::Complex([16.9, -0.337]),
        permeability: ComplexNumber::Complex([1.45, -1.73]),
        conductivity: None,
    };
    let coating = LayeredCoating {
        layers: vec![(3e-3, Material::Medium(absorber))],
        backing: Material::Named(NamedMaterial::Pec),
    };
    // A coating on one face only: the two paths through the corner differ.
    let of_triangle = mesh.group_of.iter().map(|&group| (group == 0).then_some(0));
    let body = Scatterer::new(&mesh)
        .unwrap()
        .coated(vec![coating], of_triangle.collect())
        .unwrap();
    let found = back(|a, b, c, d| body.scatter(a, b, c, d), oblique());
    assert!(found.matrices.iter().all(|m| m.rcs(Channel::VH) > 1e-6));
    is_reciprocal(&found);
}

#[test]
fn the_gpu_is_reciprocal() {
    let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
    let body = dihedral();
    let on_gpu = GpuScatterer::new(&gpu, &body).unwrap();
    is_reciprocal(&back(|a, b, c, d| on_gpu.scatter(a, b, c, d), oblique()));
}

#[test]
fn co_polar_channels_are_those_of_the_paths_in_one_direction() {
    // At 10⁻¹² rad off backscatter the paths are traced from the source only.
    let from = oblique();
    let beside = Direction::new(from.theta, from.phi + 1e-12);
    let found = dihedral()
        .scatter(from, &[from, beside], &[FREQUENCY], Density::default())
        .unwrap();
    let [both, one] = [found.matrices[0], found.matrices[1]];
    for channel in [Channel::VV, Channel::HH] {
        let change = (both.channel(channel) - one.channel(channel)).norm();
        assert!(change < 1e-9 * both.channel(channel).norm(), "{change}");
    }
    // PEC faces along z: a wave without H_z leaves without it, hence one direction has no S_HV.
    assert!(one.hv.norm() < 1e-9 * one.vh.norm());
    assert!((both.vh - 0.5 * one.vh).norm() < 1e-9 * one.vh.norm());
    assert!((found.asymmetry[0] - 0.5 * one.vh.norm()).abs() < 1e-9 * one.vh.norm());
    assert_eq!(found.asymmetry[1], 0.0);
}

#[test]
fn threads_do_not_change_a_bit_of_the_cross_polar_channels() {
    let body = Scatterer::with_edges(&finned_box()).unwrap();
    let on_threads = |threads: usize| {
        let device = Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap();
        let Device::Cpu(pool) = &device else {
            unreachable!("a CPU device was requested")
        };
        pool.install(|| back(|a, b, c, d| body.scatter(a, b, c, d), oblique()))
    };
    let one = on_threads(1);
    assert_eq!(one, on_threads(2));
    assert_eq!(one, on_threads(3));
}
