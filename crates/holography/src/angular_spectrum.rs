//! Angular spectrum: a field as a superposition of propagating and evanescent plane waves.

use num_complex::Complex64;
use wavefield_physics::constants::angular_frequency;
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::medium::Fluid;

use crate::array::MicrophoneArray;
use crate::border::{Border, Extended};
use crate::error::{Error, within};
use crate::hologram::Hologram;
use crate::plane_transform::PlaneTransform;
use crate::wavenumber::Wavenumbers;

/// Maximum interpolation factor.
const FINEST: usize = 16;

/// Plane-wave amplitudes of a hologram, in the hologram plane or a parallel plane.
#[derive(Clone, Debug, PartialEq)]
pub struct AngularSpectrum {
    array: MicrophoneArray,
    frequency: f64,
    fluid: Fluid,
    wavenumbers: Wavenumbers,
    /// Row and column of the padded grid at which the array begins.
    first: [usize; 2],
    /// Plane-wave amplitudes, divided by the number of points.
    values: Vec<Complex64>,
}

impl AngularSpectrum {
    /// Computes the angular spectrum of a hologram padded by a border.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a border that is invalid for the hologram.
    pub fn new(hologram: &Hologram, fluid: &Fluid, border: &Border) -> Result<Self, Error> {
        Ok(Self::of_extended(border.extend(hologram)?, hologram, fluid))
    }

    /// Computes the angular spectrum of a padded hologram.
    pub(crate) fn of_extended(mut extended: Extended, hologram: &Hologram, fluid: &Fluid) -> Self {
        let points = (extended.rows * extended.columns) as f64;
        PlaneTransform::new(extended.rows, extended.columns).forward(&mut extended.values);
        for value in &mut extended.values {
            *value /= points;
        }
        Self {
            array: *hologram.array(),
            frequency: hologram.frequency(),
            fluid: *fluid,
            wavenumbers: Wavenumbers::new(
                extended.rows,
                extended.columns,
                hologram.array().pitch,
                fluid.wavenumber(hologram.frequency()),
            ),
            first: extended.first,
            values: extended.values,
        }
    }

    /// Returns the wavenumbers of the plane waves.
    pub fn wavenumbers(&self) -> &Wavenumbers {
        &self.wavenumbers
    }

    /// Returns the amplitudes of the plane waves.
    pub fn values(&self) -> &[Complex64] {
        &self.values
    }

    /// Maps every plane-wave amplitude.
    pub(crate) fn mapped(&self, change: impl Fn(usize, Complex64) -> Complex64) -> Self {
        Self {
            values: self
                .values
                .iter()
                .enumerate()
                .map(|(i, &value)| change(i, value))
                .collect(),
            ..self.clone()
        }
    }

    /// Returns the pressure at the grid of the microphones, Pa, row by row.
    pub fn pressure(&self) -> Vec<Complex64> {
        self.on_grid(&self.values, 1)
    }

    /// Returns pressure and particle velocity at the grid of the microphones, by Euler's equation v = −∇p/(jωρ).
    pub fn sound_field(&self) -> Vec<SoundField> {
        self.sound_field_on_grid(1)
    }

    /// Returns the pressure on a grid refined by `factor`, for display, by zero padding of the spectrum. The grid has
    /// `factor` times the rows and columns of the array and begins at the first microphone.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless the factor is between 1 and 16.
    pub fn pressure_refined(&self, factor: usize) -> Result<Vec<Complex64>, Error> {
        refinement(factor)?;
        Ok(self.on_grid(&self.values, factor))
    }

    /// Returns pressure and particle velocity on the grid of [`AngularSpectrum::pressure_refined`].
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless the factor is between 1 and 16.
    pub fn sound_field_refined(&self, factor: usize) -> Result<Vec<SoundField>, Error> {
        refinement(factor)?;
        Ok(self.sound_field_on_grid(factor))
    }

    fn sound_field_on_grid(&self, factor: usize) -> Vec<SoundField> {
        let scale = 1.0 / (angular_frequency(self.frequency) * self.fluid.density);
        let [vx, vy, vz] = [0, 1, 2].map(|axis| {
            let waves = self.values.iter().enumerate();
            let moved: Vec<Complex64> = waves
                .map(|(i, value)| value * self.wavenumbers.travel(i)[axis] * scale)
                .collect();
            self.on_grid(&moved, factor)
        });
        self.on_grid(&self.values, factor)
            .into_iter()
            .enumerate()
            .map(|(i, pressure)| SoundField {
                pressure,
                velocity: [vx[i], vy[i], vz[i]],
            })
            .collect()
    }

    /// Sums plane waves of the given amplitudes on the grid of the array refined by `factor`.
    fn on_grid(&self, values: &[Complex64], factor: usize) -> Vec<Complex64> {
        let [rows, columns] = self.wavenumbers.shape();
        let (fine_rows, fine_columns) = (factor * rows, factor * columns);
        let mut fine = vec![Complex64::new(0.0, 0.0); fine_rows * fine_columns];
        for (row, line) in values.chunks_exact(columns).enumerate() {
            for (to_row, row_part) in places(row, rows, fine_rows) {
                for (column, value) in line.iter().enumerate() {
                    for (to_column, part) in places(column, columns, fine_columns) {
                        fine[to_row * fine_columns + to_column] += value * (row_part * part);
                    }
                }
            }
        }
        PlaneTransform::new(fine_rows, fine_columns).inverse(&mut fine);
        cropped(
            &fine,
            fine_columns,
            self.first.map(|first| factor * first),
            [factor * self.array.rows, factor * self.array.columns],
        )
    }

    /// Extracts the part of the padded grid on which the microphones lie.
    pub(crate) fn crop(&self, values: &[Complex64]) -> Vec<Complex64> {
        let [_, columns] = self.wavenumbers.shape();
        let shape = [self.array.rows, self.array.columns];
        cropped(values, columns, self.first, shape)
    }
}

fn refinement(factor: usize) -> Result<f64, Error> {
    within(
        "the interpolation factor",
        factor as f64,
        1.0,
        FINEST as f64,
    )
}

/// Returns the index, with its weight, of a line of a spectrum of `count` lines among `fine` lines. The Nyquist line of
/// an even count is split between both signs.
fn places(line: usize, count: usize, fine: usize) -> impl Iterator<Item = (usize, f64)> {
    let (above, below) = (line, fine - count + line);
    let parts = if fine == count {
        [Some((line, 1.0)), None]
    } else if 2 * line == count {
        [Some((above, 0.5)), Some((below, 0.5))]
    } else if 2 * line < count {
        [Some((above, 1.0)), None]
    } else {
        [Some((below, 1.0)), None]
    };
    parts.into_iter().flatten()
}

fn cropped(
    values: &[Complex64],
    columns: usize,
    [top, left]: [usize; 2],
    [rows, width]: [usize; 2],
) -> Vec<Complex64> {
    (top..top + rows)
        .flat_map(|row| &values[row * columns + left..row * columns + left + width])
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave() -> (Hologram, Fluid, [f64; 2]) {
        // Waves periodic on the padded grid, so that the series is exact.
        let array = MicrophoneArray::new(16, 16, 0.02).unwrap();
        let k = std::f64::consts::TAU / (16.0 * 0.02);
        let across = [k, -2.0 * k];
        let values = (0..256)
            .map(|c| {
                let [x, y] = array.position(c);
                Complex64::cis(across[0] * x + across[1] * y)
            })
            .collect();
        let hologram = Hologram::new(array, 3000.0, values).unwrap();
        (hologram, Fluid::AIR, across)
    }

    const BARE: Border = Border {
        padding: crate::border::Padding::Zero,
        width: 0.0,
        fade: 0.0,
    };

    #[test]
    fn a_plane_wave_moves_the_air_along_its_direction() {
        let (hologram, fluid, [kx, ky]) = wave();
        let k = fluid.wavenumber(3000.0);
        let kz = (k * k - kx * kx - ky * ky).sqrt();
        let spectrum = AngularSpectrum::new(&hologram, &fluid, &BARE).unwrap();
        for (field, p) in spectrum.sound_field().iter().zip(hologram.values()) {
            assert!((field.pressure - p).norm() < 1e-12);
            // The wave e^{j(k_x x + k_y y − k_z z)} propagates along (−k_x, −k_y, k_z).
            for (v, direction) in field.velocity.iter().zip([-kx / k, -ky / k, kz / k]) {
                assert!((v - p * direction / fluid.impedance()).norm() < 1e-12);
            }
            let power: f64 = field.intensity().iter().map(|i| i * i).sum::<f64>().sqrt();
            assert!((power - 0.5 / fluid.impedance()).abs() < 1e-12);
        }
    }

    #[test]
    fn refinement_keeps_the_microphones_and_follows_the_wave_between_them() {
        let (hologram, fluid, [kx, ky]) = wave();
        let spectrum = AngularSpectrum::new(&hologram, &fluid, &BARE).unwrap();
        let fine = spectrum.pressure_refined(4).unwrap();
        let [x0, y0] = hologram.array().position(0);
        for (i, value) in fine.iter().enumerate() {
            let x = x0 + 0.005 * (i % 64) as f64;
            let y = y0 - 0.005 * (i / 64) as f64;
            assert!((value - Complex64::cis(kx * x + ky * y)).norm() < 1e-12);
        }
        let same = spectrum.pressure_refined(1).unwrap();
        assert_eq!(same, spectrum.pressure());
        assert!(spectrum.pressure_refined(0).is_err());
        assert!(spectrum.pressure_refined(17).is_err());
        let fields = spectrum.sound_field_refined(4).unwrap();
        assert!(fields.iter().map(|field| field.pressure).eq(fine));
        assert!(spectrum.sound_field_refined(17).is_err());
    }
}
