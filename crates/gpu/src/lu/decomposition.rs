//! LU decomposition with partial pivoting on a GPU, and solutions from its factors.

use std::marker::PhantomData;

use num_complex::Complex64;

use super::error::GpuLuError;
use super::matrix::{BLOCK, GpuMatrix, Slab};
use super::number::Number;
use crate::DeviceError;
use crate::{Access, Buffer, Gpu, Kernel, KernelSource, Uniform};
use wavefield_numerics::observe::{Observer, Progress};

/// Threads of a copy, columns of a block row, and rows and columns of a tile per workgroup; as in `lu.wgsl`.
const COPIED: usize = 64;
const COLUMNS: usize = 32;
const TILE: usize = 64;
/// Right-hand sides per solve.
const RIGHT_SIDES: usize = 256;

/// LU factors, which overwrite the matrix.
#[derive(Debug)]
pub(super) struct Lu<T> {
    matrix: GpuMatrix<T>,
    kernels: Kernels<T>,
    /// Buffer of the panel.
    panel: Buffer<[T; 2]>,
    /// Row interchanges, pivot magnitudes, and column sums of moduli of the matrix.
    pivots: Buffer<u32>,
    /// 1-norm of the matrix, the largest of the column sums.
    norm_one: f64,
}

/// Compiled kernels of one precision, usable for any number of matrices.
#[derive(Clone, Debug)]
pub struct Kernels<T> {
    take: Kernel,
    give: Kernel,
    factor: Kernel,
    forward: Kernel,
    backward: Kernel,
    update: Kernel,
    moduli: Kernel,
    adjoint_upper: Kernel,
    adjoint_lower: Kernel,
    numbers: PhantomData<T>,
}

impl<T: Number> Kernels<T> {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device lacks the precision or failed.
    pub fn new(gpu: &Gpu) -> Result<Kernels<T>, DeviceError> {
        T::check(gpu)?;
        let wgsl = format!("{}\n{}", T::WGSL, include_str!("kernels/lu.wgsl"));
        let kernel = |entry: &str| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name: entry,
                    wgsl: &wgsl,
                    entry,
                    constants: &[("BLOCK", BLOCK as f64)],
                    bindings: &[
                        Access::Uniform,
                        Access::ReadWrite,
                        Access::ReadWrite,
                        Access::ReadWrite,
                    ],
                },
            )
        };
        Ok(Kernels {
            take: kernel("take")?,
            give: kernel("give")?,
            factor: kernel("factor")?,
            forward: kernel("forward")?,
            backward: kernel("backward")?,
            update: kernel("update")?,
            moduli: kernel("moduli")?,
            adjoint_upper: kernel("adjoint_upper")?,
            adjoint_lower: kernel("adjoint_lower")?,
            numbers: PhantomData,
        })
    }
}

/// Returns the device memory in bytes of the factors of a matrix of this size: the matrix and a panel.
pub fn memory<T: Number>(size: usize) -> usize {
    size_of::<[T; 2]>() * size * (size + BLOCK)
}

/// Columns `first` to `first + width` of the matrix, in the panel buffer.
#[derive(Clone, Copy)]
struct Panel {
    first: usize,
    width: usize,
}

impl Panel {
    fn end(self) -> usize {
        self.first + self.width
    }
}

impl<T: Number> Lu<T> {
    /// Factors a matrix.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if a pivot is zero or NaN, the device failed, or the observer requested a stop.
    pub(super) fn new(
        matrix: GpuMatrix<T>,
        kernels: &Kernels<T>,
        observer: &dyn Observer,
    ) -> Result<Lu<T>, GpuLuError> {
        let (gpu, size) = (matrix.gpu(), matrix.size());
        let mut lu = Lu {
            kernels: kernels.clone(),
            panel: Buffer::zeroed(gpu, size * BLOCK)?,
            pivots: Buffer::zeroed(gpu, 3 * size)?,
            matrix,
            norm_one: 0.0,
        };
        for slab in lu.matrix.iter() {
            let task = Task::new(size, lu.panel_at(0), slab);
            lu.run(&lu.kernels.moduli, &task, &slab.entries, slab.columns.len())?;
        }
        for first in (0..size).step_by(BLOCK) {
            observer.checkpoint()?;
            lu.factor_panel(lu.panel_at(first))?;
            lu.matrix.gpu().wait()?;
            let done = (first + BLOCK).min(size) as u64;
            observer.progress(&Progress::new("LU factorization", done, size as u64));
        }
        let pivots = lu.pivots.read()?;
        let numbers = |part: usize| {
            pivots[part * size..(part + 1) * size]
                .iter()
                .map(|&bits| f32::from_bits(bits))
        };
        if let Some(index) = numbers(1).position(|size| !(size > 0.0 && size.is_finite())) {
            return Err(GpuLuError::Singular { index });
        }
        lu.norm_one = numbers(2).map(f64::from).fold(0.0, f64::max);
        Ok(lu)
    }

    /// Returns the 1-norm of the matrix, in single precision.
    pub(super) fn norm_one(&self) -> f64 {
        self.norm_one
    }

    fn size(&self) -> usize {
        self.matrix.size()
    }

    fn panel_at(&self, first: usize) -> Panel {
        Panel {
            first,
            width: BLOCK.min(self.size() - first),
        }
    }

    /// Factors the columns of a panel and updates all columns to their right.
    fn factor_panel(&self, panel: Panel) -> Result<(), DeviceError> {
        let own = self.take(panel)?;
        self.run(
            &self.kernels.factor,
            &Task::new(self.size(), panel, own),
            &own.entries,
            1,
        )?;
        let copied = (self.size() * panel.width).div_ceil(COPIED);
        self.run(
            &self.kernels.give,
            &Task::new(self.size(), panel, own),
            &own.entries,
            copied,
        )?;
        for slab in self.matrix.iter().filter(|s| s.columns.end > panel.end()) {
            let task = Task::new(self.size(), panel, slab);
            self.eliminate(panel, task, &slab.entries)?;
        }
        Ok(())
    }

    /// Copies columns to the panel and returns their slab.
    fn take(&self, panel: Panel) -> Result<&Slab<T>, DeviceError> {
        let slab = self
            .matrix
            .of_column(panel.first)
            .ok_or(DeviceError::Length {
                what: "a matrix on the GPU",
                expected: panel.end(),
                found: self.size(),
            })?;
        let copied = (self.size() * panel.width).div_ceil(COPIED);
        self.run(
            &self.kernels.take,
            &Task::new(self.size(), panel, slab),
            &slab.entries,
            copied,
        )?;
        Ok(slab)
    }

    /// Interchanges rows, solves for the block row, and updates the rows below.
    fn eliminate(
        &self,
        panel: Panel,
        task: Task,
        slab: &Buffer<[T; 2]>,
    ) -> Result<(), DeviceError> {
        let groups = (task.slab_columns as usize).div_ceil(COLUMNS);
        self.run(&self.kernels.forward, &task, slab, groups)?;
        self.update(&task.rows(panel.end()..self.size()), slab)
    }

    fn update(&self, task: &Task, slab: &Buffer<[T; 2]>) -> Result<(), DeviceError> {
        let rows = (task.row_to - task.row_from) as usize;
        let columns = task.slab_columns.saturating_sub(task.column_from) as usize;
        let tiles = rows.div_ceil(TILE) * columns.div_ceil(TILE);
        self.run(&self.kernels.update, task, slab, tiles)
    }

    fn run(
        &self,
        kernel: &Kernel,
        task: &Task,
        slab: &Buffer<[T; 2]>,
        groups: usize,
    ) -> Result<(), DeviceError> {
        let gpu = self.matrix.gpu();
        let task = Uniform::new(gpu, &task.words())?;
        let arguments = [
            task.bind(),
            self.panel.bind(),
            slab.bind(),
            self.pivots.bind(),
        ];
        gpu.dispatch(kernel, &arguments, groups as u64)
    }

    /// Replaces right-hand sides, stored column by column in `columns`, with the solutions.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed, now or in an earlier operation.
    pub(super) fn solve(&self, columns: &mut [Complex64]) -> Result<(), DeviceError> {
        self.each(columns, |right| self.substitute(right))
    }

    /// Solves with the conjugate transpose of the matrix instead.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed, now or in an earlier operation.
    pub(super) fn solve_adjoint(&self, columns: &mut [Complex64]) -> Result<(), DeviceError> {
        self.each(columns, |right| self.substitute_adjoint(right))
    }

    /// Copies right-hand sides to the GPU, as many as fit, applies `work`, and copies them back.
    fn each(
        &self,
        columns: &mut [Complex64],
        work: impl Fn(&Buffer<[T; 2]>) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let size = self.size();
        let element = size_of::<[T; 2]>() as u64 * size.max(1) as u64;
        let most = self.matrix.gpu().capabilities().max_storage_binding / element;
        let together = RIGHT_SIDES.min(most.max(1) as usize) * size.max(1);
        for part in columns.chunks_mut(together) {
            let pairs: Vec<[T; 2]> = part.iter().map(|&z| T::pair(z)).collect();
            let right = Buffer::from_slice(self.matrix.gpu(), &pairs)?;
            work(&right)?;
            for (z, pair) in part.iter_mut().zip(right.read()?) {
                *z = T::value(pair);
            }
        }
        Ok(())
    }

    /// Substitutes forward through L, then backward through U.
    fn substitute(&self, right: &Buffer<[T; 2]>) -> Result<(), DeviceError> {
        let size = self.size();
        let count = right.len() / size;
        // Right-hand sides are treated as columns to the right of the matrix.
        let task = |panel| Task::of_columns(size, panel, size..size + count);
        for first in (0..size).step_by(BLOCK) {
            let panel = self.panel_at(first);
            self.take(panel)?;
            self.eliminate(panel, task(panel), right)?;
        }
        for first in (0..size).step_by(BLOCK).rev() {
            let panel = self.panel_at(first);
            self.take(panel)?;
            let groups = count.div_ceil(COLUMNS);
            self.run(&self.kernels.backward, &task(panel), right, groups)?;
            self.update(&task(panel).rows(0..first), right)?;
        }
        Ok(())
    }

    /// Substitutes forward through Uᴴ, then backward through Lᴴ.
    fn substitute_adjoint(&self, right: &Buffer<[T; 2]>) -> Result<(), DeviceError> {
        let size = self.size();
        let count = right.len() / size;
        let task = |panel| Task::of_columns(size, panel, size..size + count);
        for first in (0..size).step_by(BLOCK) {
            let panel = self.panel_at(first);
            self.take(panel)?;
            let above = task(panel).rows(0..first);
            self.run(&self.kernels.adjoint_upper, &above, right, count)?;
        }
        for first in (0..size).step_by(BLOCK).rev() {
            let panel = self.panel_at(first);
            self.take(panel)?;
            let below = task(panel).rows(panel.end()..size);
            self.run(&self.kernels.adjoint_lower, &below, right, count)?;
        }
        Ok(())
    }
}

/// Parameters of a dispatch, laid out as in `lu.wgsl`.
#[derive(Clone, Copy)]
struct Task {
    size: u32,
    first: u32,
    width: u32,
    slab_first: u32,
    slab_columns: u32,
    column_from: u32,
    row_from: u32,
    row_to: u32,
}

impl Task {
    fn new<T>(size: usize, panel: Panel, slab: &Slab<T>) -> Task {
        Task::of_columns(size, panel, slab.columns.clone())
    }

    /// Creates a task on columns of the matrix that updates those to the right of the panel.
    fn of_columns(size: usize, panel: Panel, columns: std::ops::Range<usize>) -> Task {
        Task {
            size: size as u32,
            first: panel.first as u32,
            width: panel.width as u32,
            slab_first: columns.start as u32,
            slab_columns: columns.len() as u32,
            column_from: panel.end().saturating_sub(columns.start) as u32,
            row_from: 0,
            row_to: 0,
        }
    }

    fn rows(self, rows: std::ops::Range<usize>) -> Task {
        Task {
            row_from: rows.start as u32,
            row_to: rows.end as u32,
            ..self
        }
    }

    fn words(&self) -> [u32; 8] {
        [
            self.size,
            self.first,
            self.width,
            self.slab_first,
            self.slab_columns,
            self.column_from,
            self.row_from,
            self.row_to,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::dense::Matrix;
    use wavefield_numerics::observe::Silent;

    #[test]
    fn slabs_do_not_change_a_bit() {
        let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
        let size = 150;
        let matrix = Matrix::from_fn(size, size, |row, column| {
            let i = (column * size + row) as f64;
            Complex64::new((1.3 * i).sin(), (0.7 * i * i).cos())
        });
        let right: Vec<Complex64> = (0..3).flat_map(|j| matrix.column(j).to_vec()).collect();
        let block = (BLOCK * size * size_of::<[f32; 2]>()) as u64;
        let kernels = Kernels::new(&gpu).unwrap();
        let solve = |most: u64, slabs: usize| {
            let on_gpu = GpuMatrix::<f32>::cut(&gpu, size, most).unwrap();
            assert_eq!(on_gpu.iter().count(), slabs);
            on_gpu.write(&matrix).unwrap();
            let lu = Lu::new(on_gpu, &kernels, &Silent).unwrap();
            let mut columns = right.clone();
            lu.solve(&mut columns).unwrap();
            lu.solve_adjoint(&mut columns).unwrap();
            columns
        };
        let whole = solve(u64::MAX, 1);
        assert_eq!(solve(2 * block, 3), whole);
        assert_eq!(solve(block + 7, 5), whole);
        assert!(matches!(
            GpuMatrix::<f32>::cut(&gpu, size, block - 1),
            Err(DeviceError::TooLarge { .. })
        ));
    }
}
