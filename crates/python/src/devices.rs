//! Devices that stay open between calls: starting threads costs more than a small transform.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use wavefield::Error;
use wavefield::device;
use wavefield::gpu::{Device, DeviceChoice, DeviceError};

/// Process, choice and number of threads. A forked process inherits no threads, so it opens its own.
type Key = (u32, String, Option<usize>);

/// The device of this choice, opened when it is first asked for and again when it was lost.
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

/// Whether the device has to be opened again; any other fault it has recorded is reported here.
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
