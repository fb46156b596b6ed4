//! What a transform is asked for beside its modes.

use wavefield_numerics::cpu::Simd;
use wavefield_numerics::simd::InstructionSet;

use crate::error::NufftError;
use crate::kernel::Window;
use crate::spreader::Spreader;

/// Sign of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sign {
    /// e^{+ikx}.
    #[default]
    Plus,
    /// e^{−ikx}.
    Minus,
}

impl Sign {
    /// +1 or −1.
    pub fn factor(self) -> f64 {
        match self {
            Sign::Plus => 1.0,
            Sign::Minus => -1.0,
        }
    }

    /// The other sign.
    #[must_use]
    pub fn opposite(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// What a transform is asked for beside its modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest relative error (root mean square over the result).
    pub tolerance: f64,
    /// Sign of the exponent.
    pub sign: Sign,
    /// Ratio of the fine grid to the modes; nothing: what is fastest for the points.
    pub upsampling: Option<f64>,
    /// The window.
    pub window: Window,
    /// How points are spread onto the grid of a GPU.
    pub spreader: Spreader,
    /// Vector instructions; nothing: the widest the processor has.
    pub simd: Option<Simd>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tolerance: 1e-6,
            sign: Sign::Plus,
            upsampling: None,
            window: Window::Prolate,
            spreader: Spreader::default(),
            simd: None,
        }
    }
}

impl Options {
    /// Returns the instruction set.
    pub(crate) fn instructions(&self) -> Result<InstructionSet, NufftError> {
        match self.simd {
            None => Ok(InstructionSet::widest()),
            Some(wanted) => InstructionSet::request(wanted).ok_or(NufftError::Instructions {
                wanted: wanted.to_string(),
            }),
        }
    }
}
