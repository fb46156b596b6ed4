//! Device faults: caught in error scopes, recorded by callbacks, and returned as errors.
//!
//! wgpu reports some faults only through callbacks (a lost device, errors outside of error scopes). They are recorded
//! and returned by the next operation, so that no number computed after a fault is returned.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::Gpu;
use crate::error::DeviceError;

/// A fault that [`Gpu::inject_fault`] provokes on the real device, to test error handling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The device is destroyed.
    DeviceLost,
    /// An invalid request is made outside of all error scopes.
    Validation,
    /// Resources are requested until the device refuses one.
    OutOfMemory,
}

#[derive(Debug, Default)]
pub(super) struct FaultRecord {
    lost: Mutex<Option<String>>,
    uncaptured: Mutex<Option<DeviceError>>,
}

impl FaultRecord {
    pub(super) fn watch(device: &wgpu::Device) -> Arc<Self> {
        let record = Arc::new(Self::default());
        let seen = Arc::clone(&record);
        device.on_uncaptured_error(Arc::new(move |error| {
            // The first fault is the cause; later ones follow from it.
            locked(&seen.uncaptured)
                .get_or_insert_with(|| as_device_error("an earlier request", error));
        }));
        let seen = Arc::clone(&record);
        device.set_device_lost_callback(move |reason, message| {
            let reason = match reason {
                wgpu::DeviceLostReason::Destroyed => "it was destroyed".to_owned(),
                wgpu::DeviceLostReason::Unknown => message,
            };
            locked(&seen.lost).get_or_insert(reason);
        });
        record
    }

    fn mark_lost(&self, reason: String) {
        locked(&self.lost).get_or_insert(reason);
    }
}

impl Gpu {
    /// Returns the fault recorded since the last operation; a lost device remains lost.
    ///
    /// # Errors
    /// Returns the recorded fault.
    pub fn check(&self) -> Result<(), DeviceError> {
        let record = &self.opened.faults;
        if let Some(reason) = locked(&record.lost).clone() {
            return Err(DeviceError::Lost { reason });
        }
        match locked(&record.uncaptured).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Provokes `fault` on the real device; the next operation on it (and every later one, once lost) returns the
    /// error.
    pub fn inject_fault(&self, fault: Fault) {
        match fault {
            Fault::DeviceLost => {
                self.device().destroy();
                // The loss is reported after the submitted work has finished; wait, so that the next operation finds
                // it reported.
                let _ = self.poll(wgpu::PollType::wait_indefinitely());
            }
            Fault::Validation => {
                // A buffer that can be mapped for reading cannot be a storage buffer.
                let _ = self.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("fault"),
                    size: 1024,
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE,
                    mapped_at_creation: false,
                });
            }
            Fault::OutOfMemory => {
                // A driver that overcommits memory would grant buffers until the system runs out of memory. The table
                // of samplers is bounded on every device, costs little, and overflows with the same error.
                const MAX: u16 = u16::MAX;
                let mut held = Vec::new();
                for index in 0..MAX {
                    if locked(&self.opened.faults.uncaptured).is_some() {
                        break;
                    }
                    held.push(self.device().create_sampler(&wgpu::SamplerDescriptor {
                        lod_max_clamp: 1.0 + f32::from(index),
                        ..Default::default()
                    }));
                }
            }
        }
    }

    /// Runs `work` inside error scopes and returns its result unless an error occurred.
    pub(super) fn guarded<V>(
        &self,
        operation: &str,
        work: impl FnOnce() -> V,
    ) -> Result<V, DeviceError> {
        self.check()?;
        let device = self.device();
        let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let value = work();
        let caught = [
            pollster::block_on(validation.pop()),
            pollster::block_on(internal.pop()),
            pollster::block_on(memory.pop()),
        ];
        // A lost device is reported only by polling, and its errors reach no scope.
        self.poll(wgpu::PollType::Poll)?;
        self.check()?;
        match caught.into_iter().flatten().next() {
            Some(error) => Err(as_device_error(operation, error)),
            None => Ok(value),
        }
    }

    /// Polls the device; wgpu panics here if the device is lost during the wait.
    pub(super) fn poll(&self, how: wgpu::PollType) -> Result<(), DeviceError> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.device().poll(how)));
        let reason = match polled {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the device stopped responding".to_owned(),
        };
        self.opened.faults.mark_lost(reason.clone());
        Err(DeviceError::Lost { reason })
    }
}

fn as_device_error(operation: &str, error: wgpu::Error) -> DeviceError {
    let operation = operation.to_owned();
    match error {
        wgpu::Error::OutOfMemory { source } => DeviceError::OutOfMemory {
            operation,
            message: source.to_string(),
        },
        wgpu::Error::Validation { description, .. } => DeviceError::Validation {
            operation,
            message: description,
        },
        wgpu::Error::Internal { description, .. } => DeviceError::Internal {
            operation,
            message: description,
        },
    }
}

/// Locks a mutex; its plain value is consistent even after a thread panicked.
fn locked<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
