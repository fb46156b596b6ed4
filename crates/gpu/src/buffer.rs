//! Typed buffers in device memory.

use std::{marker::PhantomData, ops::Range, sync::mpsc};

use bytemuck::Pod;

use crate::Gpu;
use crate::error::DeviceError;

/// Size of a staging buffer: large enough for full bandwidth, small enough to be available on all devices.
const STAGING_BYTES: u64 = 32 << 20;

/// A buffer of `T` in device memory; clones share the memory.
#[derive(Debug, Clone)]
pub struct Buffer<T> {
    gpu: Gpu,
    memory: wgpu::Buffer,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Creates a buffer of `len` zeros.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if it exceeds the maximum buffer size or the memory of the device.
    pub fn zeroed(gpu: &Gpu, len: usize) -> Result<Self, DeviceError> {
        let bytes = byte_size::<T>(len);
        check_size(gpu, bytes)?;
        let memory = gpu.guarded("create buffer", || {
            gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: ARRAY,
                mapped_at_creation: false,
            })
        })?;
        Ok(Self {
            gpu: gpu.clone(),
            memory,
            len,
            element: PhantomData,
        })
    }

    /// Creates a buffer with a copy of `values`.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if it exceeds the maximum buffer size or the memory of the device.
    pub fn from_slice(gpu: &Gpu, values: &[T]) -> Result<Self, DeviceError> {
        let buffer = Self::zeroed(gpu, values.len())?;
        buffer.write(0, values)?;
        Ok(buffer)
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the GPU that owns the buffer.
    #[must_use]
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Overwrites the elements from index `first` on.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if `values` exceeds the end of the buffer, or if the device failed.
    pub fn write(&self, first: usize, values: &[T]) -> Result<(), DeviceError> {
        self.check_range(first, values.len())?;
        let mut at = (first * size_of::<T>()) as u64;
        for piece in bytemuck::cast_slice::<T, u8>(values).chunks(STAGING_BYTES as usize) {
            self.gpu.guarded("write buffer", || {
                let whole = piece.len() / 4 * 4;
                self.gpu
                    .queue()
                    .write_buffer(&self.memory, at, &piece[..whole]);
                if whole < piece.len() {
                    let mut last = [0; 4];
                    last[..piece.len() - whole].copy_from_slice(&piece[whole..]);
                    self.gpu
                        .queue()
                        .write_buffer(&self.memory, at + whole as u64, &last);
                }
                self.gpu.queue().submit([]);
            })?;
            at += piece.len() as u64;
        }
        Ok(())
    }

    /// Waits for the device and copies the buffer to the host.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed, now or in an earlier operation.
    pub fn read(&self) -> Result<Vec<T>, DeviceError> {
        let mut values = vec![T::zeroed(); self.len];
        self.read_into(0, &mut values)?;
        Ok(values)
    }

    /// Waits for the device and copies the elements from index `first` on into `values`.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if `values` exceeds the end of the buffer, or if the device failed, now or in an
    /// earlier operation.
    pub fn read_into(&self, first: usize, values: &mut [T]) -> Result<(), DeviceError> {
        self.check_range(first, values.len())?;
        if values.is_empty() {
            return self.gpu.check();
        }
        let start = (first * size_of::<T>()) as u64;
        let bytes = bytemuck::cast_slice_mut::<T, u8>(values);
        let staging_bytes = (bytes.len() as u64).next_multiple_of(4).min(STAGING_BYTES);
        let staging = self.gpu.guarded("create staging buffer", || {
            self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size: staging_bytes,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let mut at = start;
        for piece in bytes.chunks_mut(STAGING_BYTES as usize) {
            let size = (piece.len() as u64).next_multiple_of(4);
            let (sender, receiver) = mpsc::channel();
            self.gpu.guarded("read buffer", || {
                let mut encoder = self
                    .gpu
                    .device()
                    .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                encoder.copy_buffer_to_buffer(&self.memory, at, &staging, 0, size);
                self.gpu.queue().submit([encoder.finish()]);
                staging.map_async(wgpu::MapMode::Read, 0..size, move |outcome| {
                    // The receiver is dropped only if the read was abandoned.
                    let _ = sender.send(outcome);
                });
            })?;
            self.gpu.wait()?;
            let failed = |message: String| DeviceError::Internal {
                operation: "read buffer".to_owned(),
                message,
            };
            match receiver.try_recv() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(failed(error.to_string())),
                Err(_) => return Err(failed("the device did not respond".to_owned())),
            }
            let mapped = staging
                .get_mapped_range(0..size)
                .map_err(|error| failed(error.to_string()))?;
            piece.copy_from_slice(&mapped[..piece.len()]);
            drop(mapped);
            staging.unmap();
            at += piece.len() as u64;
        }
        self.gpu.check()
    }

    /// Returns the whole buffer as a binding.
    #[must_use]
    pub fn bind(&self) -> Bound<'_> {
        self.bind_range(0..self.len)
    }

    /// Returns the elements of `range` as a binding; its start must satisfy the storage alignment of the device.
    #[must_use]
    pub fn bind_range(&self, range: Range<usize>) -> Bound<'_> {
        Bound {
            memory: &self.memory,
            offset: (range.start * size_of::<T>()) as u64,
            bytes: byte_size::<T>(range.len()),
        }
    }

    fn check_range(&self, first: usize, count: usize) -> Result<(), DeviceError> {
        match first.checked_add(count) {
            Some(end) if end <= self.len => Ok(()),
            _ => Err(DeviceError::Length {
                what: "the buffer",
                expected: self.len,
                found: first.saturating_add(count),
            }),
        }
    }
}

/// A uniform buffer: parameters that all threads of a kernel read.
#[derive(Debug, Clone)]
pub struct Uniform {
    memory: wgpu::Buffer,
}

impl Uniform {
    /// Copies `parameters` to the device; their layout must follow WGSL's uniform rules (multiples of 16 bytes
    /// are safe).
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed.
    pub fn new<T: Pod>(gpu: &Gpu, parameters: &T) -> Result<Self, DeviceError> {
        let mut bytes = bytemuck::bytes_of(parameters).to_vec();
        bytes.resize(bytes.len().next_multiple_of(16).max(16), 0);
        let memory = gpu.guarded("create parameters", || {
            let memory = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("parameters"),
                size: bytes.len() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            gpu.queue().write_buffer(&memory, 0, &bytes);
            memory
        })?;
        Ok(Self { memory })
    }

    /// Returns the parameters as a binding.
    #[must_use]
    pub fn bind(&self) -> Bound<'_> {
        Bound {
            memory: &self.memory,
            offset: 0,
            bytes: self.memory.size(),
        }
    }
}

/// A range of a buffer as the binding of one dispatch.
#[derive(Debug, Clone, Copy)]
pub struct Bound<'a> {
    pub(super) memory: &'a wgpu::Buffer,
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

impl<'a> Bound<'a> {
    /// Returns the binding of its first `bytes` bytes.
    pub(crate) fn shortened(self, bytes: u64) -> Self {
        Self {
            bytes: bytes.min(self.bytes),
            ..self
        }
    }

    pub(super) fn resource(&self) -> wgpu::BindingResource<'a> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.memory,
            offset: self.offset,
            size: wgpu::BufferSize::new(self.bytes),
        })
    }
}

const ARRAY: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

/// Returns the size of a buffer in bytes: a multiple of 4, as copies require, and not 0, as bindings require.
fn byte_size<T>(len: usize) -> u64 {
    ((len as u64) * (size_of::<T>() as u64))
        .next_multiple_of(4)
        .max(4)
}

fn check_size(gpu: &Gpu, bytes: u64) -> Result<(), DeviceError> {
    let limit = gpu.capabilities().max_buffer;
    if bytes > limit {
        return Err(DeviceError::TooLarge {
            what: "one buffer",
            bytes,
            limit,
        });
    }
    Ok(())
}
