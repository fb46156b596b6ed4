//! Fields at nodes, taken to frequencies as they pass.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::flux::Fields;

/// E and Z₀H at one frequency.
pub(crate) type Phasors = [[Complex64; 3]; 2];

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
}

impl Spectrum {
    /// Nothing yet, for some elements and nodes and wavenumbers (rad/m).
    pub(crate) fn new(watched: Vec<(u32, u16)>, wavenumbers: &[f64]) -> Spectrum {
        Spectrum {
            phasors: vec![[[Complex64::ZERO; 3]; 2]; watched.len() * wavenumbers.len()],
            watched,
            wavenumbers: wavenumbers.to_vec(),
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

    /// All that has been summed so far, to be kept and brought back.
    pub(crate) fn phasors(&self) -> &[Phasors] {
        &self.phasors
    }

    /// Brings back what was kept.
    pub(crate) fn restore(&mut self, phasors: Vec<Phasors>) {
        self.phasors = phasors;
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
