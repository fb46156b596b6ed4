//! Wavenumbers of the plane waves on a grid.

use std::f64::consts::TAU;

use num_complex::Complex64;

/// Wavenumbers of the discrete Fourier transform on a grid, and k = ω/c.
#[derive(Clone, Debug, PartialEq)]
pub struct Wavenumbers {
    rows: usize,
    columns: usize,
    pitch: f64,
    /// Wavenumber k = ω/c, rad/m.
    sound: f64,
}

impl Wavenumbers {
    /// Creates the wavenumbers of a grid with the given pitch, m, and of sound with the wavenumber k = ω/c, rad/m.
    pub fn new(rows: usize, columns: usize, pitch: f64, sound: f64) -> Self {
        Self {
            rows,
            columns,
            pitch,
            sound,
        }
    }

    /// Returns the number of plane waves.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns whether there are no plane waves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows and columns of the grid.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// Returns the wavenumber k = ω/c, rad/m.
    pub fn sound(&self) -> f64 {
        self.sound
    }

    /// Returns k_x and k_y of a plane wave e^{j(k_x x + k_y y)}, rad/m; x increases with the column, y decreases with
    /// the row.
    pub fn across(&self, index: usize) -> [f64; 2] {
        let k = |i: usize, count: usize| {
            let signed = if 2 * i < count {
                i as f64
            } else {
                i as f64 - count as f64
            };
            TAU * signed / (count as f64 * self.pitch)
        };
        [
            k(index % self.columns, self.columns),
            -k(index / self.columns, self.rows),
        ]
    }

    /// Returns the radial wavenumber k_r = √(k_x² + k_y²), rad/m.
    pub fn radial(&self, index: usize) -> f64 {
        let [kx, ky] = self.across(index);
        kx.hypot(ky)
    }

    /// Returns k_z = √(k² − k_r²) of a wave that propagates along +z as e^{−jk_z z}, or −j√(k_r² − k²) of an evanescent
    /// wave.
    pub fn along_z(&self, index: usize) -> Complex64 {
        let square = self.sound * self.sound - self.radial(index).powi(2);
        if square >= 0.0 {
            Complex64::new(square.sqrt(), 0.0)
        } else {
            Complex64::new(0.0, -(-square).sqrt())
        }
    }

    /// Returns (−k_x, −k_y, k_z), the propagation direction of e^{j(k_x x + k_y y − k_z z)} scaled by k. By Euler's
    /// equation the particle velocity is this vector over ωρ per pascal.
    pub fn travel(&self, index: usize) -> [Complex64; 3] {
        let [kx, ky] = self.across(index);
        [(-kx).into(), (-ky).into(), self.along_z(index)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_components_make_up_the_wavenumber_of_sound() {
        let k = Wavenumbers::new(6, 9, 0.02, 100.0);
        let mut kinds = [false; 2];
        for i in 0..k.len() {
            let [kx, ky] = k.across(i);
            let kz = k.along_z(i);
            assert!((kx * kx + ky * ky + kz * kz - 1e4).norm() < 1e-9);
            assert!(kz.re >= 0.0 && kz.im <= 0.0);
            kinds[usize::from(kz.im < 0.0)] = true;
        }
        assert_eq!(kinds, [true, true]);
    }
}
