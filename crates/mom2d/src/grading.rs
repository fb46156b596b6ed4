//! Number of bisections of panels toward a corner or an end.
//!
//! Near the tip of a wedge that conducts, with the angle ω outside it, the field is a sum of r^{mν} sin mνθ (TM) or
//! r^{mν} cos mνθ (TE) with ν = π/ω (J. Meixner, IEEE Trans. Antennas Propag. 20 (1972) 442–446). With δ = ω − π, the angle by
//! which the contour turns, ν = π/(π + δ): 1/2 at the end of a strip, 2/3 at the corner of a square. The current is r^{ν−1} in
//! TM and a constant plus r^ν in TE, and polynomials leave an error only in the part that deviates from a smooth function, in
//! proportion to |1 − ν|; at a point of a polygon through a smooth curve it is r^{−δ/π} ≈ 1 − (δ/π) ln r. With the node nearest
//! to the tip at r₁, the error is
//!
//!   |1 − ν| (k r₁)^ν
//!
//! of the integral of the current in TM, and so of the far field, and of the current itself in TE, whose far field is more
//! accurate. Where the contour is re-entrant, ν > 1, the error falls at least with the first power of r₁.
//!
//! The allowed error of a corner is inversely proportional to |1 − ν|: weak corners are many, and the polygon that they form
//! deviates from a smooth curve by hδ/8 between points at distance h, a phase of khδ/4 there and back. After one bisection the
//! integral of the current has an error of khδG/π per step, where G is the error of the Gauss rule for the logarithm on [0, 1],
//! 0.009 for 8 nodes: about 1/90 of that phase.
//!
//! On a dielectric the exponents obey sin νπ = ±R sin νδ, R = (ρ − 1)/(ρ + 1), where ρ is the ratio of the normal derivatives.
//! For |R| ≤ 1 they are no smaller than π/(π + |δ|), those of a conductor on the side with the larger angle; |R| > 1 (negative
//! ρ) acts as a turn by |Rδ| as long as that is small.
//!
//! k r₁ is in the denser medium. The scale 1/k is no longer than the radius of a circle of the curve's length, since fields
//! near a small body scale with its size.

use std::f64::consts::PI;

/// Allowed error of a corner, times |1 − ν|.
const TOLERANCE: f64 = 6e-7;
/// Ratio of the errors of corners in a coarser or finer solution.
const STEP: f64 = 4.0;
/// Maximum number of bisections by the angle, reached at ends; the last panel is then 3e-8 wavelengths long.
const MAX_BY_ANGLE: usize = 24;
/// Additional bisections in a finer solution, fewer in a coarser one, where their number is fixed.
const FIXED_STEP: isize = 4;
/// Maximum number of bisections that may be requested.
pub(crate) const MAX_BISECTIONS: usize = 40;

/// Grading of the panels of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grading {
    /// The same number of bisections at every corner and end.
    Fixed(usize),
    /// As many as each corner needs.
    Corners(Corners),
}

/// Requirements of corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corners {
    wedges: Wedges,
    /// Reciprocal of the wavenumber in the denser medium, m.
    scale: f64,
    /// Distance of a panel's first node from its start, over the length of the panel.
    first_node: f64,
    tolerance: f64,
    /// Minimum and maximum number of bisections.
    least: usize,
    most: usize,
}

/// Sides of a curve with fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wedges {
    /// Outside of a counterclockwise curve.
    Outside,
    /// Both sides, with |R| if that exceeds 1, and otherwise 1.
    Both { contrast: f64 },
}

impl Grading {
    /// Creates the grading with a fixed number of bisections in a solution with 2^`fineness` times as many panels.
    pub(crate) fn fixed(bisections: usize, fineness: i32) -> Grading {
        Grading::Fixed(stepped(bisections, fineness))
    }

    /// Creates the grading by the angle of each corner in a solution with 2^`fineness` times as many panels and 4^−`fineness`
    /// times the error at corners; `nodes` are those of a panel, from −1 to 1.
    pub(crate) fn by_corners(
        wedges: Wedges,
        wavenumber: f64,
        nodes: &[f64],
        fineness: i32,
    ) -> Grading {
        Grading::Corners(Corners {
            wedges,
            scale: 1.0 / wavenumber,
            first_node: nodes.iter().map(|x| 0.5 * (1.0 + x)).fold(1.0, f64::min),
            tolerance: TOLERANCE * STEP.powi(-fineness),
            // One bisection at every corner, so that a coarser solution has fewer panels.
            least: usize::from(fineness >= 0),
            most: stepped(MAX_BY_ANGLE, fineness),
        })
    }

    /// Returns the number of bisections of a panel toward a corner at which the curve turns by an angle; the curve has length
    /// `whole`.
    pub(crate) fn bisections(&self, turn: f64, panel: f64, whole: f64) -> usize {
        match self {
            Grading::Fixed(bisections) => *bisections,
            Grading::Corners(corners) => corners.bisections(turn, panel, whole),
        }
    }
}

/// Returns a number of bisections in a finer or coarser solution.
fn stepped(bisections: usize, fineness: i32) -> usize {
    bisections.saturating_add_signed(FIXED_STEP * fineness as isize)
}

impl Corners {
    fn bisections(&self, turn: f64, panel: f64, whole: f64) -> usize {
        let turn = match self.wedges {
            Wedges::Outside => turn,
            Wedges::Both { contrast } => (contrast * turn.abs()).min(PI),
        };
        let exponent = PI / (PI + turn);
        let strength = (1.0 - exponent).abs().min(1.0);
        let scale = self.scale.min(whole / (2.0 * PI));
        let allowed = self.tolerance / (strength * strength);
        let nearest = scale * allowed.powf(exponent.min(1.0).recip());
        let bisections = (panel * self.first_node / nearest).log2().ceil();
        (bisections.max(0.0) as usize).clamp(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::special::gauss_legendre;

    fn bisections(wedges: Wedges, turn: f64, panel: f64, fineness: i32) -> usize {
        let nodes = gauss_legendre(8).0;
        // Lengths in wavelengths.
        Grading::by_corners(wedges, 2.0 * PI, &nodes, fineness).bisections(turn, panel, 10.0)
    }

    #[test]
    fn sharp_corners_have_more_bisections_than_blunt_ones() {
        let outside = |turn: f64| bisections(Wedges::Outside, turn.to_radians(), 0.5, 0);
        assert_eq!(outside(180.0), 24);
        let counts = [180.0, 120.0, 90.0, 45.0, 10.0, 3.0, 0.01].map(outside);
        // The sharpest have the maximum number.
        assert!(counts[1..].is_sorted_by(|a, b| a > b), "{counts:?}");
        assert_eq!(counts[6], 1);
        // Re-entrant corners of conductors have no singular current; those of dielectrics do.
        assert!(outside(-90.0) < outside(90.0));
        let both = Wedges::Both { contrast: 1.0 };
        assert_eq!(
            bisections(both, -PI / 2.0, 0.5, 0),
            bisections(both, PI / 2.0, 0.5, 0)
        );
        assert!(
            bisections(Wedges::Both { contrast: 3.0 }, 0.5, 0.5, 0) > bisections(both, 0.5, 0.5, 0)
        );
    }

    #[test]
    fn halving_a_panel_takes_one_bisection_less() {
        for turn in [0.3, 1.0, 1.6] {
            let at = |panel| bisections(Wedges::Outside, turn, panel, 0);
            assert_eq!(at(0.5), at(0.25) + 1);
        }
    }

    /// Also between edges much shorter than panels, which a coarser solution cannot merge; a finer one halves them.
    #[test]
    fn a_coarser_solution_has_longer_panels_at_corners_and_a_finer_one_shorter_ones() {
        for turn in [0.001, 0.05, 1.0, PI] {
            for panel in [0.01, 0.5] {
                let last = |panel: f64, fineness| {
                    let bisections = bisections(Wedges::Outside, turn, panel, fineness);
                    panel * 0.5f64.powi(bisections as i32)
                };
                let own = last(panel, 0);
                assert!(last(panel, -1) >= 2.0 * own, "{turn} {panel}");
                assert!(last(0.5 * panel, 1) <= 0.5 * own, "{turn} {panel}");
            }
        }
    }
}
