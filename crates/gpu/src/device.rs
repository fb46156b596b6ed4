//! Where to compute: the processor or a graphics card, chosen by the user and never changed silently.

use std::{fmt, str::FromStr};

use thiserror::Error;
use wavefield_numerics::cpu::CpuPool;

use crate::{Gpu, adapter, error::DeviceError};

/// The user's choice of device, written `auto`, `cpu`, `gpu` or `gpu:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// A hardware GPU if there is one, otherwise the processor; never a software adapter.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// The best GPU; a software adapter when there is nothing else.
    Gpu,
    /// The GPU whose name contains this text, in any case of letters.
    GpuNamed(String),
}

/// A device choice that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{found}` is not a device: write `auto`, `cpu`, `gpu`, or `gpu:NAME` with a part of the adapter's name"
)]
pub struct ParseDeviceError {
    /// What was written.
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

/// An opened device; cloning it shares it.
#[derive(Debug, Clone)]
pub enum Device {
    /// The processor's cores.
    Cpu(CpuPool),
    /// A graphics card.
    Gpu(Gpu),
}

impl Device {
    /// Opens what the user chose; `threads` limits the processor and defaults to every hardware thread.
    ///
    /// # Errors
    /// When the device does not exist or does not open; another device is never taken in its place.
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

    /// One line that tells a reader of a result file what computed it.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Cpu(pool) => pool.describe(),
            Self::Gpu(gpu) => gpu.describe(),
        }
    }
}
