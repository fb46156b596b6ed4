//! Errors of solvers, in five classes that determine the exit code of the command and the Python exception.

use std::error::Error as StdError;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use wavefield_gpu::DeviceError;
use wavefield_gpu::fft::FftError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_numerics::cpu::PoolError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;

use crate::checkpoint::CheckpointError;
use crate::transport::TransportError;

/// Class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The problem file, its data, or the command line is invalid.
    Input,
    /// The computation did not converge, or validation failed.
    NotConverged,
    /// The GPU failed.
    Device,
    /// A failure of storage, memory, an external program, or another process.
    Runtime,
    /// The run was canceled.
    Interrupted,
}

impl ErrorClass {
    /// Returns the exit code of the command.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorClass::NotConverged => 1,
            ErrorClass::Input => 2,
            ErrorClass::Device | ErrorClass::Runtime => 3,
            ErrorClass::Interrupted => 130,
        }
    }
}

/// An error that belongs to exactly one class.
///
/// Solvers implement this trait for their error types with a `match` without wildcard, so that a new variant without a
/// class does not compile.
pub trait Classified: StdError {
    /// Returns the class of the error.
    fn class(&self) -> ErrorClass;

    /// Returns the path of the offending key in the specification, if the error concerns one.
    fn path(&self) -> Option<String> {
        None
    }
}

/// An error with its class, as returned by solvers and by the layers above them.
#[derive(Clone, Debug)]
pub struct Error {
    class: ErrorClass,
    message: String,
    path: Option<String>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    /// Creates an error of a class.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Error {
        Error {
            class,
            message: message.into(),
            path: None,
            source: None,
        }
    }

    /// Returns the error with the path of the offending key in the specification.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Error {
        Error {
            path: Some(path.into()),
            ..self
        }
    }

    /// Creates an error of the class [`ErrorClass::Input`].
    pub fn input(message: impl Into<String>) -> Error {
        Error::new(ErrorClass::Input, message)
    }

    /// Creates an error of the class [`ErrorClass::NotConverged`].
    pub fn not_converged(message: impl Into<String>) -> Error {
        Error::new(ErrorClass::NotConverged, message)
    }

    /// Creates an error of the class [`ErrorClass::Runtime`].
    pub fn runtime(message: impl Into<String>) -> Error {
        Error::new(ErrorClass::Runtime, message)
    }

    /// Creates the error of a canceled run.
    pub fn interrupted() -> Error {
        Error::from(Cancelled)
    }

    /// Creates the error of an input file that cannot be read.
    pub fn reading(path: &Path, error: &dyn Display) -> Error {
        Error::input(format!("cannot read {}: {error}", display_path(path)))
    }

    /// Creates the error of a file that cannot be written, of class [`ErrorClass::Runtime`].
    pub fn writing(path: &Path, error: &dyn Display) -> Error {
        Error::runtime(format!("cannot write {}: {error}", display_path(path)))
    }

    /// Returns the class of the error.
    pub fn class(&self) -> ErrorClass {
        self.class
    }

    /// Returns the path of the offending key in the specification, if the error concerns one.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// Returns the exit code of the command.
    pub fn exit_code(&self) -> u8 {
        self.class.exit_code()
    }

    /// Returns the source error if it has type `E`.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        self.source.as_deref()?.downcast_ref()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.class {
            ErrorClass::Device => write!(f, "device failure: {}", self.message),
            _ => f.write_str(&self.message),
        }
    }
}

impl StdError for Error {}

impl<E: Classified + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Error {
        Error {
            class: error.class(),
            message: error.to_string(),
            path: error.path(),
            source: Some(Arc::new(error)),
        }
    }
}

/// Formats a path for messages; the empty path is `.`.
pub fn display_path(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    printable(&path.display().to_string())
}

/// Replaces control characters, which terminals obey, by spaces.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

impl Classified for Cancelled {
    fn class(&self) -> ErrorClass {
        ErrorClass::Interrupted
    }
}

impl Classified for PoolError {
    /// Returns [`ErrorClass::Input`]: the thread count is an input.
    fn class(&self) -> ErrorClass {
        ErrorClass::Input
    }
}

impl Classified for DeviceError {
    fn class(&self) -> ErrorClass {
        match self {
            DeviceError::Threads(error) => error.class(),
            _ => ErrorClass::Device,
        }
    }
}

impl Classified for CheckpointError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Runtime
    }
}

impl Classified for TransportError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Runtime
    }
}

impl Classified for KrylovError {
    fn class(&self) -> ErrorClass {
        match self {
            KrylovError::Cancelled(error) => error.class(),
            _ => ErrorClass::NotConverged,
        }
    }
}

impl Classified for GpuLuError {
    fn class(&self) -> ErrorClass {
        match self {
            GpuLuError::Device(error) => error.class(),
            GpuLuError::Cancelled(error) => error.class(),
            GpuLuError::NotRefined { .. } => ErrorClass::NotConverged,
            _ => ErrorClass::Input,
        }
    }
}

impl Classified for FftError {
    fn class(&self) -> ErrorClass {
        match self {
            FftError::Device(error) => error.class(),
            _ => ErrorClass::Input,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_documented_exit_codes() {
        let codes = [
            (ErrorClass::NotConverged, 1),
            (ErrorClass::Input, 2),
            (ErrorClass::Device, 3),
            (ErrorClass::Runtime, 3),
            (ErrorClass::Interrupted, 130),
        ];
        for (class, code) in codes {
            assert_eq!(class.exit_code(), code);
        }
    }

    #[test]
    fn an_error_keeps_class_message_and_source() {
        let lost = DeviceError::Lost {
            reason: "unplugged".to_owned(),
        };
        let error = Error::from(FftError::Device(lost.clone()));
        assert_eq!(error.class(), ErrorClass::Device);
        assert_eq!(error.to_string(), format!("device failure: {lost}"));
        assert!(error.downcast_ref::<FftError>().is_some());
        assert_eq!(Error::interrupted().class(), ErrorClass::Interrupted);
    }
}
