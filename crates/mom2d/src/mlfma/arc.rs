//! Analytical combination and preconditioner of the CFIE on smooth closed curves: multipliers of waves along the curve, as if
//! it were straight.
//!
//! Of e^{−jξs} on a straight line, with r = √(1 − ξ²/k²), jkS has the symbol 1/(2r) and −N/jk has r/2, while D and D′ vanish.
//! For an unknown that represents u and p, E1 gives ½(u + p/r) and E2 gives ½(p + ur): r times E1 is E2. So where p dominates
//! (TM), the equations are combined as E1 times r, and E2; where u does (TE), as E1, and E2 over r. The operator to invert is
//! then ½(p + ur) or ½(u + p/r), which for a conductor is a number.
//!
//! On a circle both equations also contain the wave that crosses the interior, e^{−2jθ}, in proportion to their weights and
//! with opposite signs; with the factor r it cancels for every wave, whereas with constant weights it remains for all grazing
//! waves. On a curve of radius R grazing waves have r ≈ (kR)^{−1/3} instead of zero, which a small loss in k imitates (X.
//! Antoine, M. Darbas, M2AN 41 (2007) 147–167). The number of iterations is then independent of the size of a body; otherwise
//! it grows as (kR)^{1/3}.

use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

use num_complex::Complex64;
use rayon::prelude::*;
use rustfft::Fft;
use wavefield_numerics::fft::{Real as _, next_good_size};

use crate::formulation::{Row, Surface, Unknown};
use crate::system::System;

/// Uniform points per node on a curve.
const FINER: f64 = 1.5;
/// Interpolation points between uniform points.
const POINTS: usize = 8;
/// Fraction of the Nyquist wavenumber of the nodes up to which every wave has its own multiplier.
const TOLD: f64 = 0.8;
/// Minimum number of nodes of a body for which this pays off.
const FEWEST: usize = 256;

/// Interpolation stencil: indices of values with their weights.
struct Mixture {
    first: u32,
    weights: Vec<f64>,
}

/// Curve of a body along which waves are multiplied: closed, smooth, large, and with one unknown per node.
pub(crate) struct Curve {
    pub(crate) body: usize,
    pub(crate) unknowns: Range<usize>,
    /// Interpolation from nodes to uniform points, and back.
    to_points: Vec<Mixture>,
    to_nodes: Vec<Mixture>,
    /// Length times k over 2π, with a small loss: the number of wavelengths around the curve.
    around: Complex64,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
}

/// Multiplier of waves along a curve: that of every wave less that of the shortest, divided by the number of points; and that
/// of the shortest.
pub(crate) struct Multiplier {
    waves: Vec<Complex64>,
    shortest: Complex64,
}

/// Equation that is multiplied before both are added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lifted {
    /// E1 times r.
    First,
    /// E2 times 1/r.
    Second,
}

impl Lifted {
    /// Returns the form for an unknown whose equations are combined; `None` for a single equation.
    fn of(row: Row, unknown: Unknown) -> Option<Lifted> {
        let both = row.first > 0.0 && row.second > 0.0;
        both.then(|| {
            if unknown.p.norm() >= unknown.u.norm() {
                Lifted::First
            } else {
                Lifted::Second
            }
        })
    }

    /// Splits a row into the unmultiplied and the multiplied part.
    pub(crate) fn parts(self, row: Row) -> [Row; 2] {
        let (first, second) = (Row { second: 0.0, ..row }, Row { first: 0.0, ..row });
        match self {
            Lifted::First => [second, first],
            Lifted::Second => [first, second],
        }
    }

    /// Returns the multiplier of a wave.
    pub(crate) fn by(self, r: Complex64) -> Complex64 {
        match self {
            Lifted::First => r,
            Lifted::Second => r.inv(),
        }
    }
}

impl Curve {
    /// Returns all such curves of a system.
    pub(crate) fn all(system: &System) -> Vec<Curve> {
        let unknowns = system.unknowns();
        (0..system.boundary.bodies())
            .filter_map(|body| {
                let mut own = unknowns.iter().filter(|unknown| unknown.body == body);
                let numbers = own.next()?.numbers.clone();
                let curve = &system.boundary.curves[body];
                let is_dielectric =
                    matches!(system.equations[body].surface, Surface::Dielectric { .. });
                let fits =
                    curve.closed && curve.is_smooth() && !is_dielectric && numbers.len() >= FEWEST;
                fits.then(|| Curve::new(system, body, numbers))
            })
            .collect()
    }

    /// Returns the form in which the equations are combined.
    pub(crate) fn lifted(&self, system: &System) -> Option<Lifted> {
        let equations = &system.equations[self.body];
        Lifted::of(equations.rows[0], equations.unknowns[0])
    }

    /// Returns the inverse of the equation on a straight line.
    pub(crate) fn inverse(&self, system: &System) -> Multiplier {
        let equations = &system.equations[self.body];
        let (row, unknown) = (equations.rows[0], equations.unknowns[0]);
        let lifted = Lifted::of(row, unknown);
        self.multiplier(|r| {
            let [first, second] = [unknown.u + unknown.p / r, unknown.p + unknown.u * r];
            let (by_first, by_second) = match lifted {
                Some(Lifted::First) => (r * row.first, row.second.into()),
                Some(Lifted::Second) => (row.first.into(), row.second / r),
                None => (row.first.into(), Complex64::from(row.second)),
            };
            2.0 / (by_first * first + by_second * second)
        })
    }

    /// Returns the multiplier with the given symbol as a function of r.
    pub(crate) fn multiplier(&self, of: impl Fn(Complex64) -> Complex64) -> Multiplier {
        let (count, nodes) = (self.to_points.len(), self.to_nodes.len());
        let at = |wave: usize| {
            let along = wave as f64 / self.around;
            of((1.0 - along * along).sqrt())
        };
        let told = (0.5 * TOLD * nodes as f64) as usize;
        let shortest = at(told);
        let mut waves = vec![Complex64::ZERO; count];
        for wave in 0..told.min(count / 2) {
            let part = (at(wave) - shortest) / count as f64;
            waves[wave] = part;
            waves[(count - wave) % count] = part;
        }
        Multiplier { waves, shortest }
    }

    fn new(system: &System, body: usize, unknowns: Range<usize>) -> Curve {
        let boundary = &system.boundary;
        let nodes = boundary.nodes_of(body);
        let arcs = &boundary.arc[nodes.clone()];
        let length: f64 = boundary.weight[nodes.clone()].iter().sum();
        let count = next_good_size((FINER * nodes.len() as f64) as usize);
        let [forward, inverse] = f64::plan_line(count);
        let step = length / count as f64;
        let order = boundary.rule.order();
        // Uniform points of each panel, by the polynomial through its nodes.
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
        let round = system.wavenumber * length / (2.0 * PI);
        Curve {
            body,
            unknowns,
            to_points,
            to_nodes,
            around: round * Complex64::new(1.0, -0.4 * round.powf(-2.0 / 3.0)),
            forward,
            inverse,
        }
    }

    /// Adds the image of nodal values of the body.
    pub(crate) fn add(&self, multiplier: &Multiplier, x: &[Complex64], y: &mut [Complex64]) {
        let count = self.to_points.len();
        let mut points: Vec<Complex64> = (self.to_points.par_iter())
            .map(|mixture| {
                let values = &x[mixture.first as usize..];
                mixture.weights.iter().zip(values).map(|(w, x)| x * w).sum()
            })
            .collect();
        self.forward.process(&mut points);
        for (point, multiplier) in points.iter_mut().zip(&multiplier.waves) {
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
                *y += multiplier.shortest * x + mixed;
            });
    }
}

/// Returns the Lagrange weights of values at `places` for interpolation at `at`.
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
