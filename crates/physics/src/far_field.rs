//! Far fields, stored as r·E·e^{jkr}, which is independent of the distance.

use std::f64::consts::PI;

use num_complex::Complex64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Converts a power ratio to decibels.
pub fn power_db(ratio: f64) -> f64 {
    10.0 * ratio.log10()
}

/// Far field r·E·e^{jkr} in V in one direction, by its θ and φ components.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FarField {
    /// θ̂ component.
    pub theta: Complex64,
    /// φ̂ component.
    pub phi: Complex64,
}

impl FarField {
    /// Returns |r·E|² in V².
    pub fn power(&self) -> f64 {
        self.theta.norm_sqr() + self.phi.norm_sqr()
    }

    /// Returns the directivity 4πU/P with the radiation intensity U = |rE|²/2η, for a total
    /// radiated power P in W.
    pub fn directivity(&self, radiated_power: f64, impedance: f64) -> f64 {
        4.0 * PI * self.power() / (2.0 * impedance) / radiated_power
    }
}

/// A polarization channel, receive and transmit, with V = θ̂ and H = φ̂.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Channel {
    /// V received, V transmitted.
    VV,
    /// V received, H transmitted.
    VH,
    /// H received, V transmitted.
    HV,
    /// H received, H transmitted.
    HH,
}

impl Channel {
    /// The four channels in file order.
    pub const ALL: [Channel; 4] = [Channel::VV, Channel::VH, Channel::HV, Channel::HH];

    /// Returns the name: `VV`, `VH`, `HV`, or `HH`.
    pub fn name(self) -> &'static str {
        match self {
            Channel::VV => "VV",
            Channel::VH => "VH",
            Channel::HV => "HV",
            Channel::HH => "HH",
        }
    }
}

/// Complex scattering matrix √σ·e^{j phase} in m for one pair of directions.
///
/// S_pq: p received, q transmitted. With E_s = S/√(4π) · E_i · e^{−jkr}/r the radar cross section
/// (RCS) is |S|². The phase origin is the origin of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScatteringMatrix {
    /// V received, V transmitted.
    pub vv: Complex64,
    /// V received, H transmitted.
    pub vh: Complex64,
    /// H received, V transmitted.
    pub hv: Complex64,
    /// H received, H transmitted.
    pub hh: Complex64,
}

impl ScatteringMatrix {
    /// Creates the matrix from the amplitudes F in m of E_s = F·E_i·e^{−jkr}/r.
    pub fn from_amplitude(vv: Complex64, vh: Complex64, hv: Complex64, hh: Complex64) -> Self {
        let scale = (4.0 * PI).sqrt();
        ScatteringMatrix {
            vv: vv * scale,
            vh: vh * scale,
            hv: hv * scale,
            hh: hh * scale,
        }
    }

    /// Returns one element of the matrix.
    pub fn channel(&self, channel: Channel) -> Complex64 {
        match channel {
            Channel::VV => self.vv,
            Channel::VH => self.vh,
            Channel::HV => self.hv,
            Channel::HH => self.hh,
        }
    }

    /// Returns the radar cross section of a channel in m².
    pub fn rcs(&self, channel: Channel) -> f64 {
        self.channel(channel).norm_sqr()
    }

    /// Returns the radar cross section of a channel in dBsm.
    pub fn dbsm(&self, channel: Channel) -> f64 {
        power_db(self.rcs(channel))
    }
}

/// Returns the scattering width of a two-dimensional body from the amplitude f of u_s = √(2/πkρ)
/// e^{−j(kρ−π/4)} f: σ = lim 2πρ|u_s/u_i|² = (4/k)|f|², in m.
pub fn scattering_width(amplitude: Complex64, wavenumber: f64) -> f64 {
    4.0 / wavenumber * amplitude.norm_sqr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hertzian_dipole_has_directivity_three_halves() {
        // The pattern U = sin²θ has P = 8π/3.
        let field = FarField {
            theta: Complex64::new(0.0, 2.0),
            phi: Complex64::new(0.0, 0.0),
        };
        let impedance = 377.0;
        let power = field.power() / (2.0 * impedance) * 8.0 * PI / 3.0;
        assert!((field.directivity(power, impedance) - 1.5).abs() < 1e-14);
    }

    #[test]
    fn amplitude_of_one_meter_has_four_pi_square_meters() {
        let (one, zero) = (Complex64::new(1.0, 0.0), Complex64::new(0.0, 0.0));
        let matrix = ScatteringMatrix::from_amplitude(one, zero, zero, -one);
        assert!((matrix.rcs(Channel::VV) - 4.0 * PI).abs() < 1e-14);
        assert!((matrix.dbsm(Channel::HH) - 10.992_098_640_220_96).abs() < 1e-12);
        assert_eq!(matrix.dbsm(Channel::VH), f64::NEG_INFINITY);
    }
}
