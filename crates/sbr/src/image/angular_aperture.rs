//! Angular aperture: rotation of a body relative to the radar with a uniform step.

use std::f64::consts::PI;

use wavefield_physics::direction::Direction;

use super::band::{Band, EVEN};
use super::error::ProductError;
use super::frame::Frame;
use wavefield_numerics::vector::scaled;
use wavefield_physics::constants::SPEED_OF_LIGHT;

/// Tolerance of equal angles, rad.
const SAME: f64 = 1e-9;
/// Upper limit of the angular aperture, degrees.
const MAX_DEGREES: f64 = 180.0;
/// Minimum sin θ of a sweep of φ.
const MIN_SINE: f64 = 1e-3;

/// Angular aperture of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct AngularAperture {
    /// Unit vectors toward the radar.
    directions: Vec<[f64; 3]>,
    /// Angle between adjacent directions in the frame of the body, rad.
    step: f64,
    frame: Frame,
    middle: Direction,
}

impl AngularAperture {
    /// Creates the aperture from the directions of a sweep of φ at one θ, or of θ at one φ.
    ///
    /// # Errors
    /// Returns an error for fewer than two directions, a sweep of both angles, nonuniform steps, an aperture
    /// of 180° or more, or a rotation about the line of sight.
    pub fn new(directions: &[Direction]) -> Result<AngularAperture, ProductError> {
        let (&[first, ..], &[.., last]) = (directions, directions) else {
            return Err(ProductError::FewAngles { found: 0 });
        };
        let count = directions.len();
        if count < 2 {
            return Err(ProductError::FewAngles { found: count });
        }
        let one_theta = directions
            .iter()
            .all(|d| (d.theta - first.theta).abs() < SAME);
        let one_phi = directions.iter().all(|d| (d.phi - first.phi).abs() < SAME);
        let angle: fn(&Direction) -> f64 = match (one_theta, one_phi) {
            (true, false) => |d| d.phi,
            (false, true) => |d| d.theta,
            (true, true) => return Err(ProductError::FewAngles { found: 1 }),
            (false, false) => return Err(ProductError::BothAngles),
        };
        let step = (angle(&last) - angle(&first)) / (count - 1) as f64;
        for pair in directions.windows(2) {
            let found = angle(&pair[1]) - angle(&pair[0]);
            // A step of zero matches no step, including another zero.
            if found == 0.0 || (found - step).abs() > EVEN * step.abs() {
                return Err(ProductError::UnevenAngles {
                    after: angle(&pair[0]).to_degrees(),
                    found: found.to_degrees(),
                    step: step.to_degrees(),
                });
            }
        }
        let span = (step * count as f64).abs();
        if span >= MAX_DEGREES.to_radians() * (1.0 - EVEN) {
            return Err(ProductError::Span {
                found: (angle(&last) - angle(&first)).abs().to_degrees(),
                most: MAX_DEGREES,
            });
        }
        let middle = Direction::new(
            0.5 * (first.theta + last.theta),
            0.5 * (first.phi + last.phi),
        );
        let sine = middle.theta.sin();
        if one_theta && sine < MIN_SINE {
            return Err(ProductError::AlongTheAxis {
                theta: middle.theta.to_degrees(),
            });
        }
        Ok(AngularAperture {
            directions: directions.iter().map(Direction::unit).collect(),
            step: step.abs() * if one_theta { sine } else { 1.0 },
            frame: Frame {
                toward: middle.unit(),
                across: if one_theta {
                    middle.phi_hat()
                } else {
                    scaled(middle.theta_hat(), -1.0)
                },
            },
            middle,
        })
    }

    /// Returns the unit vectors toward the radar.
    pub fn directions(&self) -> &[[f64; 3]] {
        &self.directions
    }

    /// Returns the central direction, whose line of sight defines the image.
    pub fn middle(&self) -> Direction {
        self.middle
    }

    /// Returns the frame of the image plane.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns the angular aperture in the frame of the body: the step times the number of directions, rad.
    pub fn width(&self) -> f64 {
        self.step * self.directions.len() as f64
    }

    /// Returns the cross-range resolution λ/2Δφ at the center frequency of a band, m.
    pub fn resolution(&self, band: &Band) -> f64 {
        0.5 * SPEED_OF_LIGHT / band.middle() / self.width()
    }

    /// Returns the unambiguous cross-range extent λ/2δφ at the highest frequency of a band, m; farther targets
    /// alias.
    pub fn unambiguous(&self, band: &Band) -> f64 {
        // Adjacent wave vectors are 2k·2 sin(δφ/2) apart.
        PI / (2.0 * wavefield_physics::constants::vacuum_wavenumber(band.highest()))
            / (0.5 * self.step).sin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phis(degrees: impl IntoIterator<Item = f64>) -> Vec<Direction> {
        let all = degrees.into_iter();
        all.map(|phi| Direction::from_degrees(90.0, phi)).collect()
    }

    #[test]
    fn cross_range_grows_to_the_right_of_who_looks_from_the_radar() {
        // The radar is on +x with its line of sight along −x and +z up: its right is +y.
        let frame = AngularAperture::new(&phis([-1.0, 0.0, 1.0]))
            .unwrap()
            .frame();
        let [across, down] = frame.place([0.25, 2.0, 7.0]);
        assert!((across - 2.0).abs() < 1e-15 && (down + 0.25).abs() < 1e-15);
        // Viewed from above with the radar at the bottom of the page.
        assert!((frame.normal()[2] - 1.0).abs() < 1e-15);
        let point = frame.point([across, down]);
        assert!((point[0] - 0.25).abs() < 1e-15 && (point[1] - 2.0).abs() < 1e-15);
        // A sweep of elevation: cross-range is height.
        let rising = [89.0, 90.0, 91.0].map(|theta| Direction::from_degrees(theta, 0.0));
        let frame = AngularAperture::new(&rising).unwrap().frame();
        assert!((frame.place([0.0, 0.0, 3.0])[0] - 3.0).abs() < 1e-14);
    }

    #[test]
    fn sweeps_that_are_no_turn_are_refused() {
        assert!(matches!(
            AngularAperture::new(&phis([5.0])),
            Err(ProductError::FewAngles { found: 1 })
        ));
        assert!(matches!(
            AngularAperture::new(&phis([0.0, 1.0, 2.5])),
            Err(ProductError::UnevenAngles { .. })
        ));
        assert!(matches!(
            AngularAperture::new(&phis((0..=180).map(f64::from))),
            Err(ProductError::Span { .. })
        ));
        let both = [(80.0, 0.0), (81.0, 1.0)].map(|(t, p)| Direction::from_degrees(t, p));
        assert_eq!(AngularAperture::new(&both), Err(ProductError::BothAngles));
        let pole = [0.0, 1.0].map(|phi| Direction::from_degrees(0.0, phi));
        assert!(matches!(
            AngularAperture::new(&pole),
            Err(ProductError::AlongTheAxis { .. })
        ));
    }
}
