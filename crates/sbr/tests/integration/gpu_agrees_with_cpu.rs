//! Far field of the GPU compared with the CPU.

use std::f64::consts::PI;

use wavefield_gpu::Gpu;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_sbr::gpu::Arithmetic;
use wavefield_sbr::{Density, GpuScatterer, Scatterer, Scattering};

/// Maximum difference of 0.01 dB within this dynamic range of the peak.
const MAX_DB: f64 = 0.01;
const WITHIN_DB: f64 = 40.0;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Returns the formats of sufficient accuracy that the GPU supports.
fn arithmetics(gpu: &Gpu) -> Vec<Arithmetic> {
    let double = gpu.capabilities().f64.then_some(Arithmetic::Double);
    double
        .into_iter()
        .chain([Arithmetic::DoubleFloat])
        .collect()
}

const CHANNELS: [Channel; 4] = [Channel::VV, Channel::VH, Channel::HV, Channel::HH];

/// Returns the maximum differences of level in decibels and of phase in radians between two sets of results
/// within 40 dB of the peak.
fn apart(found: &[ScatteringMatrix], wanted: &[ScatteringMatrix]) -> (f64, f64) {
    assert_eq!(found.len(), wanted.len());
    let all = || wanted.iter().zip(found);
    let values = all().flat_map(|(w, f)| CHANNELS.map(|c| (w.channel(c), f.channel(c))));
    let values: Vec<_> = values.collect();
    let peak = values.iter().map(|(w, _)| w.norm()).fold(0.0, f64::max);
    let floor = peak * 10_f64.powf(-WITHIN_DB / 20.0);
    let (mut level, mut phase) = (0.0_f64, 0.0_f64);
    for (wanted, found) in values.iter().filter(|(w, _)| w.norm() > floor) {
        let ratio = found / wanted;
        // NaN must not pass the comparison.
        assert!(ratio.norm().is_finite());
        level = level.max((20.0 * ratio.norm().log10()).abs());
        phase = phase.max(ratio.arg().abs());
    }
    (level, phase)
}

struct Sweep {
    mesh: TriangleMesh,
    from: Vec<Direction>,
    /// Bistatic directions, or none for backscatter.
    to: Vec<Direction>,
    frequencies: Vec<f64>,
    density: Density,
    edges: bool,
}

impl Sweep {
    fn run(
        &self,
        scatter: impl Fn(
            Direction,
            &[Direction],
            &[f64],
            Density,
        ) -> Result<Scattering, wavefield_sbr::Error>,
    ) -> (Vec<ScatteringMatrix>, u64, u64) {
        let (mut matrices, mut rays, mut unfinished) = (Vec::new(), 0, 0);
        for &from in &self.from {
            let mut to = vec![from];
            to.extend(&self.to);
            let part = scatter(from, &to, &self.frequencies, self.density).unwrap();
            matrices.extend(part.matrices);
            rays += part.rays;
            unfinished += part.unfinished;
        }
        (matrices, rays, unfinished)
    }

    /// Returns the maximum differences in decibels and radians for each format.
    fn compare(&self, gpu: &Gpu, arithmetics: &[Arithmetic]) -> Vec<(f64, f64)> {
        let body = if self.edges {
            Scatterer::with_edges(&self.mesh).unwrap()
        } else {
            Scatterer::new(&self.mesh).unwrap()
        };
        let wanted = self.run(|from, to, at, density| body.scatter(from, to, at, density));
        let one = |&arithmetic: &Arithmetic| {
            let on_gpu = GpuScatterer::with_arithmetic(gpu, &body, arithmetic).unwrap();
            let found = self.run(|from, to, at, density| on_gpu.scatter(from, to, at, density));
            let (level, phase) = apart(&found.0, &wanted.0);
            let [rays, undecided] = on_gpu.tracer().traced();
            println!(
                "{arithmetic:?}: {level:.2e} dB, {phase:.2e} rad, {rays} rays, {undecided} traced on the CPU"
            );
            // Equal hits imply equal tubes and pieces.
            assert_eq!((found.1, found.2), (wanted.1, wanted.2), "{arithmetic:?}");
            assert_eq!(rays, wanted.1, "every ray is traced on the GPU");
            (level, phase)
        };
        arithmetics.iter().map(one).collect()
    }

    fn agrees(&self) {
        let gpu = gpu();
        for (level, phase) in self.compare(&gpu, &arithmetics(&gpu)) {
            assert!(level <= MAX_DB, "{level} dB");
            // Phase error equivalent to 0.01 dB.
            assert!(phase <= 1.2e-3, "{phase} rad");
        }
    }
}

fn degrees(theta: f64, phis: impl IntoIterator<Item = f64>) -> Vec<Direction> {
    let phis = phis.into_iter();
    phis.map(|phi| Direction::from_degrees(theta, phi))
        .collect()
}

#[test]
fn a_plate_on_an_even_grid() {
    let sweep = Sweep {
        mesh: primitive::plate(0.5, 0.3, 1.0).unwrap(),
        from: (0..4)
            .map(|i| Direction::from_degrees(14.0 * f64::from(i), 20.0))
            .collect(),
        to: Vec::new(),
        frequencies: vec![3e9],
        density: Density::even(0.2),
        edges: true,
    };
    sweep.agrees();
}

#[test]
fn a_trihedral_with_divided_cells_at_two_frequencies_and_to_its_sides() {
    let sweep = Sweep {
        mesh: primitive::triangular_trihedral(0.5, 1.0).unwrap(),
        from: degrees(54.7, [25.0, 45.0]),
        to: degrees(70.0, [20.0, 60.0]),
        frequencies: vec![4e9, 6e9],
        density: Density::default(),
        edges: true,
    };
    sweep.agrees();
}

#[test]
fn a_dihedral_across_its_opening() {
    let sweep = Sweep {
        mesh: primitive::dihedral(0.4, 0.4, 0.5 * PI, 0.2).unwrap(),
        from: degrees(90.0, [-36.0, 0.0, 24.0]),
        to: Vec::new(),
        frequencies: vec![6e9],
        density: Density::default(),
        edges: false,
    };
    sweep.agrees();
}

#[test]
fn a_sphere_facet_by_facet() {
    let sweep = Sweep {
        mesh: primitive::sphere(0.5, 0.02).unwrap(),
        from: degrees(50.0, [20.0]),
        to: degrees(80.0, [60.0, 110.0, 200.0]),
        frequencies: vec![3e9, 6e9],
        density: Density::default(),
        edges: false,
    };
    sweep.agrees();
}

#[test]
fn a_body_of_500_wavelengths_away_from_the_origin() {
    // Facets of several wavelengths: tubes dominate.
    let mut mesh = primitive::almond(15.0, 0.3).unwrap();
    for point in &mut mesh.points {
        *point = [point[0] + 3.0, point[1] - 2.0, point[2] + 1.0];
    }
    let sweep = Sweep {
        mesh,
        from: degrees(90.0, [2.0]),
        to: Vec::new(),
        frequencies: vec![SPEED_OF_LIGHT / 0.03],
        density: Density::even(1.0),
        edges: false,
    };
    sweep.agrees();
    let (level, phase) = sweep.compare(&gpu(), &[Arithmetic::Single])[0];
    assert!(
        phase > 1e-4,
        "single precision lost only {phase} rad, {level} dB"
    );
}

#[test]
fn the_same_gpu_gives_the_same_bits() {
    let body = Scatterer::new(&primitive::triangular_trihedral(0.4, 1.0).unwrap()).unwrap();
    let from = Direction::from_degrees(60.0, 30.0);
    let run = || {
        let on_gpu = GpuScatterer::new(&gpu(), &body).unwrap();
        on_gpu
            .scatter(from, &[from], &[5e9], Density::default())
            .unwrap()
    };
    assert_eq!(run(), run());
}
