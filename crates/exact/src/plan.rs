//! Planning: sweeps and directions, bodies in meters, predicted cost.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::special::series_length;
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE};
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield_physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield_physics::material::MaterialError;
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::aspects::{self, Aspect, AspectError};
use wavefield_solver::scene::{self, Geometry};
use wavefield_solver::validate;

use crate::contract::ExactSolver;
use crate::error::Error;
use crate::result::{
    AtFrequency, CrossSections, CylinderAmplitude, Pattern, Scattering, Solution, SurfaceCurrent,
};
use crate::spec::{Spec, layers, radii};

/// Largest electrical size ka; beyond it the phase ka has a rounding error above 1e-11.
const MAX_KA: f64 = 1e5;
/// Maximum number of aspects of a run: a table of four complex numbers each takes some gigabytes.
pub(crate) const MAX_ASPECTS: f64 = 1e7;
/// Grid of the bistatic pattern over all directions.
const PATTERN_THETA: usize = 91;
const PATTERN_PHI: usize = 181;
/// Number of points on the contour for the surface current.
const CURRENT_POINTS: usize = 721;
/// Number of aspects between two cancellation checks.
const BLOCK: usize = 1024;

/// A planned run.
#[derive(Clone, Debug)]
pub struct Plan {
    frequencies: Vec<f64>,
    body: Body,
    aspects: Vec<(Direction, Direction)>,
}

#[derive(Clone, Debug)]
enum Body {
    /// One sphere per frequency, since lengths may be in wavelengths.
    Spheres(Vec<Sphere>),
    /// One cylinder (radius in m, material) per frequency.
    Cylinders(Vec<(f64, Core)>),
}

impl Plan {
    /// Resolves the sweeps, and lengths and media at each frequency.
    ///
    /// # Errors
    /// The specification is invalid, or the body exceeds the size limit.
    pub fn new(spec: &Spec) -> Result<Plan, Error> {
        validate(&ExactSolver, spec)?;
        let frequencies = spec.scene().frequencies();
        let Some(wave) = spec.excitation.as_plane_wave() else {
            return Err(AspectError::NotScattering.into());
        };
        let aspects = aspects::pairs(wave, &spec.observation, MAX_ASPECTS)?;
        let body = &spec.bodies[0];
        let each = frequencies.iter();
        let body = match &body.geometry {
            Geometry::Sphere(shape) => {
                let spheres = each.map(|&f| sphere(body, shape.radius, f));
                Body::Spheres(spheres.collect::<Result<_, _>>()?)
            }
            Geometry::Circle(circle) => {
                let cylinder = |&f: &f64| {
                    let radius = circle.radius.meters(SPEED_OF_LIGHT / f);
                    Ok::<_, MaterialError>((radius, body.material.core(f)?))
                };
                Body::Cylinders(each.map(cylinder).collect::<Result<_, _>>()?)
            }
            other => unreachable!("the shape {:?} is not supported", other.shape()),
        };
        let plan = Plan {
            aspects,
            frequencies,
            body,
        };
        for index in 0..plan.frequencies.len() {
            let ka = plan.ka(index);
            if ka > MAX_KA {
                return Err(Error::TooLarge { ka, most: MAX_KA });
            }
        }
        Ok(plan)
    }

    /// Returns the electrical size ka of the outer surface at a frequency of the sweep.
    pub fn ka(&self, index: usize) -> f64 {
        let radius = match &self.body {
            Body::Spheres(spheres) => spheres[index].outer_radius(),
            Body::Cylinders(cylinders) => cylinders[index].0,
        };
        wavefield_physics::constants::vacuum_wavenumber(self.frequencies[index]) * radius
    }

    /// Returns the number of aspects: pairs of frequency and directions.
    pub fn aspects(&self) -> usize {
        self.aspects.len() * self.frequencies.len()
    }

    /// Returns the outer radius in m at the last frequency, and whether the body is a sphere.
    pub fn shown_body(&self) -> (f64, bool) {
        let last = self.frequencies.len() - 1;
        match &self.body {
            Body::Spheres(spheres) => (spheres[last].outer_radius(), true),
            Body::Cylinders(cylinders) => (cylinders[last].0, false),
        }
    }

    /// Returns the memory of the result in bytes, with the coefficients of one frequency.
    pub fn memory(&self) -> usize {
        let waves = (0..self.frequencies.len())
            .map(|i| series_length(self.ka(i)))
            .max()
            .unwrap_or(0);
        let per_aspect =
            size_of::<Aspect>() + size_of::<wavefield_physics::far_field::ScatteringMatrix>();
        let convergence: usize = (0..self.frequencies.len())
            .map(|i| series_length(self.ka(i)) * 8)
            .sum();
        self.aspects() * per_aspect
            + PATTERN_THETA
                * PATTERN_PHI
                * size_of::<wavefield_physics::far_field::ScatteringMatrix>()
            + waves * 20 * size_of::<Complex64>()
            + convergence
    }

    /// Returns the number of floating-point operations, to estimate the run time.
    pub fn operations(&self) -> f64 {
        let last = self.frequencies.len() - 1;
        let pattern = match &self.body {
            Body::Spheres(_) => {
                (PATTERN_THETA * PATTERN_PHI) as f64 * series_length(self.ka(last)) as f64
            }
            Body::Cylinders(_) => 0.0,
        };
        let sweep: f64 = (0..self.frequencies.len())
            .map(|i| self.aspects.len() as f64 * series_length(self.ka(i)) as f64)
            .sum();
        30.0 * (pattern + sweep)
    }

    /// Computes the solution on the rayon pool that the caller has installed.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        match &self.body {
            Body::Spheres(spheres) => self.execute_spheres(spheres, observer),
            Body::Cylinders(cylinders) => self.execute_cylinders(cylinders, observer),
        }
    }

    fn execute_spheres(
        &self,
        spheres: &[Sphere],
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let total = self.aspects() as u64;
        let mut frequencies = Vec::with_capacity(spheres.len());
        let mut aspects = Vec::with_capacity(self.aspects());
        let mut matrices = Vec::with_capacity(self.aspects());
        let mut pattern = None;
        for (index, sphere) in spheres.iter().enumerate() {
            let series = MieSeries::new(sphere, self.frequencies[index])?;
            for block in self.aspects.chunks(BLOCK) {
                observer.checkpoint()?;
                matrices.par_extend(
                    block
                        .par_iter()
                        .map(|&(from, to)| series.scattering(from, to)),
                );
                aspects.extend(block.iter().map(|&(from, to)| Aspect {
                    frequency: index,
                    from,
                    to,
                }));
                observer.progress(&Progress::new("aspects", aspects.len() as u64, total));
            }
            frequencies.push(AtFrequency {
                frequency: self.frequencies[index],
                ka: self.ka(index),
                partial_waves: series.len(),
                accuracy: accuracy(self.ka(index)),
                convergence: sphere_convergence(&series),
                cross_sections: vec![CrossSections {
                    extinction: series.extinction(),
                    scattering: series.total_scattering(),
                }],
            });
            if index + 1 == spheres.len() {
                observer.checkpoint()?;
                pattern = Some(self.pattern(&series, self.frequencies[index]));
            }
        }
        Ok(Solution {
            frequencies,
            scattering: Scattering::Sphere {
                aspects,
                matrices,
                pattern: pattern.expect("a sweep has at least one frequency"),
            },
        })
    }

    fn pattern(&self, series: &MieSeries, frequency: f64) -> Pattern {
        let from = self.aspects[0].0;
        let direction = |index: usize| {
            let (i, j) = (index / PATTERN_PHI, index % PATTERN_PHI);
            Direction::from_degrees(
                180.0 * i as f64 / (PATTERN_THETA - 1) as f64,
                360.0 * j as f64 / (PATTERN_PHI - 1) as f64,
            )
        };
        Pattern {
            theta_count: PATTERN_THETA,
            phi_count: PATTERN_PHI,
            from,
            frequency,
            matrices: (0..PATTERN_THETA * PATTERN_PHI)
                .into_par_iter()
                .map(|index| series.scattering(from, direction(index)))
                .collect(),
        }
    }

    fn execute_cylinders(
        &self,
        cylinders: &[(f64, Core)],
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let total = self.aspects() as u64;
        let mut frequencies = Vec::with_capacity(cylinders.len());
        let mut aspects: Vec<Aspect> = Vec::with_capacity(self.aspects());
        let mut amplitudes = Vec::with_capacity(self.aspects());
        let mut currents = Vec::new();
        for (index, (radius, core)) in cylinders.iter().enumerate() {
            // The cylinder is rotationally symmetric, so one series for incidence along +x serves all
            // directions.
            let series = |polarization| {
                CylinderSeries::new(*radius, core, polarization, 0.0, self.frequencies[index])
            };
            let (tm, te) = (series(Polarization::Tm)?, series(Polarization::Te)?);
            let turned = |from: Direction, phi: f64| phi - from.phi - std::f64::consts::PI;
            for block in self.aspects.chunks(BLOCK) {
                observer.checkpoint()?;
                amplitudes.par_extend(block.par_iter().map(|&(from, to)| {
                    let phi = turned(from, to.phi);
                    CylinderAmplitude {
                        tm: tm.amplitude(phi),
                        te: te.amplitude(phi),
                        tm_width: tm.width(phi),
                        te_width: te.width(phi),
                    }
                }));
                aspects.extend(block.iter().map(|&(from, to)| Aspect {
                    frequency: index,
                    from,
                    to,
                }));
                observer.progress(&Progress::new("aspects", aspects.len() as u64, total));
            }
            if index + 1 == cylinders.len() {
                let from = self.aspects[0].0;
                currents = (0..CURRENT_POINTS)
                    .into_par_iter()
                    .map(|i| {
                        let phi =
                            2.0 * std::f64::consts::PI * i as f64 / (CURRENT_POINTS - 1) as f64;
                        let angle = turned(from, phi);
                        SurfaceCurrent {
                            phi,
                            tm: tm.surface_current(angle) * VACUUM_IMPEDANCE,
                            te: te.surface_current(angle),
                        }
                    })
                    .collect();
            }
            frequencies.push(AtFrequency {
                frequency: self.frequencies[index],
                ka: self.ka(index),
                partial_waves: tm.coefficients().len(),
                accuracy: accuracy(self.ka(index)),
                convergence: cylinder_convergence(tm.coefficients()),
                cross_sections: [&tm, &te]
                    .map(|series| CrossSections {
                        extinction: series.extinction(),
                        scattering: series.total_scattering(),
                    })
                    .to_vec(),
            });
        }
        Ok(Solution {
            frequencies,
            scattering: Scattering::Cylinder {
                aspects,
                amplitudes,
                currents,
            },
        })
    }
}

/// Returns the relative accuracy: 1e-13 of the special functions plus the rounding error of the phase
/// ka.
fn accuracy(ka: f64) -> f64 {
    1e-13 * (1.0 + 0.01 * ka)
}

/// Returns the relative truncation errors of the backscatter amplitude Σ (−1)ⁿ(2n+1)(aₙ − bₙ).
fn sphere_convergence(series: &MieSeries) -> Vec<f64> {
    let terms = series
        .electric()
        .iter()
        .zip(series.magnetic())
        .enumerate()
        .map(|(i, (a, b))| {
            let sign = if i % 2 == 0 { -1.0 } else { 1.0 };
            sign * (2 * i + 3) as f64 * (a - b)
        });
    remainders(terms.collect())
}

/// Returns the relative truncation errors of the backscatter amplitude a₀ + 2Σ(−1)ⁿaₙ.
fn cylinder_convergence(coefficients: &[Complex64]) -> Vec<f64> {
    let terms = coefficients.iter().enumerate().map(|(n, a)| match n {
        0 => *a,
        n if n % 2 == 1 => -2.0 * a,
        _ => 2.0 * a,
    });
    remainders(terms.collect())
}

fn remainders(terms: Vec<Complex64>) -> Vec<f64> {
    let whole: Complex64 = terms.iter().rev().sum();
    let mut rest = Complex64::new(0.0, 0.0);
    let mut distances: Vec<f64> = terms
        .iter()
        .rev()
        .map(|term| {
            let distance = rest.norm() / whole.norm();
            rest += term;
            distance
        })
        .collect();
    distances.reverse();
    distances
}

fn sphere(body: &scene::Body, radius: Length, frequency: f64) -> Result<Sphere, MaterialError> {
    let radii = radii(radius, layers(body), SPEED_OF_LIGHT / frequency);
    let coatings = (layers(body).iter().zip(&radii[1..])).map(|(layer, &outer_radius)| match layer
        .material
        .core(frequency)?
    {
        Core::Medium(medium) => Ok(Layer {
            outer_radius,
            medium,
        }),
        Core::Pec => Err(MaterialError::NoInterior),
    });
    Ok(Sphere {
        core_radius: radii[0],
        core: body.material.core(frequency)?,
        coatings: coatings.collect::<Result<_, _>>()?,
    })
}
