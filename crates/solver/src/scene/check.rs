//! Validation of a scene, independent of the solver.

use std::ops::RangeInclusive;

use wavefield_physics::material::Material;
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_physics::sweep::Sweep;

use super::aspects::{self, AspectError};
use super::{
    Body, Directions, Excitation, Feature, Geometry, Issues, LumpedPort, Observation, Port, Scene,
    unsupported,
};

/// Frequencies at which materials and bodies have a macroscopic meaning, Hz: up to soft X-rays.
const FREQUENCIES: RangeInclusive<f64> = 1e-3..=1e17;

impl Scene<'_> {
    /// Adds the features that a solver does not support, and the issues of the scene.
    pub fn check_for_solver(&self, name: &str, features: &[Feature], issues: &mut Issues) {
        for (_, issue) in unsupported(name, self, features) {
            issues.add(issue.path, issue.message);
        }
        self.check(issues);
    }

    /// Adds an issue if the plane wave and the observation give more than `most` pairs of directions.
    pub fn check_aspects(&self, most: f64, issues: &mut Issues) {
        let wave = self.excitation.and_then(Excitation::as_plane_wave);
        let (Some(wave), Some(observation)) = (wave, self.observation) else {
            return;
        };
        // Invalid sweeps of angles are issues of the scene.
        if let Err(error @ AspectError::TooMany { .. }) = aspects::pairs(wave, observation, most) {
            issues.add("observation", error.to_string());
        }
    }

    /// Adds an issue for every polar angle other than 90°, which 2-D problems exclude.
    pub fn check_normal_incidence(&self, issues: &mut Issues) {
        let mut check = |path: &str, theta: &Sweep<Angle>| {
            let values = theta.values().unwrap_or_default();
            let oblique = |angle: &&Angle| (angle.degrees() - 90.0).abs() > 1e-9;
            if let Some(angle) = values.iter().find(oblique) {
                issues.add_with_help(
                    path,
                    format!("oblique incidence is not supported in 2-D: `{path}` must be 90 deg, not {angle}"),
                    "omit `theta`",
                );
            }
        };
        if let Some(wave) = self.excitation.and_then(Excitation::as_plane_wave) {
            check("excitation.theta", &wave.theta);
        }
        if let Some(Observation::Bistatic(Directions { theta, .. })) = self.observation {
            check("observation.theta", theta);
        }
    }

    /// Adds the issues of the scene.
    pub fn check(&self, issues: &mut Issues) {
        let frequencies = self.frequency.map_or(Vec::new(), |sweep| {
            let values = issues.sweep("frequency", sweep);
            let outside = |f: &&Frequency| !FREQUENCIES.contains(&f.0);
            if let Some(wrong) = values.iter().find(outside) {
                let [low, high] = [FREQUENCIES.start(), FREQUENCIES.end()].map(|f| Frequency(*f));
                issues.add_with_help(
                    "frequency",
                    format!("`frequency` must lie between {low} and {high}, not at {wrong}"),
                    "write it with its unit, such as \"3 GHz\"",
                );
                return Vec::new();
            }
            values.iter().map(|frequency| frequency.0).collect()
        });
        for (index, body) in self.bodies.iter().enumerate() {
            let name = body.name(index);
            if (self.bodies[..index].iter().enumerate()).any(|(i, other)| other.name(i) == name) {
                issues.add(
                    format!("bodies.{index}.name"),
                    format!("the body name {name:?} is not unique"),
                );
            }
            check_body(body, &format!("bodies.{index}"), &frequencies, issues);
        }
        if let Some(excitation) = self.excitation {
            check_excitation(excitation, issues);
            self.check_observation(excitation, issues);
        }
    }

    fn check_observation(&self, excitation: &Excitation, issues: &mut Issues) {
        let Some(observation) = self.observation else {
            return;
        };
        match observation {
            Observation::Monostatic => {}
            Observation::Bistatic(Directions { theta, phi })
            | Observation::FarField(Directions { theta, phi }) => {
                check_angles("observation", theta, phi, aspects::OBSERVATION, issues);
            }
        }
        let scattering = matches!(excitation, Excitation::PlaneWave(_));
        if scattering != observation.is_scattering() {
            let (message, help) = if scattering {
                (
                    "plane waves are scattered; \"far-field\" is the radiation of ports and dipoles",
                    "use \"monostatic\" or \"bistatic\"",
                )
            } else {
                (
                    "ports and dipoles radiate; \"monostatic\" and \"bistatic\" are the scattering of plane waves",
                    "use \"far-field\"",
                )
            };
            issues.add_with_help("observation.kind", message, help);
        }
    }
}

/// Requires a length to be positive at any wavelength.
fn positive(path: &str, length: Length, issues: &mut Issues) {
    // The sign of a length in wavelengths is independent of the wavelength.
    let positive = length.meters(1.0) > 0.0;
    if !positive {
        issues.add(path, format!("`{path}` must be positive, not {length}"));
    }
}

fn check_body(body: &Body, path: &str, frequencies: &[f64], issues: &mut Issues) {
    for (key, length) in body.geometry.sizes() {
        positive(&format!("{path}.geometry.{key}"), length, issues);
    }
    let least = match &body.geometry {
        Geometry::Polygon(_) | Geometry::Spline(_) => 3,
        Geometry::Strip(_) => 2,
        _ => 0,
    };
    if let Geometry::Polygon(super::Polygon { points })
    | Geometry::Spline(super::Spline { points, .. })
    | Geometry::Strip(super::Strip { points, .. }) = &body.geometry
        && points.len() < least
    {
        issues.add(
            format!("{path}.geometry.points"),
            format!(
                "a {} needs at least {least} points, not {}",
                body.geometry.shape(),
                points.len()
            ),
        );
    }
    if let Some(size) = body.mesh_size {
        positive(&format!("{path}.mesh_size"), size, issues);
    }
    check_material(
        &body.material,
        &format!("{path}.material"),
        frequencies,
        issues,
    );
    for (number, coating) in body.coatings.iter().enumerate() {
        let path = format!("{path}.coatings.{number}");
        if let Some(backing) = &coating.backing {
            check_material(backing, &format!("{path}.backing"), frequencies, issues);
        }
        for (number, layer) in coating.layers.iter().enumerate() {
            let path = format!("{path}.layers.{number}");
            positive(&format!("{path}.thickness"), layer.thickness, issues);
            let path = format!("{path}.material");
            match &layer.material {
                Material::Medium(_) => check_material(&layer.material, &path, frequencies, issues),
                Material::Named(_) if !layer.material.is_pec() => {}
                _ => issues.add_with_help(
                    path,
                    "a coating layer must be a medium",
                    "set `backing = \"pec\"` for a conductor behind the layers",
                ),
            }
        }
    }
}

fn check_material(material: &Material, path: &str, frequencies: &[f64], issues: &mut Issues) {
    let error = match frequencies {
        [] => material.check(1.0).err(),
        _ => frequencies.iter().find_map(|&f| material.check(f).err()),
    };
    if let Some(error) = error {
        issues.add(path, format!("`{path}`: {error}"));
    }
}

fn check_excitation(excitation: &Excitation, issues: &mut Issues) {
    match excitation {
        Excitation::PlaneWave(wave) => {
            check_angles(
                "excitation",
                &wave.theta,
                &wave.phi,
                aspects::INCIDENCE,
                issues,
            );
        }
        Excitation::Ports(ports) => {
            if ports.ports.is_empty() {
                issues.add("excitation.ports", "`excitation.ports` needs a port");
            }
            for (number, port) in ports.ports.iter().enumerate() {
                let path = format!("excitation.ports.{number}");
                let (direction, impedance) = match port {
                    Port::DeltaGap(gap) => {
                        positive(&format!("{path}.radius"), gap.radius, issues);
                        (gap.direction, gap.reference_impedance)
                    }
                    Port::Lumped(LumpedPort {
                        direction,
                        reference_impedance,
                        ..
                    }) => (*direction, *reference_impedance),
                };
                let norm: f64 = direction.iter().map(|x| x * x).sum();
                if !(norm > 0.0 && norm.is_finite()) {
                    let path = format!("{path}.direction");
                    let message = format!("`{path}` must be finite and not [0, 0, 0]");
                    issues.add(path, message);
                }
                issues.range(&format!("{path}.reference_impedance"), impedance, 1e-3, 1e6);
            }
        }
        Excitation::Dipoles(dipoles) => {
            if dipoles.dipoles.is_empty() {
                issues.add("excitation.dipoles", "`excitation.dipoles` needs a dipole");
            }
        }
    }
}

fn check_angles(
    table: &str,
    theta: &Sweep<Angle>,
    phi: &Sweep<Angle>,
    range: RangeInclusive<f64>,
    issues: &mut Issues,
) {
    let path = format!("{table}.theta");
    let outside = |angle: &Angle| !range.contains(&angle.degrees());
    if let Some(angle) = issues
        .sweep(&path, theta)
        .iter()
        .find(|angle| outside(angle))
    {
        issues.add_with_help(
            &path,
            format!(
                "`{path}` must lie between {} and {} deg, not at {angle}",
                range.start(),
                range.end()
            ),
            "use phi for a full turn",
        );
    }
    issues.sweep(&format!("{table}.phi"), phi);
}
