//! What can go wrong with a device, each case with the number or name that caused it.

use thiserror::Error;
use wavefield_numerics::cpu::PoolError;

/// A failure of the device or of a request made to it; no result computed after one is handed out.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The machine shows no GPU adapter at all.
    #[error(
        "no GPU adapter was found: install the vendor's Vulkan driver (in a container, make its graphics capability \
         visible), or mesa-vulkan-drivers for a software one, or choose the device `cpu`"
    )]
    NoAdapter,
    /// No adapter carries the requested name.
    #[error("no GPU adapter is called `{name}`; present: {}", listed(.present))]
    UnknownAdapter {
        /// The name that was asked for.
        name: String,
        /// The adapters that exist.
        present: Vec<String>,
    },
    /// The adapter exists but refused to open.
    #[error("the adapter `{adapter}` could not be opened: {message}")]
    Open {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        message: String,
    },
    /// The thread pool could not be started.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// A shader was rejected by the compiler.
    #[error("the kernel `{name}` was rejected: {message}")]
    Kernel {
        /// Name of the kernel.
        name: String,
        /// The compiler's message.
        message: String,
    },
    /// The device rejected a request as malformed.
    #[error("the GPU rejected `{operation}`: {message}")]
    Validation {
        /// What was being done.
        operation: String,
        /// The driver's message.
        message: String,
    },
    /// The device has no memory left.
    #[error("the GPU ran out of memory during `{operation}`: {message}")]
    OutOfMemory {
        /// What was being done.
        operation: String,
        /// The driver's message.
        message: String,
    },
    /// The driver failed inside.
    #[error("the GPU driver failed inside `{operation}`: {message}")]
    Internal {
        /// What was being done.
        operation: String,
        /// The driver's message.
        message: String,
    },
    /// The device is gone; everything on it is lost and it must be opened again.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// Why, as far as the driver told.
        reason: String,
    },
    /// An array does not fit where it has to go.
    #[error("{bytes} bytes do not fit into the {limit} bytes this device allows for {what}")]
    TooLarge {
        /// What the limit applies to.
        what: &'static str,
        /// Requested size in bytes.
        bytes: u64,
        /// Largest size in bytes.
        limit: u64,
    },
    /// More workgroups than two folded axes can carry.
    #[error("{groups} workgroups exceed the {limit} this device can launch at once")]
    TooManyWorkgroups {
        /// Requested workgroups.
        groups: u64,
        /// Most workgroups per launch.
        limit: u64,
    },
    /// Two arrays that belong together differ in length.
    #[error("{what} needs {expected} elements, but {found} were given")]
    Length {
        /// Which array.
        what: &'static str,
        /// Required number of elements.
        expected: usize,
        /// Number of elements found.
        found: usize,
    },
    /// The adapter lacks a capability the request needs.
    #[error("the adapter `{adapter}` has no {capability}")]
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
