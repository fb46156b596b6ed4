//! From the waves that go out of a square to those that come into another, direction by direction.
//!
//! With ρ within the square that hears, ρ′ within the one that sends, and X between their middles,
//!
//!   H₀⁽²⁾(k|X + ρ − ρ′|) = (1/2π) ∫ e^{−jk k̂·ρ} T(α) e^{jk k̂·ρ′} dα,  T(α) = Σ_{|m| ≤ L} (−j)ᵐ H_m⁽²⁾(kX) e^{jm(α − φ_X)}
//!
//! (Graf's addition theorem and the Jacobi–Anger expansion). H_m grows beyond m = kX, so that small squares cannot be
//! told of with many digits; leaves are no smaller than a wavelength or so.

use num_complex::Complex64;
use rayon::prelude::*;

use super::directions::Directions;
use crate::wave::Wave;
use wavefield_physics::special::SpecialError;

/// Squares that hear of each other are at most so many columns or rows apart.
const REACH: i64 = 3;
const ACROSS: usize = 2 * REACH as usize + 1;

/// The factors T of a level, times −j/4, by how many squares lie between.
pub(crate) struct Translations(Vec<Option<Vec<Complex64>>>);

impl Translations {
    /// The place of an offset among all.
    pub(crate) fn number(offset: [i64; 2]) -> usize {
        let [x, y] = offset.map(|d| (d + REACH) as usize);
        y * ACROSS + x
    }

    /// Those for offsets that occur, of squares of a side.
    pub(crate) fn new(
        wavenumber: f64,
        side: f64,
        directions: &Directions,
        occurs: impl Fn(usize) -> bool + Sync,
    ) -> Result<Translations, SpecialError> {
        let all = (0..ACROSS * ACROSS).into_par_iter().map(|number| {
            let between = [number % ACROSS, number / ACROSS]
                .map(|place| (place as f64 - REACH as f64) * side);
            (occurs(number).then(|| factors(wavenumber, between, directions))).transpose()
        });
        Ok(Translations(all.collect::<Result<_, _>>()?))
    }

    pub(crate) fn at(&self, number: usize) -> &[Complex64] {
        self.0[number].as_deref().unwrap_or(&[])
    }
}

fn factors(
    wavenumber: f64,
    between: [f64; 2],
    directions: &Directions,
) -> Result<Vec<Complex64>, SpecialError> {
    let distance = between[0].hypot(between[1]);
    let angle = between[1].atan2(between[0]);
    let x = wavenumber * distance;
    let (h0, h1) = Wave::Real(wavenumber).hankel(&[distance])?;
    let (mut below, mut here) = (h0[0], h1[0]);
    let count = directions.count();
    let scale = Complex64::new(0.0, -0.25);
    let mut factors = vec![Complex64::new(0.0, 0.0); count];
    factors[0] = scale * below;
    let mut turn = Complex64::new(1.0, 0.0);
    for order in 1..=directions.order {
        turn *= Complex64::new(0.0, -1.0);
        let phase = Complex64::from_polar(1.0, -(order as f64) * angle);
        // H₋ₘ = (−1)ᵐ Hₘ and (−j)⁻ᵐ = (−1)ᵐ (−j)ᵐ: both orders have the same factor.
        let both = scale * turn * here;
        factors[order] = both * phase;
        factors[count - order] = both * phase.conj();
        (below, here) = (here, 2.0 * order as f64 / x * here - below);
    }
    let mut scratch = vec![Complex64::new(0.0, 0.0); directions.inverse.get_inplace_scratch_len()];
    directions
        .inverse
        .process_with_scratch(&mut factors, &mut scratch);
    Ok(factors)
}
