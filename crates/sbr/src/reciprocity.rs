//! Reciprocity of monostatic scattering: every path in both directions.
//!
//! A wave of polarization q induces currents J_q and M_q on the body. With E_r and H_r the incident wave that the
//! receiver would transmit with polarization r, the Lorentz reciprocity theorem states for the exact currents
//!
//! S_rq ∝ ∫ (J_q·E_r − M_q·H_r) dA = ∫ (J_r·E_q − M_r·H_q) dA,
//!
//! the integrals over the outer face of the body. The exit integral of a path is the first form with the currents
//! that geometrical optics leaves on the last facet: q propagates along the path, and r is incident at the exit. The
//! second form is the same path in reverse: r propagates along it from the receiver, and q is incident at the exit.
//! Exact currents make both equal. Currents of geometrical optics end abruptly at the sides of a tube, and the two
//! forms agree only where the path leaves toward the receiver. With d and d₁ the directions of the direct wave and of
//! the wave that reaches the last facet, n its normal, and E_q the field of the path there, the factor of the exit
//! integral is
//!
//! r·[n × (d₁ × E_q)] = (r·d₁)(n·E_q) − (r·E_q)(n·d₁).
//!
//! In a right-angled dihedral with a vertical fold, at an angle φ from the normal of its first face, this is −2 sin θ
//! cos θ cos φ for S_VH and zero for S_HV: PEC faces along the fold do not convert a wave without H_z into one with
//! H_z. At θ = 90° the path is retroreflecting and both vanish. Their mean, −sin θ cos θ cos φ, is the radiation of
//! the outgoing wave alone from the exit aperture, with J = n × H and M = E × n of the reflected wave: the other half
//! of S_VH is the shadow radiation of the incoming wave.
//!
//! In a monostatic run transmitter and receiver share their direction, hence their tubes. The reversed path then
//! needs no rays of its own: its matrix is the transpose of the matrix T of the forward path. The mean over both
//! directions of all paths is
//!
//! S = ½ Σ (T + Tᵀ).
//!
//! The argument holds for any induced current, so that it covers facets, coatings, and the fringe currents of edges
//! alike; an edge wave from one edge to another becomes the mean over both orders of the two. Co-polar elements are
//! those of the forward paths. Half the difference, ½|S_VH − S_HV| of the forward paths, estimates the error of
//! geometrical optics in the cross-polar elements.
//!
//! Toward another direction the reversed paths are those of a wave from there, which is not traced: bistatic matrices
//! are those of the forward paths.

use crate::patch::Amplitude;

/// Averages the amplitude of paths over both their directions.
pub(crate) fn both_directions(forward: &Amplitude) -> Amplitude {
    let cross = 0.5 * (forward[0][1] + forward[1][0]);
    [[forward[0][0], cross], [cross, forward[1][1]]]
}
