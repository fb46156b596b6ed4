//! Estimate of the discretization error of the S-parameters of lumped ports.
//!
//! At edges of conductors and at the ends of a port E and H rise as r^−1/2, and dominate the error: polynomials of order
//! N on elements at the edge approximate such a field in the energy norm to O(1/(N + 1)), and the energy stored around
//! the port, hence its impedance, to the square of it (I. Babuška, M. Suri, SIAM Review 36 (1994) 578–632). With errors
//! in proportion to (N + 1)^−2 the change of the S-parameters from order N − 1 to N leaves the error
//!
//! |S − S_N| ≈ N²/(2N + 1) |S_N − S_{N−1}|.
//!
//! Ports without singularities converge faster, and the estimate is an upper bound. S-parameters are compared, not
//! impedances: they are bounded, and have no poles, about which a small shift of a resonance is a large change.

use wavefield_numerics::worst::Worst;
use wavefield_physics::antenna::Network;
use wavefield_solver::outcome::Check;

use crate::Plan;

/// Largest acceptable error of an S-parameter.
const ERROR: f64 = 0.01;
/// Largest difference of two S-parameters of passive networks, which is all that is known at the lowest order.
const PASSIVE: f64 = 2.0;

/// Returns the check of the S-parameters of a plan, given those at the next lower order.
pub(super) fn check(plan: &Plan, found: &Network, lower: Option<&Network>) -> Check {
    let order = plan.discretization().reference.order();
    let remedy = if plan.spec().dgtd.mesh.is_some() {
        "refine `dgtd.mesh` at the port and at edges of conductors, or increase `dgtd.order`"
    } else {
        "decrease the `mesh_size` of bodies to refine edges of conductors, or increase `dgtd.order`"
    };
    let name = "error of the S-parameters, estimated from their change with the order";
    match lower {
        Some(lower) => {
            let pairs = found.parameters.iter().zip(&lower.parameters);
            let change = Worst::of(pairs.map(|(s, lower)| (s - lower).norm()));
            Check {
                name: name.to_owned(),
                value: (remaining(order) * change).min(f64::MAX),
                limit: ERROR,
                against: format!("the same ports at order {}", order - 1),
                remedy: remedy.to_owned(),
            }
        }
        None => Check {
            name: format!("{name} (not assessed)"),
            value: PASSIVE,
            limit: ERROR,
            against: "any passive network, since order 1 has no lower order to compare with"
                .to_owned(),
            remedy: "increase `dgtd.order` to 2 or more".to_owned(),
        },
    }
}

/// Returns the error at an order relative to the change from the next lower order, at least 1.
fn remaining(order: usize) -> f64 {
    let order = order as f64;
    (order * order / (2.0 * order + 1.0)).max(1.0)
}
