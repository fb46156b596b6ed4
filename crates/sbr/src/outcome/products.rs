//! Range profiles, images and scattering centres of a sweep, as arrays, figures and checks.

use crate::image::{Band, ProductError, Products, ranges};
use crate::{Plan, Solution};
use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_mesh::TriangleMesh;
use wavefield_physics::far_field::power_db;

use super::one_shot;
use wavefield_solver::Error;
use wavefield_solver::outcome::{ColourScale, Outcome};

/// Decibels below the peak that pictures show.
pub(super) const DEPTH: f64 = 40.0;
/// What pictures show around the body, in parts of its longest side.
pub(super) const MARGIN: f64 = 0.2;

/// Bytes that the products of a sweep of so many results take beside it.
pub(crate) fn memory(asked: &Products, frequencies: &[f64], results: usize) -> usize {
    match Band::new(frequencies) {
        // Amplitudes, their decibels, and those shown.
        Ok(band) if asked.range_profile => 32 * ranges(&band).len() * results / band.count,
        _ => 0,
    }
}

/// Adds what is asked for to an outcome whose view shows the body.
pub(super) fn add(
    outcome: &mut Outcome,
    asked: &Products,
    device: &Device,
    plan: &Plan,
    solution: &Solution,
) -> Result<(), Error> {
    if asked.range_profile || asked.needs_image() {
        let sweep = Sweep::new(asked, device, plan.mesh(), solution)?;
        if asked.range_profile {
            sweep.range_profiles(outcome)?;
        }
        if asked.needs_image() {
            sweep.image(outcome)?;
        }
    }
    if let Some(resolution) = &asked.direct_image {
        one_shot::direct_image(outcome, asked, resolution, plan, solution)?;
    }
    if asked.surface_map {
        one_shot::surface(outcome, asked, plan, solution)?;
    }
    Ok(())
}

/// A sweep of one channel over a band.
pub(super) struct Sweep<'a> {
    pub(super) asked: &'a Products,
    pub(super) device: &'a Device,
    pub(super) mesh: &'a TriangleMesh,
    pub(super) solution: &'a Solution,
    pub(super) band: Band,
    /// Amplitudes, frequency by frequency.
    pub(super) samples: Vec<Complex64>,
}

impl<'a> Sweep<'a> {
    fn new(
        asked: &'a Products,
        device: &'a Device,
        mesh: &'a TriangleMesh,
        solution: &'a Solution,
    ) -> Result<Sweep<'a>, Error> {
        Ok(Sweep {
            asked,
            device,
            mesh,
            solution,
            band: Band::new(&solution.frequencies).map_err(failed)?,
            samples: (solution.matrices.iter())
                .map(|matrix| matrix.channel(asked.channel))
                .collect(),
        })
    }

    /// Number of pairs of directions.
    pub(super) fn aspects(&self) -> usize {
        self.solution.aspects.len() / self.band.count
    }

    /// The channel's name.
    pub(super) fn channel(&self) -> &'static str {
        self.asked.channel.name()
    }
}

/// Colours of the upper decibels; of nothing at all where there is no peak.
pub(super) fn decibel_colours(peak: f64) -> ColourScale {
    let ceiling = peak.ceil();
    ColourScale {
        label: "σ".to_owned(),
        unit: "dBsm".to_owned(),
        range: ceiling.is_finite().then_some((ceiling - DEPTH, ceiling)),
        cyclic: false,
    }
}

pub(super) fn dbsm(amplitude: &Complex64) -> f64 {
    power_db(amplitude.norm_sqr())
}

pub(super) fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

pub(super) fn metres(length: f64) -> String {
    format!("{length:.3} m")
}

pub(super) fn millimetres(length: f64) -> String {
    format!("{:.1}", 1e3 * length)
}

/// Degrees without the last digits that the way through radians has left.
pub(super) fn tidy(radians: f64) -> f64 {
    (radians.to_degrees() * 1e6).round() / 1e6
}

pub(super) fn failed(error: ProductError) -> Error {
    Error::from(crate::Error::from(error))
}
