//! The solvers that problem files may name: the only list of them.

use std::sync::{PoisonError, RwLock};

use wavefield_solver::AnySolver;

/// The solvers of Wavefield, by name.
static BUILT_IN: [&dyn AnySolver; 7] = [
    &wavefield_dgtd::DgtdSolver,
    &wavefield_exact::ExactSolver,
    &wavefield_holography::HolographySolver,
    &wavefield_mom2d::Mom2dSolver,
    &wavefield_mom3d::Mom3dSolver,
    &wavefield_reflectarray::ReflectarraySolver,
    &wavefield_sbr::SbrSolver,
];

/// Solvers that the program has registered.
static REGISTERED: RwLock<Vec<&'static dyn AnySolver>> = RwLock::new(Vec::new());

/// Registers a solver, so that problem files may name it. A name that is taken already keeps its solver; returns whether the
/// name was free.
pub fn register(solver: &'static dyn AnySolver) -> bool {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let taken = |other: &&'static dyn AnySolver| other.name() == solver.name();
    let free = !BUILT_IN.iter().any(taken) && !registered.iter().any(taken);
    if free {
        registered.push(solver);
    }
    free
}

/// Returns all solvers, those of Wavefield first.
pub fn solvers() -> Vec<&'static dyn AnySolver> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// Returns the solver of a name.
pub fn solver(name: &str) -> Option<&'static dyn AnySolver> {
    solvers().into_iter().find(|solver| solver.name() == name)
}
