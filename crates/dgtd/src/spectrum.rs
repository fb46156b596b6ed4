//! Fields at nodes, taken to frequencies as they pass.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::extrapolation;
use crate::flux::Fields;

/// E and Z₀H at one frequency.
pub(crate) type Phasors = [[Complex64; 3]; 2];

/// What has been summed, and what it was at the times of samples.
pub(crate) type Kept = (Vec<Phasors>, Vec<Vec<Phasors>>);

/// n × F, of a field at one frequency.
pub(crate) fn cross(n: [f64; 3], f: &[Complex64; 3]) -> [Complex64; 3] {
    std::array::from_fn(|c| {
        let (a, b) = ((c + 1) % 3, (c + 2) % 3);
        n[a] * f[b] - n[b] * f[a]
    })
}

/// ∫ … e^{−jkt} dt of the fields at some nodes, for some wavenumbers.
#[derive(Clone, Debug)]
pub(crate) struct Spectrum {
    /// Elements and nodes.
    watched: Vec<(u32, u16)>,
    wavenumbers: Vec<f64>,
    /// By wavenumber, then node.
    phasors: Vec<Phasors>,
    /// What they were at some times on the way.
    samples: Vec<Vec<Phasors>>,
}

impl Spectrum {
    /// Nothing yet, for some elements and nodes and wavenumbers (rad/m).
    pub(crate) fn new(watched: Vec<(u32, u16)>, wavenumbers: &[f64]) -> Spectrum {
        Spectrum {
            phasors: vec![[[Complex64::ZERO; 3]; 2]; watched.len() * wavenumbers.len()],
            watched,
            wavenumbers: wavenumbers.to_vec(),
            samples: Vec::new(),
        }
    }

    /// Elements and nodes whose fields are wanted.
    pub(crate) fn watched(&self) -> &[(u32, u16)] {
        &self.watched
    }

    /// A wavenumber by its number.
    pub(crate) fn wavenumber(&self, number: usize) -> f64 {
        self.wavenumbers[number]
    }

    /// What has been summed at the nodes for a wavenumber, by its number.
    pub(crate) fn at(&self, number: usize) -> &[Phasors] {
        let count = self.watched.len();
        &self.phasors[number * count..(number + 1) * count]
    }

    /// All that has been summed so far, and what it was at the times of samples, to be kept and brought back.
    pub(crate) fn kept(&self) -> Kept {
        (self.phasors.clone(), self.samples.clone())
    }

    /// Brings back what was kept.
    pub(crate) fn restore(&mut self, (phasors, samples): Kept) {
        self.phasors = phasors;
        self.samples = samples;
    }

    /// Remembers what has been summed so far.
    pub(crate) fn sample(&mut self) {
        self.samples.push(self.phasors.clone());
    }

    /// Replaces what has been summed by what it would be if the run had gone on for ever, judged by the samples; returns
    /// by which part that changes at most, over wavenumbers, if the last sample is left out.
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

    /// Adds the fields at the watched nodes at a time that stands for a span.
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
