//! The wavenumbers of the plane waves a field on a grid is made of.

use std::f64::consts::TAU;

use num_complex::Complex64;

/// Wavenumbers of a Fourier series on a grid, and of sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Wavenumbers {
    rows: usize,
    columns: usize,
    pitch: f64,
    /// k = ω/c, rad/m.
    sound: f64,
}

impl Wavenumbers {
    /// Wavenumbers on a grid of this pitch for sound of wavenumber k = ω/c.
    pub fn new(rows: usize, columns: usize, pitch: f64, sound: f64) -> Self {
        Self {
            rows,
            columns,
            pitch,
            sound,
        }
    }

    /// Number of plane waves.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows and columns of the grid.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// Wavenumber of sound k = ω/c, rad/m.
    pub fn sound(&self) -> f64 {
        self.sound
    }

    /// k_x and k_y of a plane wave e^{j(k_x x + k_y y)}, rad/m; x runs with the columns, y against the rows.
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

    /// k_r = √(k_x² + k_y²).
    pub fn radial(&self, index: usize) -> f64 {
        let [kx, ky] = self.across(index);
        kx.hypot(ky)
    }

    /// k_z = √(k² − k_r²) of a wave that travels along +z as e^{−jk_z z}, or −j√(k_r² − k²) of one that decays.
    pub fn along_z(&self, index: usize) -> Complex64 {
        let square = self.sound * self.sound - self.radial(index).powi(2);
        if square >= 0.0 {
            Complex64::new(square.sqrt(), 0.0)
        } else {
            Complex64::new(0.0, -(-square).sqrt())
        }
    }

    /// (−k_x, −k_y, k_z): the way along which a wave e^{j(k_x x + k_y y − k_z z)} moves the fluid, whose velocity by
    /// Euler's equation is this over ωρ for each pascal.
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
