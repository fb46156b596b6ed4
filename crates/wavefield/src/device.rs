//! Opening the device a person asked for.

use wavefield_gpu::{Device, DeviceChoice, Fault};

use crate::Error;

/// Names a fault that every GPU is opened with, to see how the program copes: `device-lost`,
/// `validation` or `out-of-memory`. The fault is real, only its moment is chosen.
pub const FAULT_VARIABLE: &str = "WAVEFIELD_FAULT";

/// Opens a device.
pub fn open(choice: &DeviceChoice, threads: Option<usize>) -> Result<Device, Error> {
    let device = Device::open(choice, threads)?;
    if let (Device::Gpu(gpu), Ok(name)) = (&device, std::env::var(FAULT_VARIABLE)) {
        gpu.inject_fault(match name.as_str() {
            "device-lost" => Fault::DeviceLost,
            "validation" => Fault::Validation,
            "out-of-memory" => Fault::OutOfMemory,
            other => {
                return Err(Error::input(format!(
                    "{FAULT_VARIABLE}={other} is no fault; there are device-lost, validation, out-of-memory"
                )));
            }
        });
    }
    Ok(device)
}
