//! Receivers of the patches from which a wave leaves a body.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::patch::{Amplitude, Observer, Patch};

/// Accumulator of the patches from which a wave leaves the body.
pub(crate) trait Receiver: Send + Sync + Sized {
    /// Returns an empty accumulator of the same kind.
    fn empty(&self) -> Self;

    /// Adds one patch.
    fn receive(&mut self, patch: &Patch);

    /// Adds the sum of another accumulator.
    fn join(&mut self, other: &Self);
}

/// Number of partial sums held at once.
pub(crate) const BLOCKS: usize = 64;

/// Threads of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// One: other waves occupy the other threads.
    One,
    /// All of the current rayon pool.
    All,
}

/// Processes numbered blocks and joins their receivers in order, which makes the sum independent of the number of
/// threads; passes the result of each block to `total`.
pub(crate) fn in_blocks<R: Receiver, C: Send>(
    threads: Threads,
    count: usize,
    receiver: &mut R,
    work: impl Fn(usize, &mut R) -> C + Sync,
    mut total: impl FnMut(C),
) {
    let block = |receiver: &R, number: usize| {
        let mut part = receiver.empty();
        let returned = work(number, &mut part);
        (part, returned)
    };
    if threads == Threads::One {
        for number in 0..count {
            let (part, returned) = block(receiver, number);
            receiver.join(&part);
            total(returned);
        }
        return;
    }
    for first in (0..count).step_by(BLOCKS) {
        let parts: Vec<(R, C)> = (first..(first + BLOCKS).min(count))
            .into_par_iter()
            .map(|number| block(receiver, number))
            .collect();
        for (part, returned) in parts {
            receiver.join(&part);
            total(returned);
        }
    }
}

/// Sums of the far field.
#[derive(Clone, Debug)]
pub(crate) struct FarField<'a> {
    pub(crate) observers: &'a [Observer],
    pub(crate) wavenumbers: &'a [f64],
    /// Amplitudes, ordered by observer and then by frequency.
    pub(crate) amplitudes: Vec<Amplitude>,
}

impl<'a> FarField<'a> {
    pub(crate) fn new(observers: &'a [Observer], wavenumbers: &'a [f64]) -> FarField<'a> {
        FarField {
            observers,
            wavenumbers,
            amplitudes: vec![[[Complex64::ZERO; 2]; 2]; observers.len() * wavenumbers.len()],
        }
    }

    /// Adds a field for each observer and frequency, given by index and k.
    pub(crate) fn add(&mut self, mut field: impl FnMut(&Observer, (usize, f64), &mut Amplitude)) {
        let per_observer = self.amplitudes.chunks_exact_mut(self.wavenumbers.len());
        for (observer, amplitudes) in self.observers.iter().zip(per_observer) {
            let waves = self.wavenumbers.iter().copied().enumerate();
            for (wave, amplitude) in waves.zip(amplitudes) {
                field(observer, wave, amplitude);
            }
        }
    }
}

impl Receiver for FarField<'_> {
    fn empty(&self) -> Self {
        FarField::new(self.observers, self.wavenumbers)
    }

    fn receive(&mut self, patch: &Patch) {
        self.add(|observer, wave, sum| patch.radiate(wave, observer, sum));
    }

    fn join(&mut self, other: &Self) {
        let parts = other.amplitudes.iter().flatten().flatten();
        for (sum, part) in self.amplitudes.iter_mut().flatten().flatten().zip(parts) {
            *sum += part;
        }
    }
}
