//! Distance of a power pattern from a mask (eqs. 17 and 18), and its derivatives with respect to the phases
//! (eq. 19) and to the element positions.

use num_complex::Complex64;

use crate::coverage::{Coverage, Zone};
use crate::element::Element;
use crate::error::Error;
use crate::feed::Feed;
use crate::pattern::{Grid, Pattern};

/// Lower and upper bounds on the directivity in the directions of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
}

impl Mask {
    /// Creates a mask of at least `inside` in the coverage and at most `outside` beyond the transition.
    pub fn new(
        coverage: &Coverage,
        transition: f64,
        grid: &Grid,
        inside: f64,
        outside: f64,
    ) -> Mask {
        let masks = coverage.masks(transition);
        let zones: Vec<Zone> = grid.directions().map(|[u, v]| masks.zone(u, v)).collect();
        let bound = |zone: &Zone| match zone {
            Zone::Inside => (inside, f64::INFINITY),
            Zone::Transition => (0.0, f64::INFINITY),
            Zone::Outside => (0.0, outside),
        };
        Mask {
            lower: zones.iter().map(|zone| bound(zone).0).collect(),
            upper: zones.iter().map(|zone| bound(zone).1).collect(),
        }
    }

    /// Projects a directivity onto the mask (eq. 18).
    pub fn project(&self, number: usize, directivity: f64) -> f64 {
        directivity.clamp(self.lower[number], self.upper[number])
    }
}

/// Elements at arbitrary positions in the plane, each with a cell area.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Positions, m.
    pub x: Vec<f64>,
    /// Positions, m.
    pub y: Vec<f64>,
    /// Cell areas, m².
    pub area: Vec<f64>,
    /// Aperture phases, rad.
    pub phases: Vec<f64>,
}

/// Distance Φ and its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// Φ = Σ (D − P(D))² divided by the square of the reference.
    pub value: f64,
    /// Derivatives ∂Φ/∂ψₙ, 1/rad.
    pub by_phase: Vec<f64>,
    /// Derivatives ∂Φ/∂xₙ at constant cell areas, 1/m.
    pub by_x: Vec<f64>,
    /// Derivatives ∂Φ/∂yₙ at constant cell areas, 1/m.
    pub by_y: Vec<f64>,
}

/// Evaluates Φ of a layout. With D = 4π g²|F|²/P, P = λ²Σe²A, and x = eA e^{jψ}, e the aperture field of
/// [`Feed::at`], the position of an element affects its phase, its amplitude, and the captured power.
///
/// # Errors
/// Returns an error if a transform fails.
pub fn distance(
    pattern: &Pattern,
    mask: &Mask,
    element: Element,
    feed: &Feed,
    layout: &Layout,
    reference: f64,
) -> Result<Distance, Error> {
    let k = pattern.wavenumber();
    let wavelength = 2.0 * std::f64::consts::PI / k;
    let places = layout.x.iter().zip(&layout.y);
    let illumination: Vec<_> = places.map(|(&x, &y)| feed.at(x, y)).collect();
    let excitation: Vec<Complex64> = illumination
        .iter()
        .zip(layout.area.iter().zip(&layout.phases))
        .map(|(illumination, (area, &phase))| {
            Complex64::from_polar(illumination.field * area, phase)
        })
        .collect();
    let captured: f64 = illumination
        .iter()
        .zip(&layout.area)
        .map(|(illumination, area)| illumination.field.powi(2) * area)
        .sum();
    let scale = 4.0 * std::f64::consts::PI / (wavelength * wavelength * captured);

    let mut field = pattern.field(&excitation)?;
    let (mut value, mut weighted) = (0.0, 0.0);
    for (number, (f, [u, v])) in field
        .iter_mut()
        .zip(pattern.grid().directions())
        .enumerate()
    {
        let gain = scale * element.factor(u, v)[0].powi(2);
        let directivity = gain * f.norm_sqr();
        let excess = (directivity - mask.project(number, directivity)) / reference;
        value += excess * excess;
        // ∂Φ/∂D = 2(D − P)/reference².
        let by_directivity = 2.0 * excess / reference;
        weighted += by_directivity * directivity;
        *f *= by_directivity * gain;
    }
    let gathered = pattern.gather(&field)?;
    let mut result = Distance {
        value,
        by_phase: Vec::with_capacity(illumination.len()),
        by_x: Vec::with_capacity(illumination.len()),
        by_y: Vec::with_capacity(illumination.len()),
    };
    for n in 0..illumination.len() {
        let x = excitation[n];
        // dD = 2 gain Re(F* dF): ∂Φ = 2 Re(h* dx).
        result
            .by_phase
            .push(-2.0 * (gathered.value[n].conj() * x).im);
        let turned = gathered.value[n].conj() * Complex64::cis(layout.phases[n]);
        let by_field =
            layout.area[n] * (2.0 * turned.re - 2.0 * weighted * illumination[n].field / captured);
        let moved = |by: &[Complex64], axis: usize| {
            -2.0 * k * (by[n].conj() * x).im + by_field * illumination[n].gradient[axis]
        };
        result.by_x.push(moved(&gathered.by_u, 0));
        result.by_y.push(moved(&gathered.by_v, 1));
    }
    Ok(result)
}
