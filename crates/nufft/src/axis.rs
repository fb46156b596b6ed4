//! Coordinates in radians as grid points and fractions between them.
//!
//! A coordinate rounded to f64 in units of the grid would lose as many bits of its fraction as the grid has, and the phase
//! of the highest mode an error that grows with their number. Folding keeps what rounding drops, and places are fixed-point
//! numbers, which resolve 2⁻³² of the grid spacing or more: 2⁻⁴⁵ on a grid of 2¹⁸ points.

use std::f64::consts::FRAC_1_PI;

/// 1/(2π), and what its rounding drops.
const TURNS: f64 = 0.5 * FRAC_1_PI;
const TURNS_REST: f64 = -9.839_338_337_591_243e-18;

/// Axis of the fine grid, onto which coordinates are folded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    length: f64,
    /// From the point to the first grid point of its window: whole grid points, and 0 or a half.
    shift: f64,
    half: f64,
    /// Bits of the fraction of a place.
    bits: u32,
}

impl Axis {
    /// Creates an axis of a length in grid points, for windows of a width.
    pub(crate) fn new(length: usize, width: usize) -> Axis {
        debug_assert!(length < 1 << 31);
        let shift = 1.0 - 0.5 * width as f64;
        Axis {
            length: length as f64,
            shift: shift.floor(),
            half: shift - shift.floor(),
            bits: 51.min(64 - length.next_power_of_two().trailing_zeros()),
        }
    }

    /// Folds a coordinate of x radians: returns the first grid point that its window touches, and the distance from there to the
    /// start of the window, in [0, 1] to rounding. Not a number if x is not finite.
    ///
    /// Fused multiplications return what products drop. The compiler vectorizes loops over coordinates.
    #[inline(always)]
    pub(crate) fn fold(self, x: f64) -> (f64, f64) {
        let turns = x * TURNS;
        let rest = x.mul_add(TURNS_REST, x.mul_add(TURNS, -turns));
        // To the nearest turn: near zero nothing is subtracted, and nothing lost.
        let turns = turns - turns.round_ties_even();
        let place = turns * self.length;
        let rest = rest.mul_add(self.length, turns.mul_add(self.length, -place));
        let first = (place + self.half).floor();
        let fraction = ((place - first) + self.half) + rest;
        let first = first + self.shift;
        let first = if first < 0.0 {
            first + self.length
        } else {
            first
        };
        (first, fraction)
    }

    /// Returns a place as a fixed-point number: half of the fraction, plus an eighth, below the grid point. A fraction may thus be
    /// beyond [0, 1] by rounding, as those of points on the grid are.
    #[inline(always)]
    pub(crate) fn fixed(self, first: i32, fraction: f64) -> u64 {
        // Adding a power of two moves the fraction to the last bits of the significand.
        let one = self.one();
        let most = 1.0 - 1.0 / (1u64 << self.bits) as f64;
        // Coordinates of billions of turns are not known to a grid point.
        let part = (0.5 * fraction + 0.125).clamp(0.0, most);
        let bits = (part + one).to_bits() - one.to_bits();
        ((first as u64) << self.bits) + bits
    }

    /// Returns the grid point and the fraction of a place.
    #[inline(always)]
    pub(crate) fn split(self, place: u64) -> (usize, f64) {
        let one = self.one();
        let bits = place & ((1 << self.bits) - 1);
        let part = f64::from_bits(one.to_bits() | bits) - one;
        ((place >> self.bits) as usize, 2.0 * part - 0.25)
    }

    /// Returns the power of two whose last bit is that of the fraction.
    #[inline(always)]
    fn one(self) -> f64 {
        (1u64 << (52 - self.bits)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Number of steps of a turn in exact arithmetic.
    const STEPS: i64 = 1 << 40;

    #[test]
    fn places_of_exact_fractions_of_a_turn_are_exact() {
        for (length, width) in [(16, 16), (17, 3), (180_000, 13), (1 << 30, 8)] {
            let axis = Axis::new(length, width);
            for number in [0, 1, 5, STEPS / 3, STEPS / 2, STEPS - 1, -1, -STEPS / 7] {
                // x is the nearest number to 2π number / STEPS; its rounding error in turns is known.
                let turns = number as f64 / STEPS as f64;
                let x = TAU * turns;
                let (first, fraction) = axis.fold(x);
                let found = axis.split(axis.fixed(first as i32, fraction));
                assert!(first >= 0.0 && first < length as f64);
                assert!((-1e-6..=1.0 + 1e-6).contains(&fraction));
                // Exact place in units of 1/(2 STEPS), modulo the grid.
                let whole = 2 * i128::from(number) * length as i128
                    + i128::from(STEPS) * (2 - width as i128);
                let unit = 2 * i128::from(STEPS);
                let found = found.0 as i128 * unit + (found.1 * unit as f64) as i128;
                let period = unit * length as i128;
                let difference = (found - whole).rem_euclid(period);
                let difference = difference.min(period - difference) as f64 / (2.0 * STEPS as f64);
                // The rounding of x itself: half a unit of its last place, in grid points.
                let bound = x.abs() * f64::EPSILON / TAU * length as f64 + 1e-9;
                assert!(
                    difference <= bound,
                    "{length} {width} {number}: {difference} > {bound}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        let axis = Axis::new(100, 7);
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(axis.fold(x).0.is_nan());
        }
        for x in [f64::MAX, -f64::MAX, f64::MIN_POSITIVE, -1e-300, 1e15] {
            let (first, fraction) = axis.fold(x);
            let (first, fraction) = axis.split(axis.fixed(first as i32, fraction));
            assert!(first < 100 && (-0.25..1.75).contains(&fraction), "{x}");
        }
    }
}
