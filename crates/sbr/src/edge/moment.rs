//! Moment of the fringe current of one face per length of edge.
//!
//! In the frame of a face (x into the face, y outward, z along the edge), with β' the angle between the
//! direction of propagation and z, σ̂ = x̂ sin β' + ẑ cos β' the direction of the strip, and ŝ the
//! direction of observation,
//!
//!   μ = (ŝ·σ̂ − cos²β')/sin²β',   κ = k sin β',
//!   K_x = (2j/κ) H_z h,
//!   K_z = (2j/κ) [ E_z s/sin β' + cot β' H_z (μh + U − 1/n + e) ].
//!
//! The bracket contains the integral of ∂H_z/∂x by parts: U − 1/n is the field at the edge, e that at
//! the end of the strip. The far field of a length dl is r E e^{jkr} = −(jk/4π) (K − ŝ ŝ·K) e^{jkŝ·r'}
//! dl. The vectors account for cross-polarization.

use std::f64::consts::PI;

use num_complex::Complex64;

use super::fringe::{StripCoefficients, endless};
use super::truncation::truncated;
use super::wedge::FaceFrame;
use wavefield_numerics::vector::{along, cross, dot};

/// Threshold of sin β' below which a wave propagates along the edge and its strips have zero width.
const ALONG_THE_EDGE: f64 = 1e-4;

/// Threshold of 1 − μ below which an infinite strip is truncated, and its reduced length kL sin²β'
/// after truncation.
const LOOKING_ALONG: f64 = 0.02;
const LONGEST: f64 = 1000.0;

/// Response of one face of a wedge to a plane wave in one direction of observation.
#[derive(Clone, Copy, Debug)]
pub struct FaceResponse {
    frame: FaceFrame,
    propagation: [f64; 3],
    wavenumber: f64,
    incidence: f64,
    n: f64,
    cosine: f64,
    sine: f64,
    mu: f64,
}

impl FaceResponse {
    /// Creates the response. `propagation` is the direction of propagation, `incidence` its angle from
    /// this face (0 … nπ), `observer` the direction of observation. `None` for propagation along the
    /// edge.
    pub fn new(
        frame: FaceFrame,
        n: f64,
        wavenumber: f64,
        propagation: [f64; 3],
        incidence: f64,
        observer: [f64; 3],
    ) -> Option<Self> {
        let cosine = dot(propagation, frame.z);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        if sine < ALONG_THE_EDGE {
            return None;
        }
        let strip = frame.strip_direction(propagation);
        let mu = ((dot(observer, strip) - cosine * cosine) / (sine * sine)).min(1.0);
        Some(Self {
            frame,
            propagation,
            wavenumber,
            incidence,
            n,
            cosine,
            sine,
            mu,
        })
    }

    /// Returns the coefficients of a strip of the given length in m; infinite for an infinite face.
    ///
    /// The current of an infinite strip is singular for observation along it; there the strip is
    /// truncated.
    pub fn coefficients(&self, length: f64) -> StripCoefficients {
        if length.is_finite() {
            let reduced = self.wavenumber * length * self.sine * self.sine;
            truncated(self.mu, self.incidence, self.n, reduced)
        } else if 1.0 - self.mu < LOOKING_ALONG {
            truncated(self.mu, self.incidence, self.n, LONGEST)
        } else {
            endless(self.mu, self.incidence, self.n)
        }
    }

    /// Returns the current moment per length of edge for an incident electric field `field` at the
    /// edge.
    pub fn moment(&self, strip: &StripCoefficients, field: [Complex64; 3]) -> [Complex64; 3] {
        let (electric, magnetic) = self.along_edge(field);
        let lit = if self.incidence < PI { 1.0 } else { 0.0 };
        let front = Complex64::new(0.0, 2.0 / (self.wavenumber * self.sine));
        let across = front * magnetic * strip.hard;
        let rest = self.mu * strip.hard + lit - 1.0 / self.n + strip.end;
        let parallel = front * (electric * strip.soft + self.cosine * magnetic * rest) / self.sine;
        [0, 1, 2].map(|i| across * self.frame.x[i] + parallel * self.frame.z[i])
    }

    /// Returns the electric field, at the end of a strip, of the edge wave that carries the fringe
    /// current: it propagates along the strip and is incident on the next edge with half the surface
    /// field, which includes its reflection.
    pub fn edge_wave(
        &self,
        strip: &StripCoefficients,
        length: f64,
        field: [Complex64; 3],
    ) -> Complex64 {
        let (_, magnetic) = self.along_edge(field);
        let k = self.wavenumber * length;
        let phase = -k * (self.sine * self.sine * self.mu + self.cosine * self.cosine);
        magnetic * strip.end * Complex64::from_polar(1.0 / self.sine, phase)
    }

    /// Returns E_z and H_z.
    fn along_edge(&self, field: [Complex64; 3]) -> (Complex64, Complex64) {
        // z·(ŝ'×E) = E·(z×ŝ').
        let magnetic = along(field, cross(self.frame.z, self.propagation));
        (along(field, self.frame.z), magnetic)
    }
}
