//! The inverse of an equation on a smooth closed curve, as if the curve were straight: a multiplier of waves along it.
//!
//! Of e^{−jξs} on a straight line, with r = √(1 − ξ²/k²), jkS makes 1/(2r) and −N/jk makes r/2, while D and D′ make
//! nothing. An equation with shares E1 and E2 of an unknown that stands for u and p is then the number
//! ½(E1·u + E2·p + E1·p/r + E2·u·r), whose inverse is taken here. On a curve of radius R the waves that graze it see
//! r ≈ (kR)^{−1/3} in place of zero, which a little loss in k imitates (X. Antoine, M. Darbas, M2AN 41 (2007) 147–167).
//! Iterations then hardly grow with the size of a body, as they do with (kR)^{1/3} otherwise.

use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

use num_complex::Complex64;
use rayon::prelude::*;
use rustfft::{Fft, FftPlanner};
use wavefield_compute::fft::next_good_size;

use super::ZERO;
use crate::formulation::Surface;
use crate::system::System;

/// Even points on a curve for each node.
const FINER: f64 = 1.5;
/// Points that a value between even points is made of.
const POINTS: usize = 8;
/// Waves longer than this part of the shortest that nodes can tell of are multiplied.
const TOLD: f64 = 0.8;
/// Nodes of a body from which on it is worth while.
const FEWEST: usize = 256;

/// Which values, and with which weights, a value is made of.
struct Mixture {
    first: u32,
    weights: Vec<f64>,
}

/// The inverse on one body.
pub(crate) struct ArcInverse {
    pub(crate) unknowns: Range<usize>,
    /// Even points from nodes, and nodes from even points.
    to_points: Vec<Mixture>,
    to_nodes: Vec<Mixture>,
    /// The multiplier of every wave without that of the shortest, and that.
    multiplier: Vec<Complex64>,
    shortest: Complex64,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

impl ArcInverse {
    /// Of every body that has one: closed, smooth, large, and with one unknown at a node.
    pub(crate) fn all(system: &System) -> Vec<ArcInverse> {
        let mut planner = FftPlanner::new();
        let unknowns = system.unknowns();
        (0..system.boundary.bodies())
            .filter_map(|body| {
                let mut own = unknowns.iter().filter(|unknown| unknown.body == body);
                let numbers = own.next()?.numbers.clone();
                let curve = &system.boundary.curves[body];
                let is_smooth = (0..curve.pieces.len()).all(|i| curve.sharp(i) == [false; 2]);
                let is_dielectric =
                    matches!(system.equations[body].surface, Surface::Dielectric { .. });
                let fits = curve.closed && is_smooth && !is_dielectric && numbers.len() >= FEWEST;
                fits.then(|| ArcInverse::new(system, body, numbers, &mut planner))
            })
            .collect()
    }

    fn new(
        system: &System,
        body: usize,
        unknowns: Range<usize>,
        planner: &mut FftPlanner<f64>,
    ) -> ArcInverse {
        let boundary = &system.boundary;
        let nodes = boundary.nodes_of(body);
        let arcs = &boundary.arc[nodes.clone()];
        let length: f64 = boundary.weight[nodes.clone()].iter().sum();
        let count = next_good_size((FINER * nodes.len() as f64) as usize);
        let step = length / count as f64;
        let order = boundary.rule.order();
        // Of each panel its even points, by the polynomial through its nodes.
        let mut to_points = Vec::with_capacity(count);
        let mut end = 0.0;
        for panel in &boundary.panels[boundary.panels_of(body)] {
            end += panel.length;
            let first = panel.first - nodes.start;
            while to_points.len() < count && (to_points.len() as f64) * step < end {
                let at = to_points.len() as f64 * step;
                to_points.push(Mixture {
                    first: first as u32,
                    weights: lagrange(&arcs[first..first + order], at),
                });
            }
        }
        while let Some(last) = to_points.last().filter(|_| to_points.len() < count) {
            let first = last.first;
            let at = to_points.len() as f64 * step;
            let own = &arcs[first as usize..first as usize + order];
            to_points.push(Mixture {
                first,
                weights: lagrange(own, at),
            });
        }
        let even: Vec<f64> = (0..POINTS).map(|point| point as f64).collect();
        let to_nodes = (arcs.iter())
            .map(|arc| {
                let at = arc / step;
                let first = at.floor() - (POINTS / 2 - 1) as f64;
                Mixture {
                    first: first.rem_euclid(count as f64) as u32,
                    weights: lagrange(&even, at - first),
                }
            })
            .collect();
        let (row, unknown) = (
            system.equations[body].rows[0],
            system.equations[body].unknowns[0],
        );
        let k = system.wavenumber;
        let radius = length / (2.0 * PI);
        let lossy = k * Complex64::new(1.0, -0.4 * (k * radius).powf(-2.0 / 3.0));
        let inverse = |wave: usize| {
            let along = Complex64::from(2.0 * PI * wave as f64 / length) / lossy;
            let r = (1.0 - along * along).sqrt();
            let (u, p) = (unknown.u, unknown.p);
            2.0 / (row.first * u + row.second * p + row.first * p / r + row.second * u * r)
        };
        let told = (0.5 * TOLD * nodes.len() as f64) as usize;
        let shortest = inverse(told);
        let mut multiplier = vec![ZERO; count];
        for wave in 0..told.min(count / 2) {
            let part = (inverse(wave) - shortest) / count as f64;
            multiplier[wave] = part;
            multiplier[(count - wave) % count] = part;
        }
        ArcInverse {
            unknowns,
            to_points,
            to_nodes,
            multiplier,
            shortest,
            forward: planner.plan_fft_forward(count),
            inverse: planner.plan_fft_inverse(count),
        }
    }

    /// Writes the image of the unknowns of the body.
    pub(crate) fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        let count = self.multiplier.len();
        let mut points: Vec<Complex64> = (self.to_points.par_iter())
            .map(|mixture| {
                let values = &x[mixture.first as usize..];
                mixture.weights.iter().zip(values).map(|(w, x)| x * w).sum()
            })
            .collect();
        self.forward.process(&mut points);
        for (point, multiplier) in points.iter_mut().zip(&self.multiplier) {
            *point *= multiplier;
        }
        self.inverse.process(&mut points);
        y.par_iter_mut()
            .zip(x)
            .zip(&self.to_nodes)
            .for_each(|((y, x), mixture)| {
                let places = (0..).map(|place| (mixture.first as usize + place) % count);
                let mixed: Complex64 = (mixture.weights.iter().zip(places))
                    .map(|(w, place)| points[place] * w)
                    .sum();
                *y = self.shortest * x + mixed;
            });
    }
}

/// The weights of values at places in the value of the polynomial through them.
fn lagrange(places: &[f64], at: f64) -> Vec<f64> {
    (0..places.len())
        .map(|own| {
            (0..places.len())
                .filter(|&other| other != own)
                .map(|other| (at - places[other]) / (places[own] - places[other]))
                .product()
        })
        .collect()
}
