//! GPU shared by several threads: serializes access and stores the first error.

use std::sync::{Mutex, MutexGuard, PoisonError};

use wavefield_gpu::{DeviceError, Gpu};

/// GPU with its error state.
///
/// Tracers and receivers return no errors: after a fault they return misses or add nothing, and the caller checks
/// the [fault](GpuState::fault) before it uses any result. A fault is permanent.
#[derive(Debug)]
pub(super) struct GpuState {
    gpu: Gpu,
    fault: Mutex<Option<DeviceError>>,
}

impl GpuState {
    pub(super) fn new(gpu: &Gpu) -> GpuState {
        GpuState {
            gpu: gpu.clone(),
            fault: Mutex::new(None),
        }
    }

    /// Runs work on the GPU under the lock; returns `None` once the GPU has failed.
    pub(super) fn run<T>(&self, work: impl FnOnce(&Gpu) -> Result<T, DeviceError>) -> Option<T> {
        let mut fault = self.lock();
        if fault.is_some() {
            return None;
        }
        match work(&self.gpu) {
            Ok(value) => Some(value),
            Err(error) => {
                *fault = Some(error);
                None
            }
        }
    }

    /// Returns the first fault, if any.
    pub(super) fn fault(&self) -> Result<(), DeviceError> {
        self.lock().clone().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Option<DeviceError>> {
        // The state is consistent even if a thread panicked while it held the lock.
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
