//! Shapes of the arrays of a transform.

use super::FftShapeError;

/// What is transformed into what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FftKind {
    /// Complex numbers to complex numbers, in place.
    Complex,
    /// Real numbers to the half spectrum and back.
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
    /// Checks the shape of `batch` transforms with one to three axes, the last one fastest.
    ///
    /// # Errors
    /// A number of axes other than one to three, an empty axis or batch, or more elements than can be addressed.
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
        // Room for the widest element, so that sizes in bytes never overflow either.
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

    /// Lengths of the axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of transforms done at a time.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// What is transformed into what.
    #[must_use]
    pub fn kind(&self) -> FftKind {
        self.kind
    }

    /// Length of the fastest axis.
    #[must_use]
    pub fn last(&self) -> usize {
        self.shape[self.shape.len() - 1]
    }

    /// Elements of one array before the transform.
    #[must_use]
    pub fn points(&self) -> usize {
        self.shape.iter().product()
    }

    /// Shape of one spectrum.
    #[must_use]
    pub fn spectrum_shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.kind == FftKind::Real {
            let last = shape.len() - 1;
            shape[last] = shape[last] / 2 + 1;
        }
        shape
    }

    /// Elements of one spectrum.
    #[must_use]
    pub fn spectrum(&self) -> usize {
        self.spectrum_shape().iter().product()
    }

    /// Elements of the array before the transform, over the whole batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points() * self.batch
    }

    /// Whether there is nothing to transform; never true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Elements of the spectrum, over the whole batch; fewer than [`Extent::len`] for real data.
    #[must_use]
    pub fn spectrum_len(&self) -> usize {
        self.spectrum() * self.batch
    }

    /// Checks an array of complex numbers that is transformed in place.
    ///
    /// # Errors
    /// The transform is one of real numbers, or the length differs.
    pub fn check_complex(&self, data: usize) -> Result<(), FftShapeError> {
        self.check_kind(FftKind::Complex)?;
        check_length("the array", self.len(), data)
    }

    /// Checks an array of real numbers and its half spectrum.
    ///
    /// # Errors
    /// The transform is one of complex numbers, or a length differs.
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
