//! Why a command failed, and the exit code that says so.

use std::path::{Path, PathBuf};

use wavefield_gpu::DeviceError;
use wavefield_numerics::cpu::PoolError;

use crate::problem::ProblemError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The problem file or the command line is wrong.
    #[error("{0}")]
    Input(String),
    /// The problem file is wrong in one or more places that can be shown.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The device failed.
    #[error("device failure: {0}")]
    Device(DeviceError),
    /// Something outside failed while running: disk, memory, another program.
    #[error("{0}")]
    Runtime(String),
    /// It ran, but did not validate or converge.
    #[error("{0}")]
    NotGood(String),
    /// Stopped by the user.
    #[error("stopped on request")]
    Interrupted,
}

impl Failure {
    /// 1: ran but is not good; 2: bad input; 3: device or run-time failure; 130: interrupted.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::NotGood(_) => 1,
            Failure::Input(_) | Failure::Problem(_) => 2,
            Failure::Device(_) | Failure::Runtime(_) => 3,
            Failure::Interrupted => 130,
        }
    }

    /// A file that could not be read: an input error that names the file.
    pub fn reading(path: &Path, error: &dyn std::fmt::Display) -> Failure {
        Failure::Input(format!("cannot read {}: {error}", shown(path)))
    }

    /// A file that could not be written: a run-time error that names the file.
    pub fn writing(path: &Path, error: &dyn std::fmt::Display) -> Failure {
        Failure::Runtime(format!("cannot write {}: {error}", shown(path)))
    }
}

impl From<PoolError> for Failure {
    /// A number of threads is the user's to mend.
    fn from(error: PoolError) -> Self {
        Failure::Input(error.to_string())
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Threads(error) => error.into(),
            other => Failure::Device(other),
        }
    }
}

impl From<wavefield_dgtd::Error> for Failure {
    fn from(error: wavefield_dgtd::Error) -> Self {
        match error {
            wavefield_dgtd::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_dgtd::Error::Device(error) => Failure::Device(error),
            other @ (wavefield_dgtd::Error::Diverged { .. }
            | wavefield_dgtd::Error::NotKept(_)
            | wavefield_dgtd::Error::Transport(_)) => Failure::Runtime(other.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_exact::Error> for Failure {
    fn from(error: wavefield_exact::Error) -> Self {
        match error {
            wavefield_exact::Error::Cancelled(_) => Failure::Interrupted,
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_holography::Error> for Failure {
    fn from(error: wavefield_holography::Error) -> Self {
        use wavefield_gpu::fft::FftError;
        match error {
            wavefield_holography::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_holography::Error::Device(error)
            | wavefield_holography::Error::Transform(FftError::Device(error)) => {
                Failure::Device(error)
            }
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_mom2d::Error> for Failure {
    fn from(error: wavefield_mom2d::Error) -> Self {
        use wavefield_gpu::lu::GpuLuError;
        match error {
            wavefield_mom2d::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_mom2d::Error::Device(error) => Failure::Device(error),
            other @ (wavefield_mom2d::Error::Iteration(_)
            | wavefield_mom2d::Error::GpuFactors(GpuLuError::NotRefined { .. })) => {
                Failure::NotGood(other.to_string())
            }
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_mom3d::Error> for Failure {
    fn from(error: wavefield_mom3d::Error) -> Self {
        match error {
            wavefield_mom3d::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_mom3d::Error::Device(error) => Failure::Device(error),
            other @ wavefield_mom3d::Error::Iteration(_) => Failure::NotGood(other.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_sbr::Error> for Failure {
    fn from(error: wavefield_sbr::Error) -> Self {
        match error {
            wavefield_sbr::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_sbr::Error::Device(error) => Failure::Device(error),
            wavefield_sbr::Error::NotKept(reason) => Failure::Runtime(reason.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<wavefield_reflectarray::Error> for Failure {
    fn from(error: wavefield_reflectarray::Error) -> Self {
        match error {
            wavefield_reflectarray::Error::Cancelled(_) => Failure::Interrupted,
            wavefield_reflectarray::Error::NotKept(reason) => Failure::Runtime(reason.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

/// A path as shown to a person.
pub fn shown(path: &Path) -> String {
    let shown = path.display().to_string();
    if shown.is_empty() {
        PathBuf::from(".").display().to_string()
    } else {
        shown
    }
}
