//! Outcome of a solution: tables, figures, checks.

mod imaging;
mod one_shot;
pub(crate) mod products;
mod profiles;

use wavefield_gpu::Device;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::{Channel, power_db};
use wavefield_solver::Error;
use wavefield_solver::outcome::aspects::{self as sweep, incident_wave};

use wavefield_numerics::worst::Worst;
use wavefield_solver::outcome::{Check, Data, KeyFigure, Outcome};

use crate::Solution;
use crate::contract::SbrRun;
use crate::plan::CONVERGED;

/// Relative rounding error of a sum of a million terms.
const ROUNDING: f64 = 1e-10;

impl SbrRun {
    /// Returns the longest side of the bounding box, m.
    pub(crate) fn extent(&self) -> f64 {
        let bounds = self.plan.mesh().bounding_box();
        bounds.map_or(0.0, |bounds| bounds.size().into_iter().fold(0.0, f64::max))
    }

    /// Returns the highest frequency, Hz.
    pub(crate) fn highest(&self) -> f64 {
        self.plan.frequencies().iter().copied().fold(0.0, f64::max)
    }

    /// Returns the solution as an outcome.
    pub(crate) fn outcome(&self, device: &Device, solution: &Solution) -> Result<Outcome, Error> {
        let peak = peak(solution);
        let largest = solution.uncertainty.iter().copied().fold(0.0, f64::max);
        let mut outcome = Outcome {
            summary: format!(
                "{} triangles, {} aspects, {} rays; {}.",
                self.plan.mesh().triangles.len(),
                solution.aspects.len(),
                solution.rays,
                if largest > 0.0 {
                    format!(
                        "the change at doubled ray spacing is at least {:.0} dB below the peak",
                        -20.0 * (largest / peak).log10()
                    )
                } else {
                    "all contributions are closed-form PO of whole facets, independent of the ray spacing".to_owned()
                }
            ),
            // Sums over facets are exact to rounding; the geometric error of the mesh is separate.
            accuracy: (largest / peak).max(ROUNDING),
            key_figures: vec![
                KeyFigure::new("peak σ", format!("{:.2}", 2.0 * power_db(peak)), "dBsm"),
                KeyFigure::new("rays", format!("{:.2e}", solution.rays as f64), ""),
                KeyFigure::new(
                    "change at doubled ray spacing",
                    format!("{:.4}", largest / peak),
                    "of peak",
                ),
            ],
            checks: checks(
                solution,
                largest / peak,
                self.plan.ambiguous_edges(),
                self.extent(),
            ),
            ..Outcome::default()
        };
        if let Some(error) = reciprocity_error(solution) {
            let asymmetry = Worst::of(solution.asymmetry.iter().copied());
            outcome.key_figures.push(KeyFigure::new(
                "cross-polar difference between path directions",
                format!("{:.4}", asymmetry / peak),
                "of peak",
            ));
            outcome.checks.push(Check {
                name: "monostatic reciprocity error |S_VH − S_HV| / peak".to_owned(),
                value: error / peak,
                limit: ROUNDING,
                against: "the Lorentz reciprocity theorem, S_VH = S_HV".to_owned(),
                remedy: "report this result: it is a defect of the solver".to_owned(),
            });
        }
        let mut table = sweep::columns(&solution.frequencies, &solution.aspects);
        table.extend(sweep::matrix_columns(&solution.matrices));
        table.push(("uncertainty", "m", Data::Real(solution.uncertainty.clone())));
        let asymmetry = Data::Real(solution.asymmetry.clone());
        table.push(("cross_polar_uncertainty", "m", asymmetry));
        outcome.add_table(
            "rcs",
            "Complex scattering matrix √σ·e^{j phase} (phase origin: origin of coordinates), radar cross section, |ΔS| between two ray densities, and ½|S_VH − S_HV| between the two path directions (zero for bistatic aspects)",
            table,
        );
        sweep::radar_figures(
            &mut outcome,
            &solution.frequencies,
            &solution.aspects,
            &solution.matrices,
        );
        outcome.view.caption =
            "Body; the arrow shows the first incident wave and its V polarization.".to_owned();
        outcome.view.arrows = vec![incident_wave(solution.aspects[0].from)];
        outcome.show_mesh("body", self.plan.mesh());
        if let Some(asked) = &self.products {
            products::add(&mut outcome, asked, device, &self.plan, solution)?;
        }
        Ok(outcome)
    }
}

/// Returns the peak co-polar |S|, m.
fn peak(solution: &Solution) -> f64 {
    let all = solution.matrices.iter();
    all.flat_map(|m| [m.rcs(Channel::VV), m.rcs(Channel::HH)])
        .fold(f64::MIN_POSITIVE, f64::max)
        .sqrt()
}

/// Returns the maximum |S_VH − S_HV| over the monostatic aspects, m; `None` if there are none.
fn reciprocity_error(solution: &Solution) -> Option<f64> {
    let all = solution.aspects.iter().zip(&solution.matrices);
    let monostatic = all.filter(|(aspect, _)| aspect.from == aspect.to);
    let mut errors = monostatic
        .map(|(_, matrix)| (matrix.vh - matrix.hv).norm())
        .peekable();
    errors.peek()?;
    Some(Worst::of(errors))
}

fn checks(solution: &Solution, uncertainty: f64, ambiguous: usize, extent: f64) -> Vec<Check> {
    let lowest = solution
        .frequencies
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min);
    vec![
        Check {
            name: "maximum wavelength / body length".to_owned(),
            value: SPEED_OF_LIGHT / lowest / extent,
            limit: 1.0,
            against: "validity of ray optics for bodies larger than a wavelength".to_owned(),
            remedy: "raise the lowest `frequency`, or use `solver = \"mom3d\"`".to_owned(),
        },
        Check {
            name: "ambiguous mesh edges, excluded from diffraction".to_owned(),
            value: ambiguous as f64,
            limit: 0.0,
            against: "a conforming, manifold mesh".to_owned(),
            remedy: "correct the mesh with `wavefield convert --heal`".to_owned(),
        },
        Check {
            name: "|ΔS| between two ray densities / peak".to_owned(),
            value: uncertainty,
            limit: CONVERGED,
            against: "doubled ray spacing".to_owned(),
            remedy: "reduce `sbr.rays.spacing`, or increase `sbr.rays.max_refinements`".to_owned(),
        },
        Check {
            name: "fraction of rays truncated at the maximum number of reflections".to_owned(),
            value: solution.unfinished as f64 / solution.rays as f64,
            limit: 0.01,
            against: "all reflections".to_owned(),
            remedy: "increase `sbr.rays.max_bounces`".to_owned(),
        },
    ]
}
