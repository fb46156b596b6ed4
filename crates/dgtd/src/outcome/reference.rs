//! Comparison with the Mie series, the reference solution of a single sphere in free space.

use crate::Spec;
use wavefield_physics::exact::sphere::{MieSeries, Sphere};
use wavefield_physics::far_field::{Channel, ScatteringMatrix};
use wavefield_physics::material::{Material, MediumSpec};
use wavefield_physics::medium::Medium;

use wavefield_numerics::worst::Worst;
use wavefield_solver::outcome::{Check, Data, KeyFigure, Outcome};
use wavefield_solver::scene::Geometry;
use wavefield_solver::scene::aspects::Aspect;

/// Dynamic range of the comparison below the peak, dB; smaller cross sections are nulls.
const NULLS_DB: f64 = 30.0;
/// Largest acceptable error of the radar cross section, dB.
const DEVIATION_DB: f64 = 1.0;

/// A single sphere in free space.
#[derive(Clone, Debug)]
pub(crate) struct LoneSphere {
    radius: f64,
    /// Medium of the sphere; `None` for a perfect electric conductor.
    medium: Option<MediumSpec>,
}

impl LoneSphere {
    /// Returns the sphere of a problem whose only body it is; `wavelength` (m) scales lengths in wavelengths.
    pub(crate) fn of(spec: &Spec, wavelength: f64) -> Option<LoneSphere> {
        let [body] = spec.bodies.as_slice() else {
            return None;
        };
        let Geometry::Sphere(sphere) = body.geometry else {
            return None;
        };
        let medium = match &body.material {
            Material::Medium(medium) => Some(medium.clone()),
            material if material.is_pec() => None,
            Material::Named(_) | Material::Surface(_) => return None,
        };
        Some(LoneSphere {
            radius: sphere.radius.meters(wavelength),
            medium,
        })
    }

    fn at(&self, frequency: f64) -> Sphere {
        match &self.medium {
            None => Sphere::pec(self.radius),
            Some(medium) => {
                let conductivity = medium.conductivity.map_or(0.0, |c| c.0);
                let permittivity = medium.permittivity.value().re;
                Sphere::dielectric(
                    self.radius,
                    Medium {
                        permeability: medium.permeability.value(),
                        ..Medium::conductive(permittivity, conductivity, frequency)
                    },
                )
            }
        }
    }

    /// Returns the scattering matrices of the Mie series, or `None` if the series does not converge.
    pub(crate) fn exact(
        &self,
        frequencies: &[f64],
        aspects: &[Aspect],
    ) -> Option<Vec<ScatteringMatrix>> {
        let series: Vec<MieSeries> = (frequencies.iter())
            .map(|&frequency| MieSeries::new(&self.at(frequency), frequency))
            .collect::<Result<_, _>>()
            .ok()?;
        let matrix = |aspect: &Aspect| series[aspect.frequency].scattering(aspect.from, aspect.to);
        Some(aspects.iter().map(matrix).collect())
    }
}

/// Returns the legend label and the column of a channel's reference cross section.
pub(crate) fn exact_column(channel: Channel) -> (&'static str, &'static str) {
    match channel {
        Channel::VV => ("exact VV", "exact_vv_dbsm"),
        Channel::VH => ("exact VH", "exact_vh_dbsm"),
        Channel::HV => ("exact HV", "exact_hv_dbsm"),
        Channel::HH => ("exact HH", "exact_hh_dbsm"),
    }
}

/// Adds the reference cross sections to the table, and the largest error as a key figure and a check.
pub(crate) fn held_against(
    outcome: &mut Outcome,
    table: &mut Vec<(&'static str, &'static str, Data)>,
    channels: &[Channel],
    found: &[ScatteringMatrix],
    exact: &[ScatteringMatrix],
) {
    let of = |m: &ScatteringMatrix| {
        channels
            .iter()
            .map(|&c| m.dbsm(c))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let peak = exact.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let mut worst = Worst::default();
    for &channel in channels {
        let decibels: Vec<f64> = exact.iter().map(|m| m.dbsm(channel)).collect();
        for (exact, found) in decibels.iter().zip(found) {
            if *exact > peak - NULLS_DB {
                worst.see((found.dbsm(channel) - exact).abs());
            }
        }
        table.push((exact_column(channel).1, "dBsm", Data::Real(decibels)));
    }
    outcome.key_figures.push(KeyFigure::new(
        "error relative to the Mie series",
        format!("{:.2}", worst.value()),
        "dB",
    ));
    outcome.checks.push(Check {
        name: format!("error of the radar cross section within {NULLS_DB} dB of the peak, dB"),
        value: worst.value(),
        limit: DEVIATION_DB,
        against: "the exact series (Mie) of the sphere".to_owned(),
        remedy: "increase `dgtd.order`, or decrease the mesh size of the sphere".to_owned(),
    });
}
