//! Problem specification of the analytical solver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::MeshFile;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::material::{Material, NamedMaterial};
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{
    Body, CoatingLayer, Excitation, Geometry, Issues, Observation, Scene,
};

use crate::plan::MAX_ASPECTS;

/// Analytical scattering of plane waves by a sphere or an infinite circular cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// Body: a sphere, optionally coated, or a circle around the origin.
    pub bodies: Vec<Body>,
    /// Plane waves; both polarizations are computed.
    pub excitation: Excitation,
    /// Directions of observation.
    pub observation: Observation,
    /// Settings of the analytical solver.
    #[serde(default)]
    pub exact: Settings,
}

/// Settings of the analytical solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Mesh of the same body, shown in the report with its distance from the exact surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
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
            exact: Settings::default(),
        }
    }

    /// Returns the parts of the specification that are common to all solvers.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            bodies: &self.bodies,
            excitation: Some(&self.excitation),
            observation: Some(&self.observation),
        }
    }

    /// Adds the issues beyond the scene.
    pub fn check(&self, issues: &mut Issues) {
        let Some(body) = self.bodies.first() else {
            return issues.add("bodies", "`bodies` needs a body");
        };
        let vacuum = body.material == Material::Named(NamedMaterial::Vacuum);
        if vacuum && layers(body).is_empty() {
            issues.add("bodies.0.material", "a body of vacuum scatters nothing");
        }
        match &body.geometry {
            Geometry::Sphere(sphere) => self.check_core(body, sphere.radius, issues),
            Geometry::Circle(circle) => {
                if circle.center.iter().any(|c| c.meters(1.0) != 0.0) {
                    issues.add_with_help(
                        "bodies.0.geometry.center",
                        "the center of a circle must be the origin",
                        "omit `center`",
                    );
                }
                if !body.coatings.is_empty() {
                    issues.add_with_help(
                        "bodies.0.coatings",
                        "the exact solver supports coatings of spheres only",
                        "omit `coatings`",
                    );
                }
                self.scene().check_normal_incidence(issues);
            }
            _ => {}
        }
        let scene = self.scene();
        let frequencies = scene.frequencies().len();
        if frequencies > 0 {
            scene.check_aspects(MAX_ASPECTS / frequencies as f64, issues);
        }
    }

    /// Checks that the layers of a coating fit into the sphere at every frequency.
    fn check_core(&self, body: &Body, radius: Length, issues: &mut Issues) {
        for frequency in self.frequency.values().unwrap_or_default() {
            let radii = radii(radius, layers(body), SPEED_OF_LIGHT / frequency.0);
            let core = radii[0];
            if radii.len() > 1 && core <= 0.0 {
                return issues.add_with_help(
                    "bodies.0.coatings",
                    format!(
                        "the coating must be thinner than the radius of the sphere: at {frequency} the core has a radius of {core} m"
                    ),
                    "`radius` is that of the outer surface, including coatings",
                );
            }
        }
    }
}

/// Returns the layers of the coating of a body, from the core outward.
pub(crate) fn layers(body: &Body) -> &[CoatingLayer] {
    body.coatings.first().map_or(&[], |coating| &coating.layers)
}

/// Returns the radii of the core and of every layer around it, in m; the last is the radius of the
/// sphere.
pub(crate) fn radii(radius: Length, layers: &[CoatingLayer], wavelength: f64) -> Vec<f64> {
    let mut radii = vec![radius.meters(wavelength)];
    for layer in layers.iter().rev() {
        radii.push(radii[radii.len() - 1] - layer.thickness.meters(wavelength));
    }
    radii.reverse();
    radii
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_end_at_the_outer_radius() {
        let layer = |thickness: &str| CoatingLayer {
            thickness: thickness.parse().unwrap(),
            material: Material::Named(NamedMaterial::Vacuum),
        };
        // From problems/exact/sphere-coated, whose core has a radius of 10 cm.
        let found = radii("10.15 cm".parse().unwrap(), &[layer("1.5 mm")], 1.0);
        assert_eq!(found, [0.1, 0.1 + 0.0015]);
        let layers = [layer("1 m"), layer("2 lambda")];
        assert_eq!(
            radii("10 m".parse().unwrap(), &layers, 0.5),
            [8.0, 9.0, 10.0]
        );
    }
}
