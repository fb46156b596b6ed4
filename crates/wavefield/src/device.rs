//! Opening of the requested device.

use wavefield_gpu::{Device, DeviceChoice, Fault};

use crate::Error;

/// Environment variable that injects a fault into every GPU: `device-lost`, `validation`, or `out-of-memory`. The fault
/// is real, only its time is chosen.
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
                    "unknown fault {FAULT_VARIABLE}={other}; use device-lost, validation, or out-of-memory"
                )));
            }
        });
    }
    Ok(device)
}
