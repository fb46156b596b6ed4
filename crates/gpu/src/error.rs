//! Errors of devices and of requests to them.

use thiserror::Error;
use wavefield_numerics::cpu::PoolError;

/// Error of a device or of a request to it; no result computed after a device error is returned.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no GPU adapter.
    #[error(
        "no GPU adapter found: install the vendor's Vulkan driver (in a container, make its graphics capability \
         visible) or mesa-vulkan-drivers (software), or use the device `cpu`"
    )]
    NoAdapter,
    /// No adapter matches the requested name.
    #[error("no GPU adapter matches `{name}`; available: {}", listed(.present))]
    UnknownAdapter {
        /// Requested name.
        name: String,
        /// Names of the available adapters.
        present: Vec<String>,
    },
    /// The adapter could not be opened.
    #[error("cannot open the GPU adapter `{adapter}`: {message}")]
    Open {
        /// Name of the adapter.
        adapter: String,
        /// Message of the driver.
        message: String,
    },
    /// The thread pool could not be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The shader compiler rejected a kernel.
    #[error("the shader compiler rejected the kernel `{name}`: {message}")]
    Kernel {
        /// Name of the kernel.
        name: String,
        /// Message of the compiler.
        message: String,
    },
    /// The device rejected an operation as invalid.
    #[error("GPU validation error in `{operation}`: {message}")]
    Validation {
        /// Name of the operation.
        operation: String,
        /// Message of the driver.
        message: String,
    },
    /// The device is out of memory.
    #[error("out of GPU memory in `{operation}`: {message}")]
    OutOfMemory {
        /// Name of the operation.
        operation: String,
        /// Message of the driver.
        message: String,
    },
    /// Internal error of the driver.
    #[error("internal error of the GPU driver in `{operation}`: {message}")]
    Internal {
        /// Name of the operation.
        operation: String,
        /// Message of the driver.
        message: String,
    },
    /// The device was lost with all its buffers; it must be opened again.
    #[error("GPU device lost: {reason}")]
    Lost {
        /// Reason reported by the driver.
        reason: String,
    },
    /// An array exceeds a limit of the device.
    #[error("{what} needs {bytes} bytes; the limit of this device is {limit} bytes")]
    TooLarge {
        /// The limited object.
        what: &'static str,
        /// Requested size in bytes.
        bytes: u64,
        /// Limit in bytes.
        limit: u64,
    },
    /// A dispatch exceeds the maximum number of workgroups.
    #[error("{groups} workgroups exceed the limit of {limit} per dispatch")]
    TooManyWorkgroups {
        /// Requested number of workgroups.
        groups: u64,
        /// Maximum number of workgroups per dispatch.
        limit: u64,
    },
    /// The length of an array does not match.
    #[error("{what} needs {expected} elements; found {found}")]
    Length {
        /// The array.
        what: &'static str,
        /// Required number of elements.
        expected: usize,
        /// Number of elements found.
        found: usize,
    },
    /// The adapter lacks a required capability.
    #[error("the GPU adapter `{adapter}` has no {capability}")]
    Missing {
        /// Name of the adapter.
        adapter: String,
        /// The missing capability.
        capability: &'static str,
    },
}

fn listed(present: &[String]) -> String {
    if present.is_empty() {
        "none".to_owned()
    } else {
        present.join(", ")
    }
}
