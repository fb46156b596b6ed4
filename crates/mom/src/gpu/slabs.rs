//! A matrix in the memory of a card, in slabs of whole columns no larger than a kernel can see at once.

use std::ops::Range;

use wavefield_compute::DeviceError;
use wavefield_compute::dense::Matrix;
use wavefield_compute::gpu::{Buffer, Gpu};

use super::number::Number;
use crate::operator::Operator;

/// Columns that are factored together; a slab holds a multiple of them.
pub(super) const BLOCK: usize = 32;

/// A square matrix on a card, column after column.
#[derive(Debug)]
pub(crate) struct Slabs<T> {
    gpu: Gpu,
    size: usize,
    slabs: Vec<Slab<T>>,
}

/// Some columns of it.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    pub(crate) columns: Range<usize>,
    pub(crate) entries: Buffer<[T; 2]>,
}

impl<T: Number> Slabs<T> {
    /// A matrix of zeros.
    ///
    /// # Errors
    /// The card does not compute in such numbers, its memory does not suffice, or it failed.
    pub(crate) fn zeros(gpu: &Gpu, size: usize) -> Result<Slabs<T>, DeviceError> {
        let limits = gpu.capabilities();
        // Places within a slab are numbers of 32 bits.
        let most = limits.max_storage_binding.min(limits.max_buffer);
        Slabs::cut(gpu, size, most.min(u64::from(u32::MAX)))
    }

    /// The same in slabs of at most so many bytes.
    pub(super) fn cut(gpu: &Gpu, size: usize, most: u64) -> Result<Slabs<T>, DeviceError> {
        T::check(gpu)?;
        let block = (BLOCK * size * size_of::<[T; 2]>()) as u64;
        let blocks = most.checked_div(block).unwrap_or(1) as usize;
        if blocks == 0 {
            return Err(DeviceError::TooLarge {
                what: "the columns of a matrix that are factored together",
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
        Ok(Slabs {
            gpu: gpu.clone(),
            size,
            slabs,
        })
    }

    /// A copy of a matrix, rounded to the numbers of the card.
    pub(super) fn of(gpu: &Gpu, matrix: &Matrix) -> Result<Slabs<T>, DeviceError> {
        let slabs = Slabs::zeros(gpu, matrix.size())?;
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

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Number of rows and of columns.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Slab<T>> {
        self.slabs.iter()
    }

    /// The slab that holds a column.
    pub(super) fn of_column(&self, column: usize) -> Option<&Slab<T>> {
        self.slabs
            .iter()
            .find(|slab| slab.columns.contains(&column))
    }
}
