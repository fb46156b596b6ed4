//! SBR for an aircraft at all aspects: the closed PRIME of the Austin suite at its full scale of 15 m, at 10 GHz.
//!
//! For an aircraft of that size Y. Tao, H. Lin, H. Bao, IEEE Trans. Antennas Propag. 58 (2010) 494–502 report 368 s on
//! a GPU and 15,309 s on a CPU.

use std::time::Instant;

use rayon::prelude::*;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_sbr::{Density, Scatterer};

use crate::measure::Measured;
use crate::reference_data;
use wavefield::Error;

const FREQUENCY: f64 = 1e10;
const ASPECTS: u32 = 361;
/// The difference from finer rays is reported with the time.
const DENSITY: Density = Density {
    step: 0.5,
    halvings: 2,
    tolerance: 0.5,
    bounces: 5,
};
/// Ray spacing of the reference.
const FINE: Density = Density {
    step: 0.1,
    ..DENSITY
};
/// Uniform ray spacing of λ/10.
const EVEN: Density = Density {
    halvings: 0,
    ..FINE
};
/// Aspects at which the accuracy is evaluated, degrees.
const COMPARED: [f64; 5] = [0.25, 40.25, 80.25, 120.25, 170.25];

pub(super) fn aircraft() -> Result<Measured, Error> {
    let Some(data) = reference_data::find("austin-rcs") else {
        return Ok(Measured::Skipped(reference_data::missing("austin-rcs")));
    };
    let archive = data.join("mesh/Closed-Duct_PRIME_model_meshAB.zip");
    let mut mesh = reference_data::read_zipped_surface(&archive)?;
    // Nose toward +x.
    for point in &mut mesh.points {
        point[0] = -point[0];
    }
    let body = Scatterer::new(&mesh)?;
    let start = Instant::now();
    let rays = (0..ASPECTS)
        .into_par_iter()
        .map(|number| {
            let from = Direction::from_degrees(90.0, 0.5 * f64::from(number));
            Ok(body.scatter(from, &[from], &[FREQUENCY], DENSITY)?.rays)
        })
        .sum::<Result<u64, Error>>()?;
    let seconds = start.elapsed().as_secs_f64();
    let at = |density| -> Result<Vec<ScatteringMatrix>, Error> {
        let aspects = COMPARED.par_iter();
        aspects
            .map(|&phi| {
                let from = Direction::from_degrees(90.0, phi);
                Ok(body.monostatic(from, FREQUENCY, density)?)
            })
            .collect()
    };
    let fine = at(FINE)?;
    Ok([
        ("sweep_seconds", seconds),
        ("rays", rays as f64),
        ("error_m", difference(&at(DENSITY)?, &fine)),
        ("even_error_m", difference(&at(EVEN)?, &fine)),
    ]
    .into())
}

/// Returns the rms of the larger co-polar |ΔS|, m.
fn difference(a: &[ScatteringMatrix], b: &[ScatteringMatrix]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| {
        let [vv, hh] = [(a.vv - b.vv).norm_sqr(), (a.hh - b.hh).norm_sqr()];
        vv.max(hh)
    });
    (squares.sum::<f64>() / a.len() as f64).sqrt()
}
