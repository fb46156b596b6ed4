//! An opened adapter: device, queue, faults, and measured accuracy.

use std::sync::{Arc, OnceLock};

use crate::accuracy::Accuracy;
use crate::adapter::{self, AdapterInfo, Capabilities};
use crate::error::DeviceError;
use crate::fault::FaultRecord;

/// An opened GPU; clones share it.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(crate) opened: Arc<Opened>,
}

#[derive(Debug)]
pub(crate) struct Opened {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: AdapterInfo,
    pub(crate) faults: Arc<FaultRecord>,
    accuracy: OnceLock<Result<Accuracy, DeviceError>>,
}

impl Gpu {
    /// Opens the adapter whose name contains `name` (case-insensitive), or the preferred one.
    ///
    /// The order of preference is discrete, integrated, virtual, software.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if there is no such adapter (the error lists those available) or it
    /// cannot be opened.
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
                accuracy: OnceLock::new(),
            }),
        };
        let accuracy = Accuracy::probe(&gpu);
        // The cell is new, so setting it succeeds.
        let _ = gpu.opened.accuracy.set(accuracy);
        Ok(gpu)
    }

    /// Returns the adapter of this device.
    #[must_use]
    pub fn info(&self) -> &AdapterInfo {
        &self.opened.info
    }

    /// Returns the capabilities of the device.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.opened.info.capabilities
    }

    /// Returns the accuracy of the device's arithmetic, measured when it was opened.
    ///
    /// # Errors
    /// Returns the error of the measurement; the device is usable nonetheless, but without known
    /// accuracy.
    pub fn accuracy(&self) -> Result<&Accuracy, DeviceError> {
        match self.opened.accuracy.get() {
            Some(measured) => measured.as_ref().map_err(Clone::clone),
            None => Err(DeviceError::Internal {
                operation: "accuracy probe".to_owned(),
                message: "not measured".to_owned(),
            }),
        }
    }

    /// Returns one line for result files: adapter, driver, back end.
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

    /// Waits until all submitted work has finished.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device was lost or an earlier operation failed.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.poll(wgpu::PollType::wait_indefinitely())?;
        self.check()
    }

    pub(crate) fn device(&self) -> &wgpu::Device {
        &self.opened.device
    }

    pub(crate) fn queue(&self) -> &wgpu::Queue {
        &self.opened.queue
    }
}
