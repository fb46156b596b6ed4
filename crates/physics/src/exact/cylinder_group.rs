//! Scattering of a plane wave by several parallel circular cylinders at normal incidence; the cylinders must not
//! touch.
//!
//! Around cylinder a the field is Σ yₙ[Jₙ(kρ_a) + aₙHₙ(kρ_a)]e^{jnφ_a} with the coefficients aₙ of the isolated
//! cylinder. The field scattered by another cylinder b is expanded in regular waves by Graf's addition theorem (DLMF
//! §10.23(ii)),
//!
//!   H_m(kρ_b)e^{jmφ_b} = Σ H_{m−n}(kd) e^{j(m−n)δ} Jₙ(kρ_a)e^{jnφ_a},
//!
//! where d is the distance of the axes and δ the direction from b to a, so that
//!
//!   yₙ − Σ_{b≠a} Σ_m H_{m−n}(kd_ab) e^{j(m−n)δ_ab} a_m y_m = (−j)ⁿ e^{−jnφ₀} e^{−jk d̂·r_a}.
//!
//! The unknowns of the linear system are yₙ/|Hₙ(ka)|, so that its entries are of order one.

use num_complex::Complex64;

use super::ExactError;
use super::cylinder::{CylinderSeries, Polarization, SurfaceField, minus_j_power};
use super::sphere::Core;
use crate::constants::VACUUM_IMPEDANCE;
use crate::far_field::scattering_width;
use wavefield_numerics::special::CylinderFunctions;

/// A circular cylinder along z.
#[derive(Clone, Debug)]
pub struct PlacedCylinder {
    /// Position of the axis in the plane, in m.
    pub center: [f64; 2],
    /// Radius, in m.
    pub radius: f64,
    /// Material.
    pub material: Core,
}

/// Partial waves of several cylinders in one incident plane wave.
///
/// The series are truncated at the orders that each isolated cylinder needs. The error is below 1e-12 for gaps not
/// narrower than the radii and grows for narrower gaps.
#[derive(Clone, Debug)]
pub struct CylinderGroup {
    polarization: Polarization,
    wavenumber: f64,
    cylinders: Vec<PlacedCylinder>,
    series: Vec<CylinderSeries>,
    /// yₙ of each cylinder, n from −N to N.
    waves: Vec<Vec<Complex64>>,
}

impl CylinderGroup {
    /// Solves for a wave that propagates at angle `travel` (radians), at a frequency in Hz.
    ///
    /// # Errors
    /// A cylinder has no partial-wave series, or two cylinders overlap.
    pub fn new(
        cylinders: &[PlacedCylinder],
        polarization: Polarization,
        travel: f64,
        frequency: f64,
    ) -> Result<CylinderGroup, ExactError> {
        let series: Vec<CylinderSeries> = cylinders
            .iter()
            .map(|c| CylinderSeries::new(c.radius, &c.material, polarization, travel, frequency))
            .collect::<Result<_, _>>()?;
        let wavenumber = crate::constants::vacuum_wavenumber(frequency);
        let scales: Vec<Vec<f64>> = cylinders
            .iter()
            .zip(&series)
            .map(|(c, s)| scales(wavenumber * c.radius, s.coefficients().len() - 1))
            .collect::<Result<_, _>>()?;
        let orders: Vec<usize> = scales.iter().map(|s| s.len() - 1).collect();
        let offsets: Vec<usize> = orders
            .iter()
            .scan(0, |next, order| {
                let offset = *next;
                *next += 2 * order + 1;
                Some(offset)
            })
            .collect();
        let size: usize = orders.iter().map(|order| 2 * order + 1).sum();
        let mut matrix = vec![Complex64::ZERO; size * size];
        let mut right = vec![Complex64::ZERO; size];
        for (a, here) in cylinders.iter().enumerate() {
            let along = travel.cos() * here.center[0] + travel.sin() * here.center[1];
            let arrival = Complex64::from_polar(1.0, -wavenumber * along);
            for (i, n) in signed(orders[a]).enumerate() {
                let row = offsets[a] + i;
                let scale = scales[a][n.unsigned_abs() as usize];
                matrix[row * size + row] = Complex64::new(1.0, 0.0);
                right[row] =
                    arrival * power(n) * Complex64::from_polar(1.0, -f64::from(n) * travel) / scale;
            }
            for (b, there) in cylinders.iter().enumerate().filter(|(b, _)| *b != a) {
                let between = [
                    here.center[0] - there.center[0],
                    here.center[1] - there.center[1],
                ];
                let distance = between[0].hypot(between[1]);
                if distance <= here.radius + there.radius || distance.is_nan() {
                    return Err(ExactError::Outside {
                        where_: "inside two cylinders at once: they overlap",
                    });
                }
                let direction = between[1].atan2(between[0]);
                let functions =
                    CylinderFunctions::new(orders[a] + orders[b], wavenumber * distance)?;
                for (i, n) in signed(orders[a]).enumerate() {
                    for (j, m) in signed(orders[b]).enumerate() {
                        let (n_size, m_size) = (n.unsigned_abs(), m.unsigned_abs());
                        let turn = Complex64::from_polar(1.0, f64::from(m - n) * direction);
                        let strength = series[b].coefficients()[m_size as usize]
                            * (scales[b][m_size as usize] / scales[a][n_size as usize]);
                        let entry = strength * turn * signed_hankel(&functions, m - n);
                        matrix[(offsets[a] + i) * size + offsets[b] + j] -= entry;
                    }
                }
            }
        }
        solve(&mut matrix, &mut right);
        let waves = orders
            .iter()
            .enumerate()
            .map(|(a, &order)| {
                signed(order)
                    .enumerate()
                    .map(|(i, n)| right[offsets[a] + i] * scales[a][n.unsigned_abs() as usize])
                    .collect()
            })
            .collect();
        Ok(CylinderGroup {
            polarization,
            wavenumber,
            cylinders: cylinders.to_vec(),
            series,
            waves,
        })
    }

    /// Returns the far-field amplitude f(φ) of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f, with the phase origin at the origin.
    pub fn amplitude(&self, phi: f64) -> Complex64 {
        let (sin, cos) = phi.sin_cos();
        self.cylinders
            .iter()
            .enumerate()
            .map(|(b, cylinder)| {
                let along = cos * cylinder.center[0] + sin * cylinder.center[1];
                let own: Complex64 = self
                    .terms(b)
                    .map(|(n, y)| {
                        let sent = y * self.series[b].coefficients()[n.unsigned_abs() as usize];
                        sent * power(n).conj() * Complex64::from_polar(1.0, f64::from(n) * phi)
                    })
                    .sum();
                own * Complex64::from_polar(1.0, self.wavenumber * along)
            })
            .sum()
    }

    /// Returns the scattering width σ(φ) in m.
    pub fn width(&self, phi: f64) -> f64 {
        scattering_width(self.amplitude(phi), self.wavenumber)
    }

    /// Returns the fields on the surface of a cylinder at angle φ about its axis.
    pub fn surface_field(&self, cylinder: usize, phi: f64) -> SurfaceField {
        let (mut axial, mut derivative) = (Complex64::ZERO, Complex64::ZERO);
        for (n, y) in self.terms(cylinder) {
            let (u, u_prime) = self.series[cylinder].surface_wave(n.unsigned_abs() as usize);
            let turned = y * Complex64::from_polar(1.0, f64::from(n) * phi);
            // The surface field has the parity J₋ₙ = (−1)ⁿJₙ.
            axial += turned * parity(n) * u;
            derivative += turned * parity(n) * u_prime;
        }
        let azimuthal = match self.polarization {
            Polarization::Tm => Complex64::new(0.0, -1.0 / VACUUM_IMPEDANCE) * derivative,
            Polarization::Te => Complex64::new(0.0, VACUUM_IMPEDANCE) * derivative,
        };
        SurfaceField { axial, azimuthal }
    }

    /// Returns the electric surface current J = n̂ × H of a cylinder at angle φ about its axis: J_z in (A/m)/(V/m) for
    /// TM, J_φ in (A/m)/(A/m) for TE.
    pub fn surface_current(&self, cylinder: usize, phi: f64) -> Complex64 {
        let field = self.surface_field(cylinder, phi);
        match self.polarization {
            Polarization::Tm => field.azimuthal,
            Polarization::Te => -field.axial,
        }
    }

    /// Iterates over the orders and their yₙ.
    fn terms(&self, cylinder: usize) -> impl Iterator<Item = (i32, Complex64)> + '_ {
        let waves = &self.waves[cylinder];
        signed(waves.len() / 2).zip(waves.iter().copied())
    }
}

/// Iterates over −N … N.
fn signed(order: usize) -> impl Iterator<Item = i32> {
    let order = order as i32;
    -order..=order
}

/// Returns |Hₙ| at the surface, truncated where products would leave the range of f64.
fn scales(x: f64, most: usize) -> Result<Vec<f64>, ExactError> {
    let functions = CylinderFunctions::new(most, x)?;
    Ok((0..=most)
        .map(|n| functions.hankel2(n).norm())
        .take_while(|h| *h < 1e150)
        .collect())
}

/// Returns (−j)ⁿ for n of any sign.
fn power(n: i32) -> Complex64 {
    minus_j_power(n.rem_euclid(4) as usize)
}

/// Returns (−1)ⁿ for negative n, 1 otherwise.
fn parity(n: i32) -> f64 {
    if n < 0 && n % 2 != 0 { -1.0 } else { 1.0 }
}

/// Returns Hₙ for n of any sign.
fn signed_hankel(functions: &CylinderFunctions, n: i32) -> Complex64 {
    functions.hankel2(n.unsigned_abs() as usize) * parity(n)
}

/// Solves a row-major linear system by Gaussian elimination with partial pivoting.
fn solve(matrix: &mut [Complex64], right: &mut [Complex64]) {
    let n = right.len();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| {
                let size = |i: usize| matrix[i * n + k].norm_sqr();
                size(i).total_cmp(&size(j))
            })
            .unwrap_or(k);
        if pivot != k {
            right.swap(k, pivot);
            for c in k..n {
                matrix.swap(k * n + c, pivot * n + c);
            }
        }
        let (above, below) = matrix.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        for (i, other) in below.chunks_mut(n).enumerate() {
            let factor = other[k] / row[k];
            for c in k..n {
                other[c] -= factor * row[c];
            }
            let taken = factor * right[k];
            right[k + 1 + i] -= taken;
        }
    }
    for k in (0..n).rev() {
        let known: Complex64 = (k + 1..n).map(|c| matrix[k * n + c] * right[c]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::medium::Medium;

    fn medium(permittivity: Complex64) -> Core {
        Core::Medium(Medium {
            permittivity,
            permeability: Complex64::new(1.0, 0.0),
        })
    }

    fn pair(distance: f64, second: f64) -> [PlacedCylinder; 2] {
        [
            PlacedCylinder {
                center: [0.2, -0.1],
                radius: 0.5,
                material: Core::Pec,
            },
            PlacedCylinder {
                center: [0.2 + distance * 0.8, -0.1 + distance * 0.6],
                radius: second,
                material: medium(Complex64::new(3.0, -0.4)),
            },
        ]
    }

    const FREQUENCY: f64 = 3e8;

    #[test]
    fn one_cylinder_is_the_series_of_one_cylinder() {
        for polarization in [Polarization::Tm, Polarization::Te] {
            let [mut alone, _] = pair(3.0, 0.3);
            alone.center = [0.0, 0.0];
            let group = CylinderGroup::new(&[alone.clone()], polarization, 0.7, FREQUENCY).unwrap();
            let series =
                CylinderSeries::new(0.5, &alone.material, polarization, 0.7, FREQUENCY).unwrap();
            for phi in [0.0, 1.0, 2.5, 4.4] {
                assert!((group.amplitude(phi) - series.amplitude(phi)).norm() < 1e-13);
                let (a, b) = (group.surface_current(0, phi), series.surface_current(phi));
                assert!((a - b).norm() < 1e-13 * (1.0 + b.norm()));
            }
        }
    }

    #[test]
    fn a_far_thin_wire_adds_only_itself() {
        // A wire of radius 1e-6 λ scatters TE waves as (ka)².
        let [first, mut wire] = pair(4.0, 1e-6);
        wire.material = Core::Pec;
        let both =
            CylinderGroup::new(&[first.clone(), wire], Polarization::Te, 0.3, FREQUENCY).unwrap();
        let alone = CylinderGroup::new(&[first], Polarization::Te, 0.3, FREQUENCY).unwrap();
        assert!((both.amplitude(1.0) - alone.amplitude(1.0)).norm() < 1e-9);
    }

    #[test]
    fn pairs_are_reciprocal_and_lose_no_power_without_loss() {
        for polarization in [Polarization::Tm, Polarization::Te] {
            let mut cylinders = pair(1.6, 0.6);
            cylinders[1].material = medium(Complex64::new(3.0, 0.0));
            let group = |travel: f64| {
                CylinderGroup::new(&cylinders, polarization, travel, FREQUENCY).unwrap()
            };
            let pi = std::f64::consts::PI;
            let (from, to) = (0.4, 2.1);
            let (a, b) = (
                group(from + pi).amplitude(to),
                group(to + pi).amplitude(from),
            );
            assert!((a - b).norm() < 1e-12, "{a} {b}");
            let lit = group(from);
            let count = 720;
            let scattered = (0..count)
                .map(|i| lit.width(2.0 * pi * f64::from(i) / f64::from(count)))
                .sum::<f64>()
                / f64::from(count);
            let taken = -4.0 / lit.wavenumber * lit.amplitude(from).re;
            assert!(
                (scattered - taken).abs() < 1e-11 * taken,
                "{scattered} {taken}"
            );
        }
    }

    #[test]
    fn overlapping_cylinders_are_refused() {
        assert!(CylinderGroup::new(&pair(0.9, 0.5), Polarization::Tm, 0.0, FREQUENCY).is_err());
    }
}
