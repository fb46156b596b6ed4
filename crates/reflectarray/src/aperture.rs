//! The array: where its elements are, how strongly the feed lights them, and the directivity of a set of
//! phases.
//!
//! An element's amplitude is the aperture field times the area of its cell, aₙ = fₙ√cosθₙ Aₙ, with fₙ the
//! incident field and θₙ the angle of incidence: the cell intercepts fₙ²Aₙcosθₙ and reradiates that power.
//! Directivity is normalized to the captured power P = λ² Σ fₙ²Aₙcosθₙ: D = 4π|F|²/P with
//! F(u, v) = Σ aₙ e^{jψₙ} e^{jk(uxₙ + vyₙ)}. A single cell then has D = 4πA/λ², and D times the spillover
//! efficiency is the gain. For elements half a wavelength apart, P is the power that F carries through one
//! period of the lattice.

use num_complex::Complex64;

use crate::element::Element;
use crate::feed::Feed;

/// An array of rows and columns, not necessarily evenly spaced; elements are numbered row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Aperture {
    /// Wavelength, m.
    pub wavelength: f64,
    /// The feed.
    pub feed: Feed,
    /// How a cell radiates.
    pub element: Element,
    /// x of the columns, m.
    pub columns: Vec<f64>,
    /// y of the rows, m.
    pub rows: Vec<f64>,
    /// Widths of the cells of each column, m.
    pub column_widths: Vec<f64>,
    /// Heights of the cells of each row, m.
    pub row_widths: Vec<f64>,
    /// Amplitudes aₙ.
    pub amplitude: Vec<f64>,
    /// Captured power P.
    pub captured: f64,
}

impl Aperture {
    /// An array of the given distances between columns and between rows, centred at the origin.
    pub fn new(
        wavelength: f64,
        feed: Feed,
        element: Element,
        column_spacings: &[f64],
        row_spacings: &[f64],
    ) -> Aperture {
        let (columns, column_widths) = centred(column_spacings);
        let (rows, row_widths) = centred(row_spacings);
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

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.amplitude.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.amplitude.is_empty()
    }

    /// Area of an element's cell, m².
    pub fn cell_area(&self, element: usize) -> f64 {
        let columns = self.columns.len();
        self.row_widths[element / columns] * self.column_widths[element % columns]
    }

    /// Wavenumber, 1/m.
    pub fn wavenumber(&self) -> f64 {
        2.0 * std::f64::consts::PI / self.wavelength
    }

    /// Directivity of |F|² = 1.
    pub fn scale(&self) -> f64 {
        4.0 * std::f64::consts::PI / self.captured
    }

    /// λ/L along the longer side, in direction cosines.
    pub fn beamwidth(&self) -> f64 {
        let side = |widths: &[f64]| widths.iter().sum::<f64>();
        self.wavelength / side(&self.column_widths).max(side(&self.row_widths))
    }

    /// Places of all elements, m.
    pub fn places(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.rows
            .iter()
            .flat_map(|&y| self.columns.iter().map(move |&x| [x, y]))
    }

    /// Excitations aₙe^{jψₙ}.
    pub fn excitation(&self, phases: &[f64]) -> Vec<Complex64> {
        self.amplitude
            .iter()
            .zip(phases)
            .map(|(&a, &phase)| Complex64::from_polar(a, phase))
            .collect()
    }

    /// The array factor F in some directions, by the sum as it is written; the plain twin of the fast
    /// operators.
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

    /// Co-polar directivity in some directions.
    pub fn directivity(&self, phases: &[f64], directions: &[[f64; 2]]) -> Vec<f64> {
        let scale = self.scale();
        self.array_factor(&self.excitation(phases), directions)
            .iter()
            .zip(directions)
            .map(|(f, &[u, v])| scale * f.norm_sqr() * self.element.factor(u, v)[0].powi(2))
            .collect()
    }

    /// Spillover efficiency: the fraction of the feed's power that the array intercepts.
    pub fn spillover_efficiency(&self) -> f64 {
        self.captured / (self.wavelength * self.wavelength * self.feed.power())
    }

    /// Phases the elements have to add: those of the aperture field, less what the way from the feed brings,
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

/// Places with the given gaps around zero, and the widths of their cells: half the gap to either side, at
/// the ends as much outwards as inwards.
fn centred(gaps: &[f64]) -> (Vec<f64>, Vec<f64>) {
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
