//! The array: element positions, illumination, and directivity for given phases.
//!
//! The amplitude of an element is the aperture field times the area of its cell, aₙ = fₙ√cosθₙ Aₙ, with the
//! incident field fₙ and the angle of incidence θₙ: the cell intercepts fₙ²Aₙcosθₙ and reradiates that power.
//! Directivity is normalized to the captured power P = λ² Σ fₙ²Aₙcosθₙ: D = 4π|F|²/P with the array factor F(u,
//! v) = Σ aₙ e^{jψₙ} e^{jk(uxₙ + vyₙ)}. A single cell then has D = 4πA/λ², and D times the spillover efficiency
//! is the gain. For elements half a wavelength apart, P is the power of F in one period of the lattice.

use num_complex::Complex64;

use crate::element::Element;
use crate::feed::Feed;

/// An array of rows and columns with individual spacings; elements are numbered row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Aperture {
    /// Wavelength, m.
    pub wavelength: f64,
    /// Feed.
    pub feed: Feed,
    /// Element pattern.
    pub element: Element,
    /// x of the columns, m.
    pub columns: Vec<f64>,
    /// y of the rows, m.
    pub rows: Vec<f64>,
    /// Cell widths of the columns, m.
    pub column_widths: Vec<f64>,
    /// Cell heights of the rows, m.
    pub row_widths: Vec<f64>,
    /// Amplitudes aₙ.
    pub amplitude: Vec<f64>,
    /// Captured power P.
    pub captured: f64,
}

impl Aperture {
    /// Creates an array, centered at the origin, from the spacings between columns and between rows, m.
    pub fn new(
        wavelength: f64,
        feed: Feed,
        element: Element,
        column_spacings: &[f64],
        row_spacings: &[f64],
    ) -> Aperture {
        let (columns, column_widths) = centered(column_spacings);
        let (rows, row_widths) = centered(row_spacings);
        let mut amplitude = Vec::with_capacity(columns.len() * rows.len());
        let mut captured = 0.0;
        for (&y, &height) in rows.iter().zip(&row_widths) {
            for (&x, &width) in columns.iter().zip(&column_widths) {
                let field = feed.at(x, y).field;
                amplitude.push(field * width * height);
                captured += field * field * width * height;
            }
        }
        Aperture {
            wavelength,
            feed,
            element,
            columns,
            rows,
            column_widths,
            row_widths,
            amplitude,
            captured: wavelength * wavelength * captured,
        }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.amplitude.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.amplitude.is_empty()
    }

    /// Returns the area of an element's cell, m².
    pub fn cell_area(&self, element: usize) -> f64 {
        let columns = self.columns.len();
        self.row_widths[element / columns] * self.column_widths[element % columns]
    }

    /// Returns the wavenumber, rad/m.
    pub fn wavenumber(&self) -> f64 {
        2.0 * std::f64::consts::PI / self.wavelength
    }

    /// Returns the directivity of |F|² = 1.
    pub fn scale(&self) -> f64 {
        4.0 * std::f64::consts::PI / self.captured
    }

    /// Returns the beamwidth λ/L along the longer side, direction cosines.
    pub fn beamwidth(&self) -> f64 {
        let side = |widths: &[f64]| widths.iter().sum::<f64>();
        self.wavelength / side(&self.column_widths).max(side(&self.row_widths))
    }

    /// Returns the positions of all elements, m.
    pub fn places(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.rows
            .iter()
            .flat_map(|&y| self.columns.iter().map(move |&x| [x, y]))
    }

    /// Returns the excitations aₙe^{jψₙ}.
    pub fn excitation(&self, phases: &[f64]) -> Vec<Complex64> {
        self.amplitude
            .iter()
            .zip(phases)
            .map(|(&a, &phase)| Complex64::from_polar(a, phase))
            .collect()
    }

    /// Computes the array factor F in the given directions by direct summation, the reference implementation of
    /// the fast operators.
    pub fn array_factor(
        &self,
        excitation: &[Complex64],
        directions: &[[f64; 2]],
    ) -> Vec<Complex64> {
        let k = self.wavenumber();
        directions
            .iter()
            .map(|&[u, v]| {
                let along = |cosine: f64, places: &[f64]| -> Vec<Complex64> {
                    places
                        .iter()
                        .map(|p| Complex64::cis(k * cosine * p))
                        .collect()
                };
                let (waves_x, waves_y) = (along(u, &self.columns), along(v, &self.rows));
                let rows = excitation.chunks_exact(self.columns.len());
                rows.zip(waves_y)
                    .map(|(row, wave)| {
                        let sum: Complex64 = row.iter().zip(&waves_x).map(|(x, w)| x * w).sum();
                        sum * wave
                    })
                    .sum()
            })
            .collect()
    }

    /// Computes the co-polar directivity in the given directions.
    pub fn directivity(&self, phases: &[f64], directions: &[[f64; 2]]) -> Vec<f64> {
        let scale = self.scale();
        self.array_factor(&self.excitation(phases), directions)
            .iter()
            .zip(directions)
            .map(|(f, &[u, v])| scale * f.norm_sqr() * self.element.factor(u, v)[0].powi(2))
            .collect()
    }

    /// Returns the spillover efficiency: the fraction of the feed's power that the array intercepts.
    pub fn spillover_efficiency(&self) -> f64 {
        self.captured / (self.wavelength * self.wavelength * self.feed.power())
    }

    /// Returns the reflection phases of the elements: aperture phases minus the path phase from the feed, rad,
    /// in [0, 2π).
    pub fn command_phases(&self, phases: &[f64]) -> Vec<f64> {
        let k = self.wavenumber();
        self.places()
            .zip(phases)
            .map(|([x, y], phase)| {
                (phase + k * self.feed.at(x, y).distance).rem_euclid(2.0 * std::f64::consts::PI)
            })
            .collect()
    }
}

/// Returns positions with the given spacings, centered at zero, and cell widths: half the spacing on either
/// side; end cells are symmetric.
fn centered(gaps: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut places = vec![0.0];
    for gap in gaps {
        places.push(places[places.len() - 1] + gap);
    }
    let middle = 0.5 * places[places.len() - 1];
    for place in &mut places {
        *place -= middle;
    }
    let gap = |i: usize| gaps.get(i).copied();
    let widths = (0..places.len())
        .map(|i| {
            let before = if i > 0 { gap(i - 1) } else { None };
            let (before, after) = (before.or(gap(i)), gap(i).or(before));
            0.5 * (before.unwrap_or(0.0) + after.unwrap_or(0.0))
        })
        .collect();
    (places, widths)
}
