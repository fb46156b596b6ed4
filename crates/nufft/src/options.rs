//! Options of a transform: tolerance, sign, upsampling, window, spreading.

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
    /// Returns +1 or −1.
    pub fn factor(self) -> f64 {
        match self {
            Sign::Plus => 1.0,
            Sign::Minus => -1.0,
        }
    }

    /// Returns the opposite sign.
    #[must_use]
    pub fn opposite(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// Options of a transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest relative error, root mean square over the result.
    pub tolerance: f64,
    /// Sign of the exponent.
    pub sign: Sign,
    /// Upsampling factor, the ratio of the fine grid to the modes; default: the fastest for the
    /// number of points.
    pub upsampling: Option<f64>,
    /// Window (spreading kernel).
    pub window: Window,
    /// Spreading algorithm on the GPU.
    pub spreader: Spreader,
    /// SIMD instruction set; default: the widest of the CPU.
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
