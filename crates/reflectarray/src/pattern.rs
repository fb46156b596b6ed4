//! Array factor on a regular grid of directions by the NUFFT (eqs. 3 and 4), and its adjoint with derivatives
//! with respect to phases and element positions.

use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_nufft::{Options, Plan};

use crate::error::Error;

/// Tolerance of the transforms.
const TOLERANCE: f64 = 1e-12;

/// A regular grid in the (u, v) plane; v runs fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Center: the direction of index ⌊n/2⌋ on each axis.
    pub center: [f64; 2],
    /// Step, direction cosines.
    pub step: f64,
    /// Number of directions along u and v.
    pub counts: [usize; 2],
}

impl Grid {
    /// Returns a grid of the given step that covers a window with a margin.
    pub fn around(corners: [[f64; 2]; 2], margin: f64, step: f64) -> Grid {
        let center = [0, 1].map(|a| 0.5 * (corners[0][a] + corners[1][a]));
        let counts = [0, 1].map(|a| {
            let half = 0.5 * (corners[1][a] - corners[0][a]) + margin;
            2 * (half / step).ceil() as usize + 1
        });
        Grid {
            center,
            step,
            counts,
        }
    }

    /// Returns the grid over the same window with steps finer by a factor.
    pub fn refined(&self, factor: usize) -> Grid {
        Grid {
            center: self.center,
            step: self.step / factor as f64,
            counts: self.counts.map(|count| (count - 1) * factor + 1),
        }
    }

    /// Returns a direction cosine along an axis.
    pub fn cosine(&self, axis: usize, number: usize) -> f64 {
        let middle = (self.counts[axis] / 2) as f64;
        self.center[axis] + self.step * (number as f64 - middle)
    }

    /// Returns all directions.
    pub fn directions(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        (0..self.counts[0]).flat_map(move |i| {
            (0..self.counts[1]).map(move |j| [self.cosine(0, i), self.cosine(1, j)])
        })
    }
}

/// The array factor on a grid, for elements at arbitrary positions in the plane.
#[derive(Debug)]
pub struct Pattern {
    grid: Grid,
    wavenumber: f64,
    plan: Plan<f64>,
    /// Phase factors e^{jk(u₀x + v₀y)}.
    steering: Vec<Complex64>,
}

/// Sums Σ_p q_p F_p e^{−jk(u_p xₙ + v_p yₙ)} per element, and the same weighted by u_p and v_p.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// Unweighted sum.
    pub value: Vec<Complex64>,
    /// Sum weighted by u_p.
    pub by_u: Vec<Complex64>,
    /// Sum weighted by v_p.
    pub by_v: Vec<Complex64>,
}

impl Pattern {
    /// Plans the array factor for elements at x and y, m.
    ///
    /// # Errors
    /// Returns an error if the transform cannot be planned.
    pub fn new(
        device: &Device,
        grid: Grid,
        wavenumber: f64,
        x: &[f64],
        y: &[f64],
    ) -> Result<Pattern, Error> {
        Pattern::with_tolerance(device, grid, wavenumber, x, y, TOLERANCE)
    }

    /// Plans the array factor with the given relative tolerance of the transforms.
    ///
    /// # Errors
    /// Returns an error if the transform cannot be planned.
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
        let [u, v] = grid.center;
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

    /// Returns the grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Computes the array factor F on the grid.
    ///
    /// # Errors
    /// Returns an error unless there is one excitation for each element.
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

    /// Computes Σ_p w_p e^{−jk(u_p xₙ + v_p yₙ)} per element: the adjoint of [`Pattern::field`].
    ///
    /// # Errors
    /// Returns an error unless there is one weight for each direction.
    pub fn adjoint(&self, weights: &[Complex64]) -> Result<Vec<Complex64>, Error> {
        let mut values = vec![Complex64::ZERO; self.steering.len()];
        self.plan.type1_adjoint(weights, &mut values)?;
        for (value, steering) in values.iter_mut().zip(&self.steering) {
            *value *= steering.conj();
        }
        Ok(values)
    }

    /// Computes the adjoint sums of weights on the grid, with those weighted by u and v, in one pass.
    ///
    /// # Errors
    /// Returns an error unless there is one weight for each direction.
    pub fn gather(&self, weights: &[Complex64]) -> Result<Gathered, Error> {
        let count = self.steering.len();
        // Σ G e^{−jmX} is the conjugate of Σ G* e^{+jmX}, and Σ m G e^{−jmX} that of its −j ∂/∂X.
        let conjugate: Vec<Complex64> = weights.iter().map(Complex64::conj).collect();
        let mut values = vec![Complex64::ZERO; count];
        let mut derivatives = vec![Complex64::ZERO; 2 * count];
        self.plan
            .type2_gradient(&conjugate, &mut values, &mut derivatives)?;
        let turn = |n: usize, z: Complex64| z.conj() * self.steering[n].conj();
        let value: Vec<Complex64> = (0..count).map(|n| turn(n, values[n])).collect();
        let along = |axis: usize| -> Vec<Complex64> {
            (0..count)
                .map(|n| {
                    let numbered =
                        turn(n, derivatives[axis * count + n] * Complex64::new(0.0, -1.0));
                    value[n] * self.grid.center[axis] + numbered * self.grid.step
                })
                .collect()
        };
        Ok(Gathered {
            by_u: along(0),
            by_v: along(1),
            value,
        })
    }

    /// Returns the wavenumber, rad/m.
    pub fn wavenumber(&self) -> f64 {
        self.wavenumber
    }
}
