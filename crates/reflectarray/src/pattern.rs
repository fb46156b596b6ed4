//! The array factor on an even grid of directions by the NUFFT (eqs. 3 and 4), and the slope of whatever is
//! made of it by the phases and by the places of the elements.

use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_nufft::{Options, Plan};

use crate::error::Error;

/// Accuracy of the transforms.
const TOLERANCE: f64 = 1e-12;

/// An even grid in the (u, v) plane; v runs fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Its middle: the direction of number ⌊n/2⌋ on each axis.
    pub centre: [f64; 2],
    /// Distance between neighbours.
    pub step: f64,
    /// Numbers along u and v.
    pub counts: [usize; 2],
}

impl Grid {
    /// A grid of this pitch that covers a window and a margin around it.
    pub fn around(corners: [[f64; 2]; 2], margin: f64, step: f64) -> Grid {
        let centre = [0, 1].map(|a| 0.5 * (corners[0][a] + corners[1][a]));
        let counts = [0, 1].map(|a| {
            let half = 0.5 * (corners[1][a] - corners[0][a]) + margin;
            2 * (half / step).ceil() as usize + 1
        });
        Grid {
            centre,
            step,
            counts,
        }
    }

    /// A direction cosine along an axis.
    pub fn cosine(&self, axis: usize, number: usize) -> f64 {
        let middle = (self.counts[axis] / 2) as f64;
        self.centre[axis] + self.step * (number as f64 - middle)
    }

    /// All directions.
    pub fn directions(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        (0..self.counts[0]).flat_map(move |i| {
            (0..self.counts[1]).map(move |j| [self.cosine(0, i), self.cosine(1, j)])
        })
    }
}

/// The array factor on a grid, for elements anywhere in the plane.
#[derive(Debug)]
pub struct Pattern {
    grid: Grid,
    wavenumber: f64,
    plan: Plan<f64>,
    /// e^{jk(u₀x + v₀y)}.
    steering: Vec<Complex64>,
}

/// Σ_p q_p F_p e^{−jk(u_p xₙ + v_p yₙ)} per element, and the same with u_p and v_p before each term.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// The sum.
    pub value: Vec<Complex64>,
    /// With u_p.
    pub by_u: Vec<Complex64>,
    /// With v_p.
    pub by_v: Vec<Complex64>,
}

impl Pattern {
    /// A plan for elements at x and y, in metres.
    ///
    /// # Errors
    /// The transform cannot be planned.
    pub fn new(
        device: &Device,
        grid: Grid,
        wavenumber: f64,
        x: &[f64],
        y: &[f64],
    ) -> Result<Pattern, Error> {
        Pattern::with_tolerance(device, grid, wavenumber, x, y, TOLERANCE)
    }

    /// The same with transforms of another accuracy, as a part of the whole field.
    ///
    /// # Errors
    /// The transform cannot be planned.
    pub fn with_tolerance(
        device: &Device,
        grid: Grid,
        wavenumber: f64,
        x: &[f64],
        y: &[f64],
        tolerance: f64,
    ) -> Result<Pattern, Error> {
        let options = Options {
            tolerance,
            ..Options::default()
        };
        let mut plan = Plan::new(device, &grid.counts, &options)?;
        let angles = |places: &[f64]| -> Vec<f64> {
            places.iter().map(|p| wavenumber * grid.step * p).collect()
        };
        plan.set_points(&[&angles(x), &angles(y)])?;
        let [u, v] = grid.centre;
        let steering = x
            .iter()
            .zip(y)
            .map(|(x, y)| Complex64::cis(wavenumber * (u * x + v * y)))
            .collect();
        Ok(Pattern {
            grid,
            wavenumber,
            plan,
            steering,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// F on the grid.
    ///
    /// # Errors
    /// Another number of excitations than of elements.
    pub fn field(&self, excitation: &[Complex64]) -> Result<Vec<Complex64>, Error> {
        let turned: Vec<Complex64> = excitation
            .iter()
            .zip(&self.steering)
            .map(|(x, s)| x * s)
            .collect();
        let mut field = vec![Complex64::ZERO; self.grid.counts.iter().product()];
        self.plan.type1(&turned, &mut field)?;
        Ok(field)
    }

    /// Σ_p w_p e^{−jk(u_p xₙ + v_p yₙ)} per element: the adjoint of [`Pattern::field`].
    ///
    /// # Errors
    /// Another number of weights than of directions.
    pub fn adjoint(&self, weights: &[Complex64]) -> Result<Vec<Complex64>, Error> {
        let mut values = vec![Complex64::ZERO; self.steering.len()];
        self.plan.type1_adjoint(weights, &mut values)?;
        for (value, steering) in values.iter_mut().zip(&self.steering) {
            *value *= steering.conj();
        }
        Ok(values)
    }

    /// What weights on the grid give at the elements, with the derivatives in one pass.
    ///
    /// # Errors
    /// Another number of weights than of directions.
    pub fn gather(&self, weights: &[Complex64]) -> Result<Gathered, Error> {
        let count = self.steering.len();
        // Σ G e^{−jmX} is the conjugate of Σ G* e^{+jmX}, and Σ m G e^{−jmX} that of −j ∂/∂X of it.
        let conjugate: Vec<Complex64> = weights.iter().map(Complex64::conj).collect();
        let mut values = vec![Complex64::ZERO; count];
        let mut slopes = vec![Complex64::ZERO; 2 * count];
        self.plan
            .type2_gradient(&conjugate, &mut values, &mut slopes)?;
        let turn = |n: usize, z: Complex64| z.conj() * self.steering[n].conj();
        let value: Vec<Complex64> = (0..count).map(|n| turn(n, values[n])).collect();
        let along = |axis: usize| -> Vec<Complex64> {
            (0..count)
                .map(|n| {
                    let numbered = turn(n, slopes[axis * count + n] * Complex64::new(0.0, -1.0));
                    value[n] * self.grid.centre[axis] + numbered * self.grid.step
                })
                .collect()
        };
        Ok(Gathered {
            by_u: along(0),
            by_v: along(1),
            value,
        })
    }

    /// Wavenumber, 1/m.
    pub fn wavenumber(&self) -> f64 {
        self.wavenumber
    }
}
