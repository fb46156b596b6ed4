//! Shapes of the arrays of a transform.

use super::FftShapeError;

/// Kind of the data that are transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FftKind {
    /// Complex data, in place.
    Complex,
    /// Real data and their half spectrum.
    Real,
}

/// Shape, batch, and kind of a transform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    shape: Vec<usize>,
    batch: usize,
    kind: FftKind,
}

impl Extent {
    /// Validates the shape of `batch` transforms with one to three axes, the last one fastest.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the number of axes is not 1, 2, or 3, if an axis or the batch is empty, or
    /// if the elements exceed the address range.
    pub fn new(shape: &[usize], batch: usize, kind: FftKind) -> Result<Self, FftShapeError> {
        if shape.is_empty() || shape.len() > 3 {
            return Err(FftShapeError::Axes { found: shape.len() });
        }
        if shape.contains(&0) {
            return Err(FftShapeError::Empty { what: "an axis" });
        }
        if batch == 0 {
            return Err(FftShapeError::Empty { what: "the batch" });
        }
        // Checked for the widest element, so that sizes in bytes do not overflow either.
        let addressable = shape
            .iter()
            .try_fold(batch, |product, &axis| product.checked_mul(axis));
        if addressable
            .and_then(|elements| elements.checked_mul(64))
            .is_none()
        {
            return Err(FftShapeError::Overflow {
                shape: shape.to_vec(),
                batch,
            });
        }
        Ok(Self {
            shape: shape.to_vec(),
            batch,
            kind,
        })
    }

    /// Returns the lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of transforms per call.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// Returns the kind of the data.
    #[must_use]
    pub fn kind(&self) -> FftKind {
        self.kind
    }

    /// Returns the length of the fastest axis.
    #[must_use]
    pub fn last(&self) -> usize {
        self.shape[self.shape.len() - 1]
    }

    /// Returns the number of elements of one array before the transform.
    #[must_use]
    pub fn points(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the shape of one spectrum.
    #[must_use]
    pub fn spectrum_shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.kind == FftKind::Real {
            let last = shape.len() - 1;
            shape[last] = shape[last] / 2 + 1;
        }
        shape
    }

    /// Returns the number of elements of one spectrum.
    #[must_use]
    pub fn spectrum(&self) -> usize {
        self.spectrum_shape().iter().product()
    }

    /// Returns the number of elements before the transform, over the whole batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points() * self.batch
    }

    /// Returns whether there are no elements, which is never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of elements of the spectra, over the whole batch; fewer than [`Extent::len`] for real
    /// data.
    #[must_use]
    pub fn spectrum_len(&self) -> usize {
        self.spectrum() * self.batch
    }

    /// Checks an array of complex numbers that is transformed in place.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the plan is for real data, or the length differs.
    pub fn check_complex(&self, data: usize) -> Result<(), FftShapeError> {
        self.check_kind(FftKind::Complex)?;
        check_length("the array", self.len(), data)
    }

    /// Checks an array of real numbers and its half spectrum.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the plan is for complex data, or a length differs.
    pub fn check_real(&self, points: usize, spectrum: usize) -> Result<(), FftShapeError> {
        self.check_kind(FftKind::Real)?;
        check_length("the real array", self.len(), points)?;
        check_length("the spectrum", self.spectrum_len(), spectrum)
    }

    fn check_kind(&self, wanted: FftKind) -> Result<(), FftShapeError> {
        if self.kind == wanted {
            Ok(())
        } else {
            Err(FftShapeError::Kind { planned: self.kind })
        }
    }
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), FftShapeError> {
    if expected == found {
        Ok(())
    } else {
        Err(FftShapeError::Length {
            what,
            expected,
            found,
        })
    }
}
