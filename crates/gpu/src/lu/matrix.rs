//! A matrix in GPU memory, in slabs of whole columns that fit one binding.

use std::ops::Range;

use super::number::Number;
use crate::DeviceError;
use crate::{Buffer, Gpu};
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::krylov::Operator;

/// Block size: columns factored together; a slab holds a multiple of them.
pub(super) const BLOCK: usize = 32;

/// A square matrix in GPU memory, in column-major order.
#[derive(Debug)]
pub struct GpuMatrix<T> {
    gpu: Gpu,
    size: usize,
    slabs: Vec<Slab<T>>,
}

/// Whole columns of a [`GpuMatrix`] in one buffer.
#[derive(Debug)]
pub struct Slab<T> {
    /// Columns of the matrix.
    pub columns: Range<usize>,
    /// Entries in column-major order.
    pub entries: Buffer<[T; 2]>,
}

impl<T: Number> GpuMatrix<T> {
    /// Creates a matrix of zeros.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device lacks the precision, is out of memory, or failed.
    pub fn zeros(gpu: &Gpu, size: usize) -> Result<GpuMatrix<T>, DeviceError> {
        let limits = gpu.capabilities();
        // Indices within a slab have 32 bits.
        let most = limits.max_storage_binding.min(limits.max_buffer);
        GpuMatrix::cut(gpu, size, most.min(u64::from(u32::MAX)))
    }

    /// Creates a matrix of zeros in slabs of at most `most` bytes.
    pub(super) fn cut(gpu: &Gpu, size: usize, most: u64) -> Result<GpuMatrix<T>, DeviceError> {
        T::check(gpu)?;
        let block = (BLOCK * size * size_of::<[T; 2]>()) as u64;
        let blocks = most.checked_div(block).unwrap_or(1) as usize;
        if blocks == 0 {
            return Err(DeviceError::TooLarge {
                what: "a block of matrix columns",
                bytes: block,
                limit: most,
            });
        }
        let width = blocks.saturating_mul(BLOCK).min(size);
        let slabs = (0..size)
            .step_by(width.max(1))
            .map(|first| {
                let columns = first..(first + width).min(size);
                let entries = Buffer::zeroed(gpu, columns.len() * size)?;
                Ok(Slab { columns, entries })
            })
            .collect::<Result<_, DeviceError>>()?;
        Ok(GpuMatrix {
            gpu: gpu.clone(),
            size,
            slabs,
        })
    }

    /// Copies a matrix, rounded to the precision of the device.
    pub(super) fn of(gpu: &Gpu, matrix: &Matrix) -> Result<GpuMatrix<T>, DeviceError> {
        let slabs = GpuMatrix::zeros(gpu, matrix.size())?;
        slabs.write(matrix)?;
        Ok(slabs)
    }

    /// Overwrites all entries, a few columns at a time.
    pub(super) fn write(&self, matrix: &Matrix) -> Result<(), DeviceError> {
        let size = self.size;
        for slab in &self.slabs {
            for first in slab.columns.clone().step_by(BLOCK) {
                let last = (first + BLOCK).min(slab.columns.end);
                let entries = (first..last).flat_map(|column| matrix.column(column));
                let pairs: Vec<[T; 2]> = entries.map(|&z| T::pair(z)).collect();
                slab.entries
                    .write((first - slab.columns.start) * size, &pairs)?;
            }
        }
        Ok(())
    }

    /// Returns the GPU that holds the matrix.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the number of rows, which is that of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the slabs in the order of their columns.
    pub fn iter(&self) -> impl Iterator<Item = &Slab<T>> {
        self.slabs.iter()
    }

    /// Returns the slab that holds a column.
    pub(super) fn of_column(&self, column: usize) -> Option<&Slab<T>> {
        self.slabs
            .iter()
            .find(|slab| slab.columns.contains(&column))
    }
}
