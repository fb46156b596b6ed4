//! Translation operators from the outgoing waves of a cell to the incoming waves of another, by their offset.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

/// Maximum offset of interacting cells in columns or rows.
const REACH: i64 = 3;
/// Number of offsets along an axis.
const ACROSS: usize = 2 * REACH as usize + 1;

/// Translation operators of a level, by cell offset.
pub(crate) struct Translations(Vec<Option<Vec<Complex64>>>);

impl Translations {
    /// Returns the index of an offset.
    pub(crate) fn number(offset: [i64; 2]) -> usize {
        let [x, y] = offset.map(|d| (d + REACH) as usize);
        y * ACROSS + x
    }

    /// Creates the operators for offsets that occur, of cells with a given side; `factors` returns that of an offset in
    /// meters.
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
