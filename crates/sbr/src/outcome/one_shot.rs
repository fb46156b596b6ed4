//! Products of one aspect and frequency: image-domain ISAR image from the exit positions of the ray tubes, and map
//! of the backscatter over the surface.

use crate::image::{DirectImage, Frame, Products, Resolution, surface_map};
use crate::{Plan, Solution};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::quantity::Frequency;

use super::imaging::{Picture, draw, extent, grid, legend, outline};
use super::products::{DEPTH, dbsm, failed, millimeters, tidy};
use wavefield_solver::Error;
use wavefield_solver::outcome::aspects::incident_wave;
use wavefield_solver::outcome::{Array, Outcome, SurfaceQuantity};

/// Returns the central aspect and frequency of a sweep.
fn middle(solution: &Solution) -> (Direction, f64) {
    let frequencies = &solution.frequencies;
    let aspects = solution.aspects.len() / frequencies.len();
    (
        solution.aspects[aspects / 2].from,
        frequencies[frequencies.len() / 2],
    )
}

/// Adds the image-domain ISAR image of the central aspect.
pub(super) fn direct_image(
    outcome: &mut Outcome,
    asked: &Products,
    resolution: &Resolution,
    plan: &Plan,
    solution: &Solution,
) -> Result<(), Error> {
    let (from, frequency) = middle(solution);
    let wavelength = SPEED_OF_LIGHT / frequency;
    let shot = DirectImage {
        from,
        frequency,
        channel: asked.channel,
        frame: Frame {
            toward: from.unit(),
            across: from.phi_hat(),
        },
        resolution: [&resolution.cross_range, &resolution.down_range]
            .map(|length| length.meters(wavelength)),
        window: asked.window,
    };
    let grid = grid(extent(plan.mesh(), &shot.frame), shot.resolution).map_err(failed)?;
    let cells = shot.image(plan.body(), plan.density(), &grid)?;
    let caption = format!(
        "{}, image-domain formation from one aspect, θ = {}°, φ = {}°, at {}: every exiting ray tube adds a point response with a resolution of {} mm down-range and {} mm cross-range. Edge diffraction is not included. {}",
        asked.channel.name(),
        tidy(from.theta),
        tidy(from.phi),
        Frequency(frequency),
        millimeters(shot.resolution[1]),
        millimeters(shot.resolution[0]),
        legend(&grid),
    );
    let series = vec![outline(outcome, "direct_image", plan.mesh(), &shot.frame)];
    draw(
        outcome,
        Picture {
            name: "direct_image",
            title: "Image-domain ISAR image of one aspect",
            caption,
            grid,
            cells,
            series,
        },
    );
    Ok(())
}

/// Colors each triangle of the body by its backscatter at the central aspect; the view must show the mesh.
pub(super) fn surface(
    outcome: &mut Outcome,
    asked: &Products,
    plan: &Plan,
    solution: &Solution,
) -> Result<(), Error> {
    let (from, frequency) = middle(solution);
    let map = surface_map(plan.body(), from, frequency, asked.channel, plan.density())?;
    let decibels: Vec<f64> = map
        .iter()
        .map(|amplitude| {
            if amplitude.norm_sqr() > 0.0 {
                dbsm(amplitude)
            } else {
                // No exit on this triangle: no color.
                f64::NAN
            }
        })
        .collect();
    let lit = decibels.iter().copied().filter(|value| value.is_finite());
    let peak = lit.fold(f64::NEG_INFINITY, f64::max);
    outcome.arrays.extend([
        Array::complex("surface/amplitude", map),
        Array::real("surface/dbsm", decibels),
    ]);
    outcome.label("surface/amplitude", "m", &["triangle"]);
    outcome.label("surface/dbsm", "dBsm", &["triangle"]);
    if !peak.is_finite() {
        return Ok(());
    }
    if let Some(mesh) = outcome.view.meshes.last_mut() {
        mesh.quantities = vec![SurfaceQuantity {
            name: format!("{} backscatter of each triangle", asked.channel.name()),
            unit: "dBsm".to_owned(),
            array: "surface/dbsm".to_owned(),
            range: (peak.ceil() - DEPTH, peak.ceil()),
            option: None,
        }];
    }
    outcome.view.caption = format!(
        "Backscatter of each triangle ({}), incidence θ = {}°, φ = {}° at {}; the arrow shows the incident wave and its V polarization.",
        asked.channel.name(),
        tidy(from.theta),
        tidy(from.phi),
        Frequency(frequency),
    );
    outcome.view.arrows = vec![incident_wave(from)];
    Ok(())
}
