//! A graphics card through wgpu: adapters, typed buffers, kernels in WGSL, and faults that become errors.
//!
//! Work is recorded and submitted in order; nothing waits for the card until a buffer is read back.
//!
//! ```no_run
//! use wavefield_compute::gpu::{Access, Buffer, Gpu, Kernel, KernelSource};
//!
//! # fn main() -> Result<(), wavefield_compute::DeviceError> {
//! let gpu = Gpu::open(None)?;
//! let doubling = Kernel::new(&gpu, &KernelSource {
//!     name: "double",
//!     wgsl: "@group(0) @binding(0) var<storage, read_write> values: array<f32>;
//!            @compute @workgroup_size(64) fn double(@builtin(global_invocation_id) id: vec3<u32>) {
//!                if id.x < arrayLength(&values) { values[id.x] *= 2.0; }
//!            }",
//!     entry: "double",
//!     constants: &[],
//!     bindings: &[Access::ReadWrite],
//! })?;
//! let values = Buffer::from_slice(&gpu, &[1.0_f32, 2.0, 3.0])?;
//! gpu.dispatch(&doubling, &[values.bind()], 1)?;
//! assert_eq!(values.read()?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```

mod accuracy;
mod adapter;
mod buffer;
mod fault;
mod fixed_sum;
mod kernel;
mod large_buffer;

use std::sync::Arc;

pub use accuracy::{Accuracy, DOUBLE_FLOAT_WGSL, Measured};
pub(crate) use adapter::hardware;
pub use adapter::{AdapterInfo, AdapterKind, Capabilities, adapters};
pub use buffer::{Bound, Buffer, Uniform};
pub use fault::Fault;
pub use fixed_sum::FixedSum;
pub use kernel::{Access, Commands, Kernel, KernelSource, fold_workgroups};
pub use large_buffer::{Chunk, Chunks, LargeBuffer};

use crate::error::DeviceError;
use fault::FaultRecord;

/// An opened graphics card; cloning it shares it.
#[derive(Debug, Clone)]
pub struct Gpu {
    opened: Arc<Opened>,
}

#[derive(Debug)]
struct Opened {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: AdapterInfo,
    faults: Arc<FaultRecord>,
    accuracy: std::sync::OnceLock<Result<Accuracy, DeviceError>>,
}

impl Gpu {
    /// Opens the adapter whose name contains `name` (in any case of letters), or the best one.
    ///
    /// The best is a discrete card, then an integrated one, then a virtual one, then software.
    ///
    /// # Errors
    /// When there is no such adapter (the error lists those that exist) or it does not open.
    pub fn open(name: Option<&str>) -> Result<Self, DeviceError> {
        Self::open_adapter(&adapter::find(name)?)
    }

    pub(crate) fn open_adapter(adapter: &wgpu::Adapter) -> Result<Self, DeviceError> {
        let info = AdapterInfo::of(adapter);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("wavefield"),
            required_features: adapter.features() & adapter::wanted_features(),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
                DeviceError::Open {
                    adapter: info.name.clone(),
                    message: error.to_string(),
                }
            })?;
        let faults = FaultRecord::watch(&device);
        let gpu = Self {
            opened: Arc::new(Opened {
                device,
                queue,
                info,
                faults,
                accuracy: std::sync::OnceLock::new(),
            }),
        };
        let accuracy = Accuracy::probe(&gpu);
        // The cell is new, so the value is always taken.
        let _ = gpu.opened.accuracy.set(accuracy);
        Ok(gpu)
    }

    /// The adapter behind this device.
    #[must_use]
    pub fn info(&self) -> &AdapterInfo {
        &self.opened.info
    }

    /// What the device can do.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.opened.info.capabilities
    }

    /// How exactly the device computes, measured when it was opened.
    ///
    /// # Errors
    /// What went wrong with the measurement; the device is open all the same, but promises nothing.
    pub fn accuracy(&self) -> Result<&Accuracy, DeviceError> {
        match self.opened.accuracy.get() {
            Some(measured) => measured.as_ref().map_err(Clone::clone),
            None => Err(DeviceError::Internal {
                operation: "accuracy probe".to_owned(),
                message: "not measured yet".to_owned(),
            }),
        }
    }

    /// One line for result files: adapter, driver, back end.
    #[must_use]
    pub fn describe(&self) -> String {
        let info = self.info();
        let driver = if info.driver.is_empty() {
            "unknown driver"
        } else {
            &info.driver
        };
        format!(
            "gpu: {} ({}, {}, {driver})",
            info.name, info.kind, info.backend
        )
    }

    /// Waits until everything submitted so far is done.
    ///
    /// # Errors
    /// When the device was lost or an earlier request failed.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.poll(wgpu::PollType::wait_indefinitely())?;
        self.check()
    }

    fn device(&self) -> &wgpu::Device {
        &self.opened.device
    }

    fn queue(&self) -> &wgpu::Queue {
        &self.opened.queue
    }
}
