//! Choice of the device by the user: CPU or GPU, without silent fallback.

use std::{fmt, str::FromStr};

use thiserror::Error;
use wavefield_numerics::cpu::CpuPool;

use crate::{Gpu, adapter, error::DeviceError};

/// Requested device, written `auto`, `cpu`, `gpu`, or `gpu:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// A hardware GPU if there is one, otherwise the CPU; never a software adapter.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The preferred GPU; a software adapter if there is no other.
    Gpu,
    /// The GPU whose name contains this text, case-insensitive.
    GpuNamed(String),
}

/// A device choice that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "unknown device `{found}`: use `auto`, `cpu`, `gpu`, or `gpu:NAME`, NAME being part of the adapter's name"
)]
pub struct ParseDeviceError {
    /// The text.
    pub found: String,
}

impl FromStr for DeviceChoice {
    type Err = ParseDeviceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || ParseDeviceError {
            found: text.to_owned(),
        };
        let lower = text.trim().to_lowercase();
        match lower.as_str() {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "gpu" => Ok(Self::Gpu),
            _ => {
                let name = lower
                    .strip_prefix("gpu:")
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                name.map(|name| Self::GpuNamed(name.to_owned()))
                    .ok_or_else(unknown)
            }
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => formatter.write_str("auto"),
            Self::Cpu => formatter.write_str("cpu"),
            Self::Gpu => formatter.write_str("gpu"),
            Self::GpuNamed(name) => write!(formatter, "gpu:{name}"),
        }
    }
}

/// An opened device; clones share it.
#[derive(Debug, Clone)]
pub enum Device {
    /// The CPU, as a thread pool.
    Cpu(CpuPool),
    /// A GPU.
    Gpu(Gpu),
}

impl Device {
    /// Opens the requested device; `threads` limits the threads of the CPU, default: all hardware
    /// threads.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device does not exist or cannot be opened; there is no fallback
    /// to another device.
    pub fn open(choice: &DeviceChoice, threads: Option<usize>) -> Result<Self, DeviceError> {
        match choice {
            DeviceChoice::Cpu => Ok(CpuPool::new(threads).map(Self::Cpu)?),
            DeviceChoice::Gpu => Gpu::open(None).map(Self::Gpu),
            DeviceChoice::GpuNamed(name) => Gpu::open(Some(name)).map(Self::Gpu),
            DeviceChoice::Auto => match adapter::hardware() {
                Some(adapter) => Gpu::open_adapter(&adapter).map(Self::Gpu),
                None => Ok(CpuPool::new(threads).map(Self::Cpu)?),
            },
        }
    }

    /// Returns a one-line description of the device for result files.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Cpu(pool) => pool.describe(),
            Self::Gpu(gpu) => gpu.describe(),
        }
    }
}
