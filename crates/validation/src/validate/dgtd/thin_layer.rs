//! Late-time stability with the default time step on flat tetrahedra.

use wavefield_dgtd::reference::State;
use wavefield_dgtd::{
    Discretization, End, PhysicalGroups, Plan, Precision, Settings, Simulation, Spec, engine,
};
use wavefield_mesh::primitive::tetrahedral_box;
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_solver::scene::{Dipole, Excitation};

use super::super::noise;
use super::{growth, made};
use crate::measure::{Measured, Metrics};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Number of time steps of each run.
const STEPS: f64 = 1e5;

/// Returns a dipole between PEC walls.
fn dipole(order: usize) -> Spec {
    Spec {
        frequency: Frequency(1e9).into(),
        bodies: Vec::new(),
        excitation: Excitation::dipoles(vec![Dipole {
            position: [0.001, 0.002, 0.0001].map(Length::Meters),
            moment: [0.0, 0.0, 1.0],
        }]),
        observation: None,
        dgtd: Settings {
            order,
            ..Settings::default()
        },
    }
}

/// Runs random fields in one layer of cells of 30 × 30 × 1 mm between PEC walls, at every order with the time step of a
/// problem without `cfl`. Upwind fluxes dissipate energy, so that it may grow by rounding only.
pub(super) fn thin_layer() -> Result<Measured, Error> {
    let mesh = made(tetrahedral_box([0.06, 0.06, 0.001], [2, 2, 1], [0; 3]))?;
    let mut metrics = Metrics::new();
    let mut worst = Worst::default();
    for order in 1..=8 {
        let spec = dipole(order);
        let dt = Plan::new(&spec, &mesh)?.time_step() * SPEED_OF_LIGHT;
        let d = Discretization::new(&mesh, order, &PhysicalGroups::vacuum(&mesh))?;
        let mut rough = State::zero(&d);
        let values = rough.fields.as_flattened_mut().as_flattened_mut();
        for (number, value) in values.iter_mut().enumerate() {
            *value = noise(number);
        }
        let mut run = Simulation::new(&d, engine(&d, Precision::Single), dt);
        run.engine.set(&rough);
        let end = End {
            decay: 0.0,
            time: (STEPS - 0.5) * dt,
        };
        let rise = match run.run(end, &Silent) {
            Ok(()) => growth(&run.energies, 0.0),
            Err(wavefield_dgtd::Error::Diverged { growth, .. }) => growth,
            Err(error) => return Err(error.into()),
        };
        metrics.insert(format!("energy_growth_{order}"), rise);
        worst.see(rise);
    }
    metrics.insert("energy_growth".to_owned(), worst.value());
    Ok(metrics.into())
}
