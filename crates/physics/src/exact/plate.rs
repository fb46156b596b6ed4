//! Sound field of a simply supported rectangular plate that vibrates in one mode, in a rigid
//! baffle.
//!
//! The Rayleigh integral is p = jωρ/2π ∫ v e^{−jkR}/R dS over v = v₀ sin(mπx/Lx) sin(nπy/Ly). Near
//! the plate, polar coordinates about the projection of the observation point turn e^{−jkR}/R s ds
//! into e^{−jkR} dR: the plate is the signed sum of four triangles with their apex at the
//! projection (v continues analytically beyond the plate), and no singularity remains at any
//! distance, including zero. Far from the plate the triangles would cancel; the product rule is
//! used there.

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, MAX_SOURCE, limited, positive, sounding};
use crate::constants::angular_frequency;
use crate::medium::Fluid;
use wavefield_numerics::special::gauss_legendre;
use wavefield_numerics::vector::Vector;

/// A plate over 0 ≤ x ≤ Lx, 0 ≤ y ≤ Ly in the plane z = 0, vibrating in mode (m, n).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlateMode {
    /// Lx and Ly, in m.
    pub size: [f64; 2],
    /// Number of half waves along x and y.
    pub mode: [u32; 2],
    /// Velocity amplitude, in m/s.
    pub velocity: Complex64,
}

impl PlateMode {
    /// Returns the normal velocity at (x, y); zero outside the plate.
    pub fn normal_velocity(&self, x: f64, y: f64) -> Complex64 {
        let inside = (0.0..=self.size[0]).contains(&x) && (0.0..=self.size[1]).contains(&y);
        if inside {
            self.velocity * self.shape(x, y)
        } else {
            Complex64::new(0.0, 0.0)
        }
    }

    fn shape(&self, x: f64, y: f64) -> f64 {
        let argument = |i: usize, s: f64| f64::from(self.mode[i]) * PI * s / self.size[i];
        argument(0, x).sin() * argument(1, y).sin()
    }

    /// Returns the pressure in Pa at a point with z ≥ 0.
    pub fn pressure(
        &self,
        fluid: &Fluid,
        frequency: f64,
        point: Vector,
    ) -> Result<Complex64, ExactError> {
        let k = self.check(fluid, frequency, point)?;
        let beside = (0..2)
            .map(|i| (-point[i]).max(point[i] - self.size[i]).max(0.0))
            .fold(0.0, f64::max);
        let reach = beside.max(point[2]);
        let integral = if reach > self.size[0].max(self.size[1]) {
            self.product_rule(k, point)
        } else {
            self.triangles(k, point)
        };
        let strength = Complex64::new(
            0.0,
            angular_frequency(frequency) * fluid.density / (2.0 * PI),
        );
        Ok(strength * self.velocity * integral)
    }

    /// Checks that the pressure at a point is defined and its integral not too large, without computing it; returns the
    /// wavenumber.
    pub fn check(&self, fluid: &Fluid, frequency: f64, point: Vector) -> Result<f64, ExactError> {
        positive("the plate's size along x", self.size[0])?;
        positive("the plate's size along y", self.size[1])?;
        for mode in self.mode {
            positive("a mode number", f64::from(mode))?;
        }
        sounding(fluid)?;
        let k = fluid.wavenumber(positive("the frequency", frequency)?);
        let bending =
            f64::from(self.mode[0]) / self.size[0] + f64::from(self.mode[1]) / self.size[1];
        let longer = self.size[0].max(self.size[1]);
        limited("the plate", longer * (k + PI * bending), MAX_SOURCE)?;
        if !(point[2] >= 0.0 && point.iter().all(|c| c.is_finite())) {
            return Err(ExactError::Outside {
                where_: "behind the baffle",
            });
        }
        Ok(k)
    }

    /// Returns the quadrature points per side that resolve wave and mode with the margin that
    /// Gauss–Legendre quadrature needs for 1e-14.
    fn points(&self, k: f64, length: f64) -> usize {
        let mode = f64::from(self.mode[0]) / self.size[0] + f64::from(self.mode[1]) / self.size[1];
        let half_waves = length * (k / PI + mode);
        (24.0 + 3.0 * half_waves) as usize
    }

    fn product_rule(&self, k: f64, point: Vector) -> Complex64 {
        let [nx, ny] = self.size.map(|length| self.points(k, length) + 16);
        let ((xs, wx), (ys, wy)) = (gauss_legendre(nx), gauss_legendre(ny));
        let mut sum = Complex64::new(0.0, 0.0);
        for (sx, wx) in xs.iter().zip(&wx) {
            let x = 0.5 * self.size[0] * (1.0 + sx);
            for (sy, wy) in ys.iter().zip(&wy) {
                let y = 0.5 * self.size[1] * (1.0 + sy);
                let distance =
                    ((point[0] - x).powi(2) + (point[1] - y).powi(2) + point[2].powi(2)).sqrt();
                sum += Complex64::from_polar(wx * wy * self.shape(x, y) / distance, -k * distance);
            }
        }
        sum * 0.25 * self.size[0] * self.size[1]
    }

    fn triangles(&self, k: f64, point: Vector) -> Complex64 {
        let [lx, ly] = self.size;
        let corners = [[0.0, 0.0], [lx, 0.0], [lx, ly], [0.0, ly]];
        (0..4)
            .map(|i| self.triangle(k, point, corners[i], corners[(i + 1) % 4]))
            .sum()
    }

    /// Integrates ∫ v e^{−jkR} dR dψ over the triangle from the projection to one edge, signed by
    /// its orientation.
    fn triangle(&self, k: f64, point: Vector, from: [f64; 2], to: [f64; 2]) -> Complex64 {
        let foot = [point[0], point[1]];
        let edge = [to[0] - from[0], to[1] - from[1]];
        let length = edge[0].hypot(edge[1]);
        let along = [edge[0] / length, edge[1] / length];
        // The plate is to the left of its counterclockwise edges.
        let outward = [along[1], -along[0]];
        let start = [from[0] - foot[0], from[1] - foot[1]];
        let height = start[0] * outward[0] + start[1] * outward[1];
        let t0 = start[0] * along[0] + start[1] * along[1];
        let t1 = t0 + length;
        let h = height.abs();
        if h <= 1e-15 * length {
            return Complex64::new(0.0, 0.0);
        }
        // With t = h sinh u, dψ = h dt/(h² + t²) = du/cosh u is smooth for any distance h of the
        // edge.
        let (u0, u1) = ((t0 / h).asinh(), (t1 / h).asinh());
        let reach = t0.abs().max(t1.abs()).hypot(h);
        // Radially, s = z sinh w does the same; on the plate s is smooth already.
        let depth = |rim: f64| {
            if point[2] > 0.0 {
                (rim / point[2]).asinh()
            } else {
                1.0
            }
        };
        let angular = self.points(k, reach * (u1 - u0).max(1.0));
        let radial = self.points(k, reach * depth(reach).max(1.0));
        let ((us, wu), (ws, ww)) = (gauss_legendre(angular), gauss_legendre(radial));
        let mut sum = Complex64::new(0.0, 0.0);
        for (su, wu) in us.iter().zip(&wu) {
            let u = 0.5 * ((u1 + u0) + (u1 - u0) * su);
            let t = h * u.sinh();
            let direction = [
                along[0] * t + outward[0] * height,
                along[1] * t + outward[1] * height,
            ];
            let rim = direction[0].hypot(direction[1]);
            let span = depth(rim);
            let mut line = Complex64::new(0.0, 0.0);
            for (sw, ww) in ws.iter().zip(&ww) {
                let w = 0.5 * span * (1.0 + sw);
                // dR = s ds/R is z sinh w dw, or ds on the plate.
                let (s, weight) = if point[2] > 0.0 {
                    (point[2] * w.sinh(), point[2] * w.sinh())
                } else {
                    (rim * w, rim)
                };
                let (x, y) = (
                    foot[0] + direction[0] / rim * s,
                    foot[1] + direction[1] / rim * s,
                );
                let distance = point[2].hypot(s);
                line += Complex64::from_polar(ww * weight * self.shape(x, y), -k * distance);
            }
            sum += line * (0.5 * span) * (wu / u.cosh());
        }
        sum * (0.5 * (u1 - u0)) * height.signum()
    }
}
