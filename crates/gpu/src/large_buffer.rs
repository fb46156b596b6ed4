//! Arrays larger than a kernel can see at once, or than one buffer can hold.

use std::ops::Range;

use bytemuck::Pod;

use crate::error::DeviceError;
use crate::{Bound, Buffer, Capabilities, Gpu, Kernel};

/// One piece of a large array that a kernel can see at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The elements of the whole array that it covers.
    pub range: Range<usize>,
    /// Which buffer holds it.
    part: usize,
    /// Its first element inside that buffer.
    first: usize,
}

/// How an array is cut: into buffers no larger than the device allows, and those into bindable chunks.
///
/// Arrays that a kernel walks together share one cutting, made for the widest of their elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunks {
    len: usize,
    per_part: usize,
    per_chunk: usize,
}

impl Chunks {
    /// Cuts an array of `len` elements, the widest of which takes `element_bytes`.
    ///
    /// # Errors
    /// When not even one aligned group of elements fits a binding.
    pub fn new(
        capabilities: &Capabilities,
        len: usize,
        element_bytes: usize,
    ) -> Result<Self, DeviceError> {
        let element = element_bytes.max(1) as u64;
        let binding = capabilities
            .max_storage_binding
            .min(capabilities.max_buffer);
        // A chunk of a power-of-two multiple of the alignment starts aligned whatever the element's width.
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

    /// Elements of the whole array.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chunks in order.
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

/// An array of `T` of any length the device's memory can hold.
#[derive(Debug, Clone)]
pub struct LargeBuffer<T> {
    parts: Vec<Buffer<T>>,
    chunks: Chunks,
}

impl<T: Pod> LargeBuffer<T> {
    /// Zeros, cut as `chunks` says.
    ///
    /// # Errors
    /// When the device's memory does not suffice.
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

    /// A copy of `values`, cut for their own width.
    ///
    /// # Errors
    /// When the device's memory does not suffice.
    pub fn from_slice(gpu: &Gpu, values: &[T]) -> Result<Self, DeviceError> {
        let chunks = Chunks::new(gpu.capabilities(), values.len(), size_of::<T>())?;
        let parts = chunks
            .parts()
            .map(|range| Buffer::from_slice(gpu, &values[range]))
            .collect::<Result<_, _>>()?;
        Ok(Self { parts, chunks })
    }

    /// How the array is cut.
    #[must_use]
    pub fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Number of buffers the array is spread over.
    #[must_use]
    pub fn buffers(&self) -> usize {
        self.parts.len()
    }

    /// Overwrites the whole array.
    ///
    /// # Errors
    /// When `values` has another length, or the device fails.
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

    /// Waits for the device and copies everything back.
    ///
    /// # Errors
    /// When the device failed at any time before, or fails now.
    pub fn read(&self) -> Result<Vec<T>, DeviceError> {
        let mut values = vec![T::zeroed(); self.len()];
        for (part, range) in self.parts.iter().zip(self.chunks.parts()) {
            part.read_into(0, &mut values[range])?;
        }
        Ok(values)
    }

    /// One chunk as an argument of a kernel.
    ///
    /// # Errors
    /// When the chunk was cut for another array.
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
    /// Launches `kernel` once per chunk, with the arguments `bind` names for it.
    ///
    /// `per_workgroup` is the number of elements one workgroup handles.
    ///
    /// # Errors
    /// When an argument does not fit or the device fails.
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
