//! From the waves that go out of a square to those that come into another: factors for every offset between them.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

/// Squares that interact are at most so many columns or rows apart.
const REACH: i64 = 3;
const ACROSS: usize = 2 * REACH as usize + 1;

/// The factors of a level, by how many squares lie between.
pub(crate) struct Translations(Vec<Option<Vec<Complex64>>>);

impl Translations {
    /// The place of an offset among all.
    pub(crate) fn number(offset: [i64; 2]) -> usize {
        let [x, y] = offset.map(|d| (d + REACH) as usize);
        y * ACROSS + x
    }

    /// Those for offsets that occur, of squares of a side; `factors` are those for a way between.
    pub(crate) fn new(
        side: f64,
        occurs: impl Fn(usize) -> bool + Sync,
        factors: impl Fn([f64; 2]) -> Result<Vec<Complex64>, SpecialError> + Sync,
    ) -> Result<Translations, SpecialError> {
        let all = (0..ACROSS * ACROSS).into_par_iter().map(|number| {
            let between = [number % ACROSS, number / ACROSS]
                .map(|place| (place as f64 - REACH as f64) * side);
            occurs(number).then(|| factors(between)).transpose()
        });
        Ok(Translations(all.collect::<Result<_, _>>()?))
    }

    pub(crate) fn at(&self, number: usize) -> &[Complex64] {
        self.0[number].as_deref().unwrap_or(&[])
    }
}
