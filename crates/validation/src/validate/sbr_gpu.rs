//! Case `sbr/gpu`: SBR on the GPU compared with the CPU.

use std::f64::consts::FRAC_PI_2;

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_sbr::gpu::Arithmetic;
use wavefield_sbr::{Density, GpuScatterer, Scatterer};

use super::open_gpu;
use crate::measure::{Case, Limit, Measured};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Level below the peak of a sweep under which results are not compared, dB.
const WITHIN_DB: f64 = 40.0;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new(
            "sbr/gpu",
            "SBR on the GPU compared with the CPU within 40 dB of the peak: corner reflectors, a sphere, and a body of 500 wavelengths",
            measure,
        )
        .limits([
            ("error_db", Limit::AtMost(0.01)),
            ("phase_error_rad", Limit::AtMost(1e-4)),
        ]),
    ]
}

/// Body with directions of incidence; observed monostatically, and bistatically from some directions.
struct Sweep {
    mesh: TriangleMesh,
    from: Vec<Direction>,
    to: Vec<Direction>,
    frequencies: Vec<f64>,
    density: Density,
}

fn around(theta: f64, phis: &[f64]) -> Vec<Direction> {
    let directions = phis.iter();
    directions
        .map(|&phi| Direction::from_degrees(theta, phi))
        .collect()
}

fn sweeps() -> Result<Vec<Sweep>, primitive::PrimitiveError> {
    Ok(vec![
        Sweep {
            mesh: primitive::triangular_trihedral(0.5, 1.0)?,
            from: around(54.7, &[25.0, 45.0, 60.0]),
            to: around(70.0, &[20.0, 60.0]),
            frequencies: vec![4e9, 6e9],
            density: Density::default(),
        },
        Sweep {
            mesh: primitive::dihedral(0.4, 0.4, FRAC_PI_2, 0.2)?,
            from: around(90.0, &[-36.0, 0.0, 12.0, 48.0]),
            to: Vec::new(),
            frequencies: vec![6e9],
            density: Density::default(),
        },
        Sweep {
            mesh: primitive::sphere(0.5, 0.02)?,
            from: around(50.0, &[20.0]),
            to: around(80.0, &[60.0, 110.0, 200.0]),
            frequencies: vec![3e9, 6e9],
            density: Density::default(),
        },
        Sweep {
            // End cap of a thin cylinder: facets larger and smaller than a wavelength, rim and side.
            mesh: primitive::cylinder(0.15, 0.5, 0.05)?,
            from: around(60.0, &[10.0, 40.0]),
            to: around(30.0, &[0.0]),
            frequencies: vec![5e9, 8e9],
            density: Density::default(),
        },
    ])
}

/// Returns a body of 500 wavelengths with facets of ten: phases of thousands of radians.
fn large() -> Result<Sweep, primitive::PrimitiveError> {
    Ok(Sweep {
        mesh: primitive::almond(15.0, 0.3)?,
        from: around(90.0, &[2.0, 60.0]),
        to: Vec::new(),
        frequencies: vec![500.0 * SPEED_OF_LIGHT / 15.0],
        density: Density::even(1.0),
    })
}

impl Sweep {
    /// Returns pairs of CPU and GPU results, and the peak of the former.
    fn pairs(
        &self,
        gpu: &Gpu,
        arithmetic: Arithmetic,
    ) -> Result<(Vec<(Complex64, Complex64)>, f64), Error> {
        let body = Scatterer::with_edges(&self.mesh)?;
        let on_gpu = GpuScatterer::with_arithmetic(gpu, &body, arithmetic)?;
        let mut pairs = Vec::new();
        for &from in &self.from {
            let to = [&[from], &self.to[..]].concat();
            let wanted = body.scatter(from, &to, &self.frequencies, self.density)?;
            let found = on_gpu.scatter(from, &to, &self.frequencies, self.density)?;
            for (wanted, found) in wanted.matrices.iter().zip(&found.matrices) {
                pairs.extend(channels(wanted).into_iter().zip(channels(found)));
            }
        }
        let peak = pairs.iter().map(|(wanted, _)| wanted.norm());
        let peak = peak.fold(0.0, f64::max);
        Ok((pairs, peak))
    }

    /// Largest differences within 40 dB of the peak: level in dB, and phase in radians.
    fn differences(&self, gpu: &Gpu, arithmetic: Arithmetic) -> Result<[f64; 2], Error> {
        let (pairs, peak) = self.pairs(gpu, arithmetic)?;
        let floor = peak * 10_f64.powf(-WITHIN_DB / 20.0);
        let (mut level, mut phase) = (Worst::default(), Worst::default());
        for (wanted, found) in pairs.iter().filter(|(wanted, _)| wanted.norm() > floor) {
            let ratio = found / wanted;
            level.see((20.0 * ratio.norm().log10()).abs());
            phase.see(ratio.arg().abs());
        }
        Ok([level.value(), phase.value()])
    }
}

fn channels(matrix: &ScatteringMatrix) -> [Complex64; 4] {
    [Channel::VV, Channel::VH, Channel::HV, Channel::HH].map(|channel| matrix.channel(channel))
}

fn measure() -> Result<Measured, Error> {
    let (_, gpu) = open_gpu()?;
    let shape = |error: primitive::PrimitiveError| Error::runtime(error.to_string());
    let native = Arithmetic::of(&gpu)?;
    let (mut error, mut phase) = (Worst::default(), Worst::default());
    for sweep in sweeps().map_err(shape)? {
        let [level, _] = sweep.differences(&gpu, native)?;
        error.see(level);
    }
    let large = large().map_err(shape)?;
    // GPUs without f64 use double-float arithmetic: both have the same limits.
    for arithmetic in [native, Arithmetic::DoubleFloat] {
        let [level, radians] = large.differences(&gpu, arithmetic)?;
        error.see(level);
        phase.see(radians);
    }
    let [_, single] = large.differences(&gpu, Arithmetic::Single)?;
    Ok([
        ("error_db", error.value()),
        ("phase_error_rad", phase.value()),
        ("phase_error_single_rad", single),
    ]
    .into())
}
