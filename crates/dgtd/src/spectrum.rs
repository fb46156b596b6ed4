//! Running discrete Fourier transform (DFT) of the fields at nodes.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::extrapolation;
use crate::flux::Fields;

/// Phasors of E and Z₀H at one frequency.
pub(crate) type Phasors = [[Complex64; 3]; 2];

/// Accumulated spectra, and their samples for extrapolation, as saved in a checkpoint.
pub(crate) type Kept = (Vec<Phasors>, Vec<Vec<Phasors>>);

/// Returns n × F for a phasor F.
pub(crate) fn cross(n: [f64; 3], f: &[Complex64; 3]) -> [Complex64; 3] {
    std::array::from_fn(|c| {
        let (a, b) = ((c + 1) % 3, (c + 2) % 3);
        n[a] * f[b] - n[b] * f[a]
    })
}

/// Running Fourier transform ∫ … e^{−jkt} dt of the fields at some nodes, for some wavenumbers.
#[derive(Clone, Debug)]
pub(crate) struct Spectrum {
    /// Elements and nodes.
    watched: Vec<(u32, u16)>,
    wavenumbers: Vec<f64>,
    /// Phasors by wavenumber, then node.
    phasors: Vec<Phasors>,
    /// Copies of the phasors at earlier times, for extrapolation.
    samples: Vec<Vec<Phasors>>,
}

impl Spectrum {
    /// Creates zero spectra for some elements and nodes, and for some wavenumbers (rad/m).
    pub(crate) fn new(watched: Vec<(u32, u16)>, wavenumbers: &[f64]) -> Spectrum {
        Spectrum {
            phasors: vec![[[Complex64::ZERO; 3]; 2]; watched.len() * wavenumbers.len()],
            watched,
            wavenumbers: wavenumbers.to_vec(),
            samples: Vec::new(),
        }
    }

    /// Returns the elements and nodes whose fields are transformed.
    pub(crate) fn watched(&self) -> &[(u32, u16)] {
        &self.watched
    }

    /// Returns a wavenumber by its index, rad/m.
    pub(crate) fn wavenumber(&self, number: usize) -> f64 {
        self.wavenumbers[number]
    }

    /// Returns the phasors at the nodes for a wavenumber, by its index.
    pub(crate) fn at(&self, number: usize) -> &[Phasors] {
        let count = self.watched.len();
        &self.phasors[number * count..(number + 1) * count]
    }

    /// Returns the spectra and their samples for a checkpoint.
    pub(crate) fn kept(&self) -> Kept {
        (self.phasors.clone(), self.samples.clone())
    }

    /// Restores the spectra and their samples from a checkpoint.
    pub(crate) fn restore(&mut self, (phasors, samples): Kept) {
        self.phasors = phasors;
        self.samples = samples;
    }

    /// Stores a sample of the spectra for extrapolation.
    pub(crate) fn sample(&mut self) {
        self.samples.push(self.phasors.clone());
    }

    /// Replaces the spectra by their limits for infinite time, extrapolated from the samples.
    ///
    /// Returns the largest relative change over the wavenumbers if the last sample is omitted.
    pub(crate) fn extrapolate(&mut self) -> f64 {
        let count = self.watched.len();
        if count == 0 || self.samples.len() < 3 {
            return 0.0;
        }
        let samples = std::mem::take(&mut self.samples);
        let changes = (self.phasors.par_chunks_mut(count).enumerate()).map(|(number, phasors)| {
            let sequence: Vec<&[Complex64]> = (samples.iter())
                .map(|sample| &sample[number * count..(number + 1) * count])
                .map(|phasors| phasors.as_flattened().as_flattened())
                .collect();
            let (limit, change) = extrapolation::limit(&sequence);
            (phasors.as_flattened_mut().as_flattened_mut()).copy_from_slice(&limit);
            change
        });
        changes.reduce(|| 0.0, f64::max)
    }

    /// Adds the fields at the nodes at a time (m), with the quadrature weight `span` (m).
    pub(crate) fn add(&mut self, time: f64, span: f64, fields: &[Fields]) {
        if fields.is_empty() {
            return;
        }
        let wavenumbers = &self.wavenumbers;
        (self.phasors.par_chunks_mut(fields.len()).zip(wavenumbers)).for_each(|(phasors, &k)| {
            let turn = Complex64::from_polar(span, -k * time);
            for (phasor, field) in phasors.iter_mut().zip(fields) {
                for kind in 0..2 {
                    for c in 0..3 {
                        phasor[kind][c] += turn * field[kind][c];
                    }
                }
            }
        });
    }
}
