//! A graphics card as several threads share it: one after the other, and its first fault is kept.

use std::sync::{Mutex, MutexGuard, PoisonError};

use wavefield_gpu::{DeviceError, Gpu};

/// A card, and what went wrong with it.
///
/// Tracers and receivers have no errors of their own: after a fault they find nothing, and whoever asked them asks
/// for the [fault](Card::fault) before any of their results is used. A fault is never forgotten.
#[derive(Debug)]
pub(super) struct Card {
    gpu: Gpu,
    fault: Mutex<Option<DeviceError>>,
}

impl Card {
    pub(super) fn new(gpu: &Gpu) -> Card {
        Card {
            gpu: gpu.clone(),
            fault: Mutex::new(None),
        }
    }

    /// Work for the card, when the other threads' is done; nothing once the card has failed.
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

    /// The first fault, if there was one.
    pub(super) fn fault(&self) -> Result<(), DeviceError> {
        self.lock().clone().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Option<DeviceError>> {
        // What is kept is whole even if a thread died while it held the card.
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
