//! Radar products of a sweep as arrays, figures, and checks: range profiles, images, scattering
//! centers.

use crate::image::{AngularAperture, Band, Frame, ProductError, Products, ranges};
use crate::{Plan, Solution};
use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_mesh::TriangleMesh;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::power_db;

use super::imaging::{extent, grid};
use super::one_shot;
use wavefield_solver::Error;
use wavefield_solver::outcome::{ColorMap, ColorScale, Outcome};

/// Dynamic range of figures, dB below the peak.
pub(super) const DEPTH: f64 = 40.0;
/// Margin of figures around the body, as a fraction of its longest side.
pub(super) const MARGIN: f64 = 0.2;

/// Memory of a figure in the report, bytes, measured.
const BYTES_OF_FIGURE: usize = 900_000;
/// Memory of a pixel of an image, bytes.
const BYTES_OF_IMAGE_CELL: usize = 48;
/// Memory of a pixel of an image-domain image, bytes.
const BYTES_OF_DIRECT_CELL: usize = 80;

/// Predicts the memory of the products of a sweep in addition to the sweep, bytes.
pub(crate) fn memory(asked: &Products, plan: &Plan) -> usize {
    let directions = plan.incidences();
    let band = Band::new(plan.frequencies()).ok();
    let mut bytes = 0;
    if let Some(band) = band.filter(|_| asked.range_profile) {
        // Complex amplitudes, their decibels, and the displayed part.
        let of_result = 32 * ranges(&band).len() / band.count;
        bytes += BYTES_OF_FIGURE + of_result * plan.aspects();
    }
    let cells = |frame: &Frame, resolution: [f64; 2]| {
        let grid = grid(extent(plan.mesh(), frame), resolution);
        grid.map_or(0, |grid| grid.cells())
    };
    if let (true, Some(band), Ok(turn)) =
        (asked.needs_image(), band, AngularAperture::new(&directions))
    {
        let resolution = [turn.resolution(&band), band.resolution()];
        bytes += BYTES_OF_FIGURE + BYTES_OF_IMAGE_CELL * cells(&turn.frame(), resolution);
    }
    if let Some(resolution) = &asked.image_domain {
        let from = directions[directions.len() / 2];
        let frame = Frame {
            toward: from.unit(),
            across: from.phi_hat(),
        };
        let wavelength = SPEED_OF_LIGHT / plan.frequencies()[plan.frequencies().len() / 2];
        let resolution = [&resolution.cross_range, &resolution.down_range]
            .map(|length| length.meters(wavelength));
        bytes += BYTES_OF_FIGURE + BYTES_OF_DIRECT_CELL * cells(&frame, resolution);
    }
    if asked.surface_map {
        bytes += BYTES_OF_FIGURE;
    }
    bytes
}

/// Adds the requested products to an outcome whose view shows the body.
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
    if let Some(resolution) = &asked.image_domain {
        one_shot::direct_image(outcome, asked, resolution, plan, solution)?;
    }
    if asked.surface_map {
        one_shot::surface(outcome, asked, plan, solution)?;
    }
    Ok(())
}

/// Sweep of one channel over a frequency band.
pub(super) struct Sweep<'a> {
    pub(super) asked: &'a Products,
    pub(super) device: &'a Device,
    pub(super) mesh: &'a TriangleMesh,
    pub(super) solution: &'a Solution,
    pub(super) band: Band,
    /// Complex amplitudes, ordered by frequency.
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

    /// Returns the number of pairs of directions.
    pub(super) fn aspects(&self) -> usize {
        self.solution.aspects.len() / self.band.count
    }

    /// Returns the name of the channel.
    pub(super) fn channel(&self) -> &'static str {
        self.asked.channel.name()
    }
}

/// Returns a color scale of the displayed dynamic range; degenerate without a peak.
pub(super) fn decibel_colors(peak: f64) -> ColorScale {
    let ceiling = peak.ceil();
    ColorScale {
        label: "σ".to_owned(),
        unit: "dBsm".to_owned(),
        range: ceiling.is_finite().then_some((ceiling - DEPTH, ceiling)),
        map: ColorMap::Sequential,
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

pub(super) fn meters(length: f64) -> String {
    format!("{length:.3} m")
}

pub(super) fn millimeters(length: f64) -> String {
    format!("{:.1}", 1e3 * length)
}

/// Converts radians to degrees, rounded to 10⁻⁶ to remove conversion error.
pub(super) fn tidy(radians: f64) -> f64 {
    (radians.to_degrees() * 1e6).round() / 1e6
}

pub(super) fn failed(error: ProductError) -> Error {
    Error::from(crate::Error::from(error))
}
