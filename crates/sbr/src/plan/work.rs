//! Work of a run, predicted from a pilot: a few incident waves at a few frequencies, on a coarse grid.
//!
//! The pilot gives the rays and the patches of two densities, their growth with the density, and the difference of
//! the fields, which decides about refinements.

use std::sync::atomic::{AtomicU64, Ordering};

use wavefield_physics::direction::Direction;

use super::{CONVERGED, Plan, strongest, worst_difference};
use crate::aperture::Density;
use crate::error::Error;
use crate::facet::SMALL;
use crate::patch::{Outline, Patch};
use crate::receiver::{FarField, Receiver};
use crate::scatterer::{Illumination, Scattering};

/// Number of cells of the coarsest level of all pilot waves together; larger bodies are sampled on a coarser grid.
const PILOT_CELLS: f64 = 2e4;
/// Maximum number of waves, and of their frequencies and observers, in a pilot.
const MAX_WAVES: usize = 5;
const MAX_SAMPLES: usize = 3;
/// Maximum number of subdivisions and reflections in a pilot.
const MAX_HALVINGS: u32 = 4;
const MAX_BOUNCES: u32 = 16;
/// Maximum growth of the rays when the density doubles.
const MAX_GROWTH: f64 = 4.0;

/// Predicted work of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Number of rays, reflections included.
    pub rays: f64,
    /// Number of ray tubes with several reflections.
    pub tubes: f64,
    /// Number of far-field terms of tubes: patches times frequencies and observers.
    pub tube_terms: f64,
    /// Number of far-field terms of facets.
    pub facet_terms: f64,
    /// Number of terms of diffracting edges.
    pub edge_terms: f64,
}

/// Far field that counts its patches, of tubes and of facets, and those of all its copies together.
#[derive(Clone)]
struct Counted<'a> {
    field: FarField<'a>,
    patches: [u64; 2],
    of_all: &'a [AtomicU64; 2],
}

impl Receiver for Counted<'_> {
    fn empty(&self) -> Self {
        Counted {
            field: self.field.empty(),
            patches: [0; 2],
            of_all: self.of_all,
        }
    }

    fn receive(&mut self, patch: &Patch) {
        self.field.receive(patch);
        let kind = match patch.outline {
            Outline::Parallelogram(_) => 0,
            Outline::Triangle(_) => 1,
        };
        self.patches[kind] += 1;
        self.of_all[kind].fetch_add(1, Ordering::Relaxed);
    }

    fn join(&mut self, other: &Self) {
        self.field.join(&other.field);
        for (sum, part) in self.patches.iter_mut().zip(other.patches) {
            *sum += part;
        }
    }
}

/// Part of a count that both densities share, and the parts of the finer and the coarser one.
#[derive(Clone, Copy, Default)]
struct Split {
    shared: f64,
    fine: f64,
    coarse: f64,
}

impl Split {
    fn add(&mut self, other: Split) {
        self.shared += other.shared;
        self.fine += other.fine;
        self.coarse += other.coarse;
    }

    /// Returns the factor by which the parts grow when the density doubles.
    fn growth(&self) -> f64 {
        (self.fine / self.coarse.max(1.0)).clamp(1.0, MAX_GROWTH)
    }

    /// Returns the sum of a run at a density times 2 to a power.
    fn at(&self, octaves: f64) -> f64 {
        self.shared + (self.fine + self.coarse) * self.growth().powf(octaves)
    }
}

/// Results of the pilot.
#[derive(Default)]
struct Pilot {
    rays: Split,
    tubes: Split,
    facets: Split,
    found: Vec<[Scattering; 2]>,
}

impl Plan {
    /// Predicts the work of a run by tracing a pilot.
    pub fn work(&self) -> Work {
        let waves = self.waves.len();
        let cells = self.cells().max(1.0);
        let count = ((PILOT_CELLS / cells) as usize).clamp(1, MAX_WAVES.min(waves));
        // The grid of the run is finer than that of the pilot by this factor.
        let finer = (cells * count as f64 / PILOT_CELLS).sqrt().max(1.0);
        let density = Density {
            step: self.density.step * finer,
            halvings: self.density.halvings.min(MAX_HALVINGS),
            bounces: self.density.bounces.min(MAX_BOUNCES),
            ..self.density
        };
        let mut pilot = Pilot::default();
        for number in spread(waves, count) {
            // An error of the pilot is one of the run, which reports it.
            if self.pilot(&mut pilot, number, density).is_err() {
                break;
            }
        }
        let traced = pilot.found.len().max(1) as f64;
        let observers: usize = self.waves.iter().map(|(_, to)| to.len()).sum();
        let terms_of_patch = (observers * self.frequencies.len()) as f64 / traced;
        let wedges = self
            .body
            .diffraction()
            .map_or(0, |edges| edges.wedges().len());
        let edge_terms = (observers * self.frequencies.len() * wedges) as f64;
        let peak = (pilot.found.iter())
            .map(|both| strongest(&both[0]))
            .fold(0.0, f64::max);
        let mut work = Work::default();
        for refinement in 0..=self.refinements {
            // Errors decrease in proportion to the step.
            let part = match refinement {
                0 => 1.0,
                _ => {
                    let limit = CONVERGED * peak * finer * f64::from(1 << (refinement - 1));
                    let above = |both: &&[Scattering; 2]| worst_difference(&both[..]) > limit;
                    pilot.found.iter().filter(above).count() as f64 / traced
                }
            };
            let octaves = finer.log2() + f64::from(refinement);
            work.rays += part * pilot.rays.at(octaves) * waves as f64 / traced;
            work.tubes += part * pilot.tubes.at(octaves) * waves as f64 / traced;
            work.tube_terms += part * pilot.tubes.at(octaves) * terms_of_patch;
            work.facet_terms += part * pilot.facets.at(octaves) * terms_of_patch;
            work.edge_terms += part * edge_terms;
        }
        work
    }

    /// Traces an incident wave at a density and half of it.
    fn pilot(&self, pilot: &mut Pilot, number: usize, density: Density) -> Result<(), Error> {
        let (from, to) = &self.waves[number];
        let to: Vec<Direction> = (spread(to.len(), MAX_SAMPLES).map(|n| to[n])).collect();
        let highest = self.frequencies.iter().copied().fold(0.0, f64::max);
        let mut frequencies: Vec<f64> = (spread(self.frequencies.len(), MAX_SAMPLES))
            .map(|n| self.frequencies[n])
            .collect();
        if !frequencies.contains(&highest) {
            frequencies[0] = highest;
        }
        let illumination = Illumination::new(*from, &to, &frequencies)?;
        let of_all = [0, 0].map(AtomicU64::new);
        let nothing = Counted {
            field: illumination.field(),
            patches: [0; 2],
            of_all: &of_all,
        };
        let coarse = Density {
            step: 2.0 * density.step,
            ..density
        };
        let tracer = self.body.tracer().as_ref();
        let parts = self
            .body
            .reflect(tracer, &illumination, &[density, coarse], nothing)?;
        let [fine, coarse] = [0, 1].map(|n| &parts[n]);
        for (kind, split) in [&mut pilot.tubes, &mut pilot.facets]
            .into_iter()
            .enumerate()
        {
            let all = of_all[kind].load(Ordering::Relaxed) as f64;
            let patches = [fine, coarse].map(|(received, _)| received.patches[kind] as f64);
            let shared = (patches[0] + patches[1] - all).max(0.0);
            split.add(Split {
                shared,
                fine: patches[0] - shared,
                coarse: patches[1] - shared,
            });
        }
        // Each small facet takes a ray or two.
        let small = self.body.small_facets(SMALL * illumination.wavelength()) as f64;
        let rays = [fine, coarse].map(|(_, count)| count.rays as f64);
        let shared = small.min(rays[0]);
        pilot.rays.add(Split {
            shared,
            fine: rays[0] - shared,
            coarse: rays[1],
        });
        let [fine, coarse] =
            [fine, coarse].map(|(part, count)| illumination.scattering(&part.field, *count));
        pilot.found.push([fine, coarse]);
        Ok(())
    }
}

/// Returns at most a number of indices below `count`, evenly spread.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let number = count.min(most);
    (0..number).map(move |n| (2 * n + 1) * count / (2 * number.max(1)))
}
