//! Ports at one frequency: admittances, and the radiation of the first port.

use num_complex::Complex64;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::FarField;

use crate::error::Error;
use crate::one_frequency::OneFrequency;
use crate::port::{self, Port};
use crate::result::{Checks, Solution};
use crate::wave::PlaneWaves;

/// Results of the ports, frequency by frequency.
#[derive(Default)]
pub(crate) struct Driven {
    /// Admittance matrices by row and column, S.
    pub(crate) admittances: Vec<Complex64>,
    /// Far fields of the first port, direction by direction, V.
    pub(crate) fields: Vec<FarField>,
    /// Accepted power with the first port driven, W.
    pub(crate) power: Vec<f64>,
}

impl OneFrequency<'_> {
    /// Solves for 1 V at each port.
    pub(crate) fn drive(
        &self,
        ports: &[Port],
        directions: &[Direction],
        driven: &mut Driven,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let basis = &self.plan.basis;
        let mut columns = vec![Complex64::new(0.0, 0.0); ports.len() * basis.size];
        for (column, port) in columns.chunks_mut(basis.size).zip(ports) {
            port.excite(column);
        }
        let solved = self.solver.solve(&mut columns, self.observer)?;
        let admittances = port::admittances(ports, &columns, basis.size);
        let (current, power) = port::driven(ports, &admittances, &columns, basis.size);
        let plane_waves = PlaneWaves::new(basis, self.pairs.wavenumber());
        let radiated = port::radiated(&plane_waves, &current);
        let heard = plane_waves.amplitudes(directions, &current);
        driven.admittances.extend(admittances);
        driven.fields.extend(
            heard
                .into_iter()
                .map(|[theta, phi]| FarField { theta, phi }),
        );
        driven.power.push(power);
        solution.checks.push(Checks {
            condition: solved.condition,
            iterated: solved.iterated,
            rounding: solved.rounding,
            inside: None,
            power: Some((radiated / power - 1.0).abs()),
            longest_edge: self.plan.edge_in_wavelengths(self.number),
        });
        solution.states.push(vec![self.state(None, &current)]);
        Ok(())
    }
}
