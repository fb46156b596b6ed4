//! Extrapolation (padding) of a hologram before its spatial Fourier transform.
//!
//! A Fourier series repeats the hologram periodically. Discontinuities at its edges leak into high wavenumbers, which
//! back-propagation amplifies most. The hologram is therefore extrapolated beyond its edges and tapered there by a
//! Tukey window (R. Scholte, thesis, Eindhoven 2008).
//!
//! Extrapolation by a model fitted to the measured field, before a spatial transform, is claimed by US patent 8701491
//! (priority 2008); [`Padding::Edge`] is not covered by it.

use std::f64::consts::PI;

use num_complex::Complex64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::burg::LinearPrediction;
use crate::error::{Error, within};
use crate::hologram::Hologram;

/// The continuation of a hologram beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "padding", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Padding {
    /// Zero padding.
    Zero,
    /// Values at the edge.
    Edge,
    /// Linear prediction with a model for each row, then for each column.
    LinearPrediction {
        /// Order of the models; 8 to 16 suffice. The default of 12 becomes one less than the shorter side of a smaller array.
        order: usize,
    },
    /// Linear prediction with one model for all rows and one for all columns.
    PlanarPrediction {
        /// Order of the models; about 20.
        order: usize,
    },
}

/// A border around holograms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// Extrapolation method.
    pub padding: Padding,
    /// Width of the border relative to the size of the hologram, along either axis.
    pub width: f64,
    /// Outer fraction of the border in which the window tapers to zero.
    pub fade: f64,
}

/// Returns linear prediction of order 12 with a border half as wide as the hologram on every side, tapered over three
/// quarters of it. Wider borders do not improve back-propagation, since the prediction is wrong far from the array;
/// they improve forward propagation, in which fields spread.
impl Default for Padding {
    fn default() -> Self {
        Self::LinearPrediction { order: 12 }
    }
}

impl Padding {
    /// Returns the padding for an array. A model needs more points than coefficients, so that the default order is
    /// reduced for a small array.
    pub(crate) fn for_array(self, rows: usize, columns: usize) -> Self {
        match self {
            Self::LinearPrediction { order } if self == Self::default() => {
                let most = rows.min(columns).saturating_sub(1);
                Self::LinearPrediction {
                    order: order.min(most).max(1),
                }
            }
            other => other,
        }
    }
}

impl Default for Border {
    fn default() -> Self {
        Self {
            padding: Padding::default(),
            width: 0.5,
            fade: 0.75,
        }
    }
}

/// Maximum width of the border relative to the size of the hologram.
const WIDEST: f64 = 8.0;

/// A field on a padded grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Extended {
    /// Rows of the grid.
    pub rows: usize,
    /// Columns of the grid.
    pub columns: usize,
    /// Row and column at which the array begins.
    pub first: [usize; 2],
    /// Field values, row by row.
    pub values: Vec<Complex64>,
}

impl Border {
    /// Returns the width of the border, in points, on each side of `count` points.
    pub(crate) fn points(&self, count: usize) -> usize {
        (self.width * count as f64).round() as usize
    }

    /// Validates the border for the holograms of an array.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for an invalid width, taper, or order.
    pub(crate) fn check(&self, rows: usize, columns: usize) -> Result<(), Error> {
        within("the width of the border", self.width, 0.0, WIDEST)?;
        within("the tapered fraction of the border", self.fade, 0.0, 1.0)?;
        if let Padding::LinearPrediction { order } | Padding::PlanarPrediction { order } =
            self.padding
        {
            // A model needs more points than coefficients.
            let most = rows.min(columns).saturating_sub(1);
            within(
                "the order of the linear prediction",
                order as f64,
                1.0,
                most as f64,
            )?;
        }
        Ok(())
    }

    /// Returns the Tukey window over a line of `count` points with its border: one over the array, tapered in the outer
    /// border.
    pub fn window(&self, count: usize) -> Vec<f64> {
        let border = self.points(count);
        let fading = (self.fade * border as f64).round();
        let length = count + 2 * border;
        (0..length)
            .map(|i| {
                let from_end = i.min(length - 1 - i) as f64;
                if from_end < fading {
                    0.5 * (1.0 - (PI * (from_end + 0.5) / fading).cos())
                } else {
                    1.0
                }
            })
            .collect()
    }

    /// Extrapolates a hologram by the border and applies the window.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a border or an order that is invalid for the hologram.
    pub fn extend(&self, hologram: &Hologram) -> Result<Extended, Error> {
        let array = hologram.array();
        self.check(array.rows, array.columns)?;
        let (top, left) = (self.points(array.rows), self.points(array.columns));
        let (rows, columns) = (array.rows + 2 * top, array.columns + 2 * left);
        let mut values = vec![Complex64::new(0.0, 0.0); rows * columns];
        for (row, line) in hologram.values().chunks_exact(array.columns).enumerate() {
            let start = (top + row) * columns + left;
            values[start..start + array.columns].copy_from_slice(line);
        }
        let measured = &mut values[top * columns..(top + array.rows) * columns];
        self.continue_lines(measured, columns, left);
        let mut turned = transposed(&values, columns);
        self.continue_lines(&mut turned, rows, top);
        let mut values = transposed(&turned, rows);
        let (down, across) = (self.window(array.rows), self.window(array.columns));
        for (row, weight) in values.chunks_exact_mut(columns).zip(down) {
            for (value, other) in row.iter_mut().zip(&across) {
                *value *= weight * other;
            }
        }
        Ok(Extended {
            rows,
            columns,
            first: [top, left],
            values,
        })
    }

    /// Extrapolates lines of `length` points by `border` points at both ends.
    fn continue_lines(&self, lines: &mut [Complex64], length: usize, border: usize) {
        let end = length - border;
        match self.padding {
            Padding::Zero => {}
            Padding::Edge => {
                for line in lines.chunks_exact_mut(length) {
                    let (before, after) = (line[border], line[end - 1]);
                    line[..border].fill(before);
                    line[end..].fill(after);
                }
            }
            Padding::LinearPrediction { order } => {
                for line in lines.chunks_exact_mut(length) {
                    LinearPrediction::fit(&[&line[border..end]], order).extend(line, border, end);
                }
            }
            Padding::PlanarPrediction { order } => {
                let known: Vec<&[Complex64]> = lines
                    .chunks_exact(length)
                    .map(|line| &line[border..end])
                    .collect();
                let model = LinearPrediction::fit(&known, order);
                for line in lines.chunks_exact_mut(length) {
                    model.extend(line, border, end);
                }
            }
        }
    }
}

/// Transposes a matrix.
pub(crate) fn transposed<T: Copy>(values: &[T], columns: usize) -> Vec<T> {
    let rows = values.len() / columns;
    (0..values.len())
        .map(|i| values[i % rows * columns + i / rows])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::MicrophoneArray;

    fn hologram() -> Hologram {
        let array = MicrophoneArray::new(16, 24, 0.02).unwrap();
        let values = (0..array.channels())
            .map(|c| {
                let [x, y] = array.position(c);
                Complex64::cis(20.0 * x - 13.0 * y) + 0.3 * Complex64::cis(35.0 * y)
            })
            .collect();
        Hologram::new(array, 1000.0, values).unwrap()
    }

    const PADDINGS: [Padding; 4] = [
        Padding::Zero,
        Padding::Edge,
        Padding::LinearPrediction { order: 8 },
        Padding::PlanarPrediction { order: 8 },
    ];

    #[test]
    fn what_was_measured_is_left_as_it_was() {
        let hologram = hologram();
        for padding in PADDINGS {
            let border = Border {
                padding,
                ..Border::default()
            };
            let extended = border.extend(&hologram).unwrap();
            assert_eq!((extended.rows, extended.columns), (32, 48));
            let [top, left] = extended.first;
            for row in 0..16 {
                for column in 0..24 {
                    let value = extended.values[(top + row) * 48 + left + column];
                    assert_eq!(value, hologram.values()[row * 24 + column]);
                }
            }
            let outermost = extended.values[..48].iter().map(|v| v.norm());
            // Half a step into the six tapered points the window is 0.017; values are of order one.
            assert!(outermost.fold(0.0, f64::max) < 0.04, "{padding:?}");
        }
    }

    #[test]
    fn waves_are_continued_by_prediction() {
        let array = MicrophoneArray::new(16, 24, 0.02).unwrap();
        let wider = MicrophoneArray::new(20, 28, 0.02).unwrap();
        let wave = |[x, y]: [f64; 2]| Complex64::cis(20.0 * x - 13.0 * y);
        let values = (0..array.channels())
            .map(|c| wave(array.position(c)))
            .collect();
        let hologram = Hologram::new(array, 1000.0, values).unwrap();
        for padding in &PADDINGS[2..] {
            let border = Border {
                padding: *padding,
                ..Border::default()
            };
            let extended = border.extend(&hologram).unwrap();
            for c in 0..wider.channels() {
                let (row, column) = (c / 28, c % 28);
                let [top, left] = extended.first;
                let value = extended.values[(top - 2 + row) * extended.columns + left - 2 + column];
                let error = (value - wave(wider.position(c))).norm();
                assert!(error < 0.01, "{padding:?} {row} {column}: {error}");
            }
        }
    }

    #[test]
    fn the_default_order_fits_a_small_array_and_one_that_was_asked_for_stays() {
        let asked = Padding::LinearPrediction { order: 16 };
        assert_eq!(asked.for_array(8, 8), asked);
        let default = Padding::default();
        assert_eq!(default.for_array(16, 24), default);
        let small = default.for_array(8, 24);
        assert_eq!(small, Padding::LinearPrediction { order: 7 });
    }

    #[test]
    fn borders_that_make_no_sense_are_refused() {
        let refused = |border: Border| border.extend(&hologram()).is_err();
        let good = Border::default();
        assert!(refused(Border {
            width: -1.0,
            ..good
        }));
        assert!(refused(Border {
            width: f64::NAN,
            ..good
        }));
        assert!(refused(Border { fade: 1.5, ..good }));
        let order = |order| Border {
            padding: Padding::LinearPrediction { order },
            ..good
        };
        assert!(refused(order(0)) && refused(order(16)) && !refused(order(15)));
    }
}
