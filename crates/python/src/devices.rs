//! Devices that stay open between calls: starting threads takes longer than a small transform.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use wavefield::Error;
use wavefield::device;
use wavefield::gpu::{Device, DeviceChoice, DeviceError};

/// Key of an open device: process, choice, and number of threads. A forked process has no threads and opens its own.
type Key = (u32, String, Option<usize>);

/// Returns the device of this choice, opened at the first request and again after a device loss.
pub(crate) fn open(choice: &str, threads: Option<usize>) -> Result<Device, Error> {
    static OPEN: OnceLock<Mutex<HashMap<Key, Device>>> = OnceLock::new();
    let choice: DeviceChoice = choice
        .parse()
        .map_err(|error| Error::input(format!("{error}")))?;
    let key = (std::process::id(), choice.to_string(), threads);
    let mut devices = OPEN
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = devices.get(&key)
        && !lost(device)?
    {
        return Ok(device.clone());
    }
    let device = device::open(&choice, threads)?;
    devices.insert(key, device.clone());
    Ok(device)
}

/// Returns whether the device must be opened again; any other recorded fault is reported here.
fn lost(device: &Device) -> Result<bool, DeviceError> {
    match device {
        Device::Cpu(_) => Ok(false),
        Device::Gpu(gpu) => match gpu.check() {
            Ok(()) => Ok(false),
            Err(DeviceError::Lost { .. }) => Ok(true),
            Err(other) => Err(other),
        },
    }
}
