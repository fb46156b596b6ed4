//! Plane-wave scattering at one frequency.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::observe::Progress;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

use crate::error::Error;
use crate::extinction;
use crate::one_frequency::OneFrequency;
use crate::result::{Checks, Solution};
use crate::wave::{PlaneWaves, both_waves};

impl OneFrequency<'_> {
    /// Solves for all plane waves and evaluates each in its observation directions.
    pub(crate) fn scatter(
        &self,
        waves: &[(Direction, Vec<Direction>)],
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let basis = &self.plan.basis;
        let plane_waves = PlaneWaves::new(basis, self.pairs.wavenumber());
        let size = basis.size;
        let (first, count) = (waves[0].0, waves.len() as u64);
        let together = self.plan.waves_together();
        for (block, waves) in waves.chunks(together).enumerate() {
            self.observer.checkpoint()?;
            let mut columns = vec![Complex64::new(0.0, 0.0); 2 * waves.len() * size];
            columns
                .par_chunks_mut(2 * size)
                .zip(waves)
                .for_each(|(columns, (from, _))| {
                    let (vertical, horizontal) = columns.split_at_mut(size);
                    plane_waves.excite(*from, self.pairs, [vertical, horizontal]);
                });
            let solved = self.solver.solve(&mut columns, self.observer)?;
            for (columns, (from, to)) in columns.chunks(2 * size).zip(waves) {
                let (vertical, horizontal) = columns.split_at(size);
                let [v, h] = [vertical, horizontal].map(|sent| plane_waves.amplitudes(to, sent));
                for ((&to, v), h) in to.iter().zip(v).zip(h) {
                    solution.aspects.push(Aspect {
                        frequency: self.number,
                        from: *from,
                        to,
                    });
                    let matrix = ScatteringMatrix::from_amplitude(v[0], h[0], v[1], h[1]);
                    solution.matrices.push(matrix);
                }
            }
            let done = (block * together + waves.len()) as u64;
            self.observer
                .progress(&Progress::new("plane waves", done, count));
            if block > 0 {
                if let Some(checks) = solution.checks.last_mut() {
                    checks.iterated = worse(checks.iterated, solved.iterated);
                }
                continue;
            }
            let (vertical, rest) = columns.split_at(size);
            let both = [vertical, &rest[..size]];
            let inner_points = &self.plan.inner_points;
            solution.checks.push(Checks {
                condition: solved.condition,
                iterated: solved.iterated,
                rounding: solved.rounding,
                inside: extinction::extinction_error(self.pairs, inner_points, first, both),
                power: None,
                longest_edge: self.plan.edge_in_wavelengths(self.number),
            });
            let waves = both_waves(first, self.pairs.wavenumber());
            let states = (both.iter().zip(waves)).map(|(sent, wave)| self.state(Some(wave), sent));
            solution.states.push(states.collect());
        }
        Ok(())
    }
}

/// Returns the larger iteration count and the larger residual of two.
fn worse(a: Option<(usize, f64)>, b: Option<(usize, f64)>) -> Option<(usize, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}
