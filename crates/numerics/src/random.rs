//! Reproducible random numbers, identical on every machine.

use std::f64::consts::TAU;

use num_complex::Complex64;

/// SplitMix64 generator (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the generator of one of many independent streams; neighboring stream numbers are
    /// uncorrelated.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut first = Self(seed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03));
        Self(first.bits())
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniformly distributed number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns circular complex Gaussian noise with E|x|² = 1, variance ½ per part (Box–Muller
    /// transform).
    pub fn gaussian(&mut self) -> Complex64 {
        let (size, angle) = (1.0 - self.uniform(), self.uniform());
        Complex64::from_polar((-size.ln()).sqrt(), TAU * angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_unit_power_and_no_direction() {
        let mut random = Random::stream(7, 0);
        let count = 100_000;
        let (mut power, mut square) = (0.0, Complex64::new(0.0, 0.0));
        for _ in 0..count {
            let x = random.gaussian();
            power += x.norm_sqr() / f64::from(count);
            square += x * x / f64::from(count);
        }
        // The mean of 10⁵ values has a standard deviation of 1/√10⁵ = 0.3 %; the limit is five of
        // them.
        assert!((power - 1.0).abs() < 0.016, "{power}");
        assert!(square.norm() < 0.016, "{square}");
    }
}
