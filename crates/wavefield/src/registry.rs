//! Registry of solvers that problem files may select.

use std::sync::{PoisonError, RwLock};

use wavefield_solver::AnySolver;

/// Built-in solvers.
static BUILT_IN: [&dyn AnySolver; 7] = [
    &wavefield_dgtd::DgtdSolver,
    &wavefield_exact::ExactSolver,
    &wavefield_holography::HolographySolver,
    &wavefield_mom2d::Mom2dSolver,
    &wavefield_mom3d::Mom3dSolver,
    &wavefield_reflectarray::ReflectarraySolver,
    &wavefield_sbr::SbrSolver,
];

/// Solvers registered by the embedding program.
static REGISTERED: RwLock<Vec<&'static dyn AnySolver>> = RwLock::new(Vec::new());

/// Registers a solver, so that problem files may select it. Returns whether the name was free; a registered solver is
/// not replaced.
pub fn register(solver: &'static dyn AnySolver) -> bool {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let taken = |other: &&'static dyn AnySolver| other.name() == solver.name();
    let free = !BUILT_IN.iter().any(taken) && !registered.iter().any(taken);
    if free {
        registered.push(solver);
    }
    free
}

/// Returns all solvers, the built-in ones first.
pub fn solvers() -> Vec<&'static dyn AnySolver> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// Returns the solver with this name.
pub fn solver(name: &str) -> Option<&'static dyn AnySolver> {
    solvers().into_iter().find(|solver| solver.name() == name)
}
