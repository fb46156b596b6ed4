//! Specification of a problem for this solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Frequency;
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, Excitation, Issues, Observation, Scene, aspects};

use crate::aperture::Density;
use crate::image::Products;
use crate::plan::MAX_ASPECTS;

/// Scattering of plane waves by an electrically large body: a perfect electric conductor, coated or bare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Frequency or frequency sweep; all frequencies share their rays.
    pub frequency: Sweep<Frequency>,
    /// The body.
    pub bodies: Vec<Body>,
    /// Incident plane waves.
    pub excitation: Excitation,
    /// Observation directions of the scattered field.
    pub observation: Observation,
    /// Solver settings.
    #[serde(default)]
    pub sbr: Settings,
}

/// Settings of the shooting-and-bouncing-rays solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Density of the ray tubes.
    pub rays: Rays,
    /// Adds the diffraction of sharp edges and rims (physical theory of diffraction); PEC edges only.
    pub edge_diffraction: bool,
    /// Radar products of the sweep: range profiles, ISAR image, scattering centers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub products: Option<Products>,
}

/// Density of the ray tubes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rays {
    /// Ray spacing on smooth surfaces, in wavelengths of the highest frequency.
    pub spacing: f64,
    /// Maximum number of times a ray tube is halved at shadow boundaries, edges, and curved faces.
    pub max_subdivisions: u32,
    /// Maximum number of reflections.
    pub max_bounces: u32,
    /// Maximum number of times the spacing is halved for incident waves that have not converged.
    pub max_refinements: u32,
}

/// Default of [`Rays::max_refinements`]: at most 21 times the rays of a wave.
const REFINEMENTS: u32 = 2;

impl Default for Rays {
    fn default() -> Rays {
        let Density {
            step,
            halvings,
            bounces,
            ..
        } = Density::default();
        Rays {
            spacing: step,
            max_subdivisions: halvings,
            max_bounces: bounces,
            max_refinements: REFINEMENTS,
        }
    }
}

impl Rays {
    pub(crate) fn density(&self) -> Density {
        Density {
            step: self.spacing,
            halvings: self.max_subdivisions,
            bounces: self.max_bounces,
            ..Density::default()
        }
    }
}

impl Spec {
    /// Creates the specification of one body with default settings.
    pub fn new(
        frequency: impl Into<Sweep<Frequency>>,
        body: Body,
        excitation: Excitation,
        observation: Observation,
    ) -> Spec {
        Spec {
            frequency: frequency.into(),
            bodies: vec![body],
            excitation,
            observation,
            sbr: Settings::default(),
        }
    }

    /// Returns the sections that all solvers share.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            bodies: &self.bodies,
            excitation: Some(&self.excitation),
            observation: Some(&self.observation),
        }
    }

    /// Adds the issues of the settings and of their combinations.
    pub fn check(&self, issues: &mut Issues) {
        if self.bodies.is_empty() {
            issues.add("bodies", "`bodies` needs a body");
        }
        let rays = &self.sbr.rays;
        issues.range("sbr.rays.spacing", rays.spacing, 1e-3, 10.0);
        let subdivisions = f64::from(rays.max_subdivisions);
        issues.range("sbr.rays.max_subdivisions", subdivisions, 0.0, 12.0);
        let bounces = f64::from(rays.max_bounces);
        issues.range("sbr.rays.max_bounces", bounces, 1.0, 1000.0);
        if self.sbr.edge_diffraction && self.bodies.iter().any(|body| !body.coatings.is_empty()) {
            issues.add_with_help(
                "sbr.edge_diffraction",
                "edge diffraction supports PEC edges only, and the body is coated",
                "set `edge_diffraction = false`",
            );
        }
        let (Ok(frequencies), Some(wave)) =
            (self.frequency.values(), self.excitation.as_plane_wave())
        else {
            return;
        };
        // The scene itself reports angles that are not a valid sweep.
        let most = MAX_ASPECTS / frequencies.len() as f64;
        match aspects::pairs(wave, &self.observation, most) {
            Ok(pairs) => {
                if let Some(products) = &self.sbr.products {
                    let frequencies: Vec<f64> = frequencies.iter().map(|f| f.0).collect();
                    products.check(&frequencies, &pairs, issues);
                }
            }
            Err(error @ aspects::AspectError::TooMany { .. }) => {
                issues.add("observation", error.to_string());
            }
            Err(_) => {}
        }
    }
}
