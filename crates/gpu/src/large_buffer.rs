//! Arrays larger than a binding or a buffer.

use std::ops::Range;

use bytemuck::Pod;

use crate::error::DeviceError;
use crate::{Bound, Buffer, Capabilities, Gpu, Kernel};

/// A chunk of a large array that fits one binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Elements of the whole array that it covers.
    pub range: Range<usize>,
    /// Index of its buffer.
    part: usize,
    /// Index of its first element in that buffer.
    first: usize,
}

/// Partition of an array into buffers within the limits of the device, and of these into chunks that fit a
/// binding.
///
/// Arrays that a kernel processes together share one partition, made for the widest of their elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunks {
    len: usize,
    per_part: usize,
    per_chunk: usize,
}

impl Chunks {
    /// Partitions an array of `len` elements, the widest of which takes `element_bytes`.
    ///
    /// # Errors
    /// Returns [`DeviceError::TooLarge`] if a single aligned group of elements exceeds a binding.
    pub fn new(
        capabilities: &Capabilities,
        len: usize,
        element_bytes: usize,
    ) -> Result<Self, DeviceError> {
        let element = element_bytes.max(1) as u64;
        let binding = capabilities
            .max_storage_binding
            .min(capabilities.max_buffer);
        // A chunk whose length is a multiple of the alignment, a power of two, starts aligned for any
        // element size.
        let group = capabilities.storage_alignment.max(1);
        let groups = binding / element / group;
        if groups == 0 {
            return Err(DeviceError::TooLarge {
                what: "one binding",
                bytes: element * group,
                limit: binding,
            });
        }
        let per_chunk = groups * group;
        let per_part = (capabilities.max_buffer / element / per_chunk).max(1) * per_chunk;
        let as_count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        Ok(Self {
            len,
            per_part: as_count(per_part),
            per_chunk: as_count(per_chunk),
        })
    }

    /// Returns the number of elements of the whole array.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the chunks in order.
    pub fn iter(&self) -> impl Iterator<Item = Chunk> + '_ {
        (0..self.len).step_by(self.per_chunk).map(|start| Chunk {
            range: start..self.len.min(start + self.per_chunk),
            part: start / self.per_part,
            first: start % self.per_part,
        })
    }

    fn parts(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.len)
            .step_by(self.per_part)
            .map(|start| start..self.len.min(start + self.per_part))
    }
}

/// An array of `T` of any length that fits device memory.
#[derive(Debug, Clone)]
pub struct LargeBuffer<T> {
    parts: Vec<Buffer<T>>,
    chunks: Chunks,
}

impl<T: Pod> LargeBuffer<T> {
    /// Creates an array of zeros with the partition `chunks`.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device is out of memory.
    pub fn zeroed(gpu: &Gpu, chunks: &Chunks) -> Result<Self, DeviceError> {
        let parts = chunks
            .parts()
            .map(|range| Buffer::zeroed(gpu, range.len()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            parts,
            chunks: chunks.clone(),
        })
    }

    /// Creates a copy of `values`, partitioned for the size of `T`.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device is out of memory.
    pub fn from_slice(gpu: &Gpu, values: &[T]) -> Result<Self, DeviceError> {
        let chunks = Chunks::new(gpu.capabilities(), values.len(), size_of::<T>())?;
        let parts = chunks
            .parts()
            .map(|range| Buffer::from_slice(gpu, &values[range]))
            .collect::<Result<_, _>>()?;
        Ok(Self { parts, chunks })
    }

    /// Returns the partition of the array.
    #[must_use]
    pub fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len
    }

    /// Returns whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Returns the number of buffers.
    #[must_use]
    pub fn buffers(&self) -> usize {
        self.parts.len()
    }

    /// Overwrites the whole array.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the length of `values` differs, or the device failed.
    pub fn write(&self, values: &[T]) -> Result<(), DeviceError> {
        if values.len() != self.len() {
            return Err(DeviceError::Length {
                what: "a chunked array",
                expected: self.len(),
                found: values.len(),
            });
        }
        for (part, range) in self.parts.iter().zip(self.chunks.parts()) {
            part.write(0, &values[range])?;
        }
        Ok(())
    }

    /// Waits for the device and copies the array to the host.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed, now or in an earlier operation.
    pub fn read(&self) -> Result<Vec<T>, DeviceError> {
        let mut values = vec![T::zeroed(); self.len()];
        for (part, range) in self.parts.iter().zip(self.chunks.parts()) {
            part.read_into(0, &mut values[range])?;
        }
        Ok(values)
    }

    /// Returns a chunk as a binding.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the chunk belongs to another array.
    pub fn bind(&self, chunk: &Chunk) -> Result<Bound<'_>, DeviceError> {
        let range = chunk.first..chunk.first + chunk.range.len();
        let part = self
            .parts
            .get(chunk.part)
            .filter(|part| range.end <= part.len());
        part.map(|part| part.bind_range(range))
            .ok_or(DeviceError::Length {
                what: "a chunked array",
                expected: chunk.range.end,
                found: self.len(),
            })
    }
}

impl Gpu {
    /// Dispatches `kernel` once per chunk, with the bindings that `bind` returns for it.
    ///
    /// `per_workgroup` is the number of elements per workgroup.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if a binding does not match or the device failed.
    pub fn dispatch_chunks<'a>(
        &self,
        kernel: &Kernel,
        chunks: &Chunks,
        per_workgroup: usize,
        bind: impl Fn(&Chunk) -> Result<Vec<Bound<'a>>, DeviceError>,
    ) -> Result<(), DeviceError> {
        for chunk in chunks.iter() {
            let workgroups = chunk.range.len().div_ceil(per_workgroup.max(1)) as u64;
            self.dispatch(kernel, &bind(&chunk)?, workgroups)?;
        }
        Ok(())
    }
}
