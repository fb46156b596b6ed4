//! FFT and deconvolution between the fine grid and the modes: FFTs along each axis are pruned to the
//! lines that the modes need.

use num_complex::Complex;

use super::columns::{Axis, End, Lines, Rows, Run, TOGETHER};
use super::long_line::LongLine;
use super::shared::{Shared, Source as _};
use crate::grid::{Layout, add};
use crate::kernel::Kernel;
use crate::precision::Precision;
use crate::workers::Workers;

/// FFTs of a plan, extended to three axes.
pub(crate) struct Transform<R> {
    axes: [Axis<R>; 3],
    /// FFT of the last axis, if it is the only one and long.
    long: Option<LongLine<R>>,
    layout: Layout,
    dimensions: usize,
}

impl<R: Precision> std::fmt::Debug for Transform<R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Transform")
            .field("layout", &self.layout)
            .finish_non_exhaustive()
    }
}

impl<R: Precision> Transform<R> {
    pub(crate) fn new(modes: &[usize], layout: Layout, kernel: &Kernel) -> Self {
        let missing = 3 - modes.len();
        let axes = std::array::from_fn(|a| {
            let length = layout.lengths[a];
            let count = if a < missing { 1 } else { modes[a - missing] };
            Axis {
                length,
                modes: count,
                factor: if a < missing {
                    vec![R::one()]
                } else {
                    kernel
                        .corrections(count, length)
                        .into_iter()
                        .map(R::narrow)
                        .collect()
                },
                fft: R::plan_line(length),
            }
        });
        let long = if modes.len() == 1 {
            LongLine::new(layout.lengths[2])
        } else {
            None
        };
        Transform {
            axes,
            long,
            layout,
            dimensions: modes.len(),
        }
    }

    /// Returns the memory of tables and scratch in bytes.
    pub(crate) fn memory(&self, workers: Workers) -> usize {
        let longest = self.layout.lengths.iter().max().copied().unwrap_or(1);
        let lines = if self.dimensions > 1 { TOGETHER + 2 } else { 2 };
        (lines * workers.count() + 2) * longest * size_of::<Complex<R>>()
    }

    /// Transforms a grid after spreading to its modes; overwrites the grid.
    pub(crate) fn to_modes(
        &self,
        direction: usize,
        grid: &mut [Complex<R>],
        modes: &mut [Complex<R>],
        workers: Workers,
    ) {
        if let Some(long) = &self.long {
            self.layout.gather_row(grid);
            long.to_modes(&self.axes[2], direction, grid, modes, workers);
            return;
        }
        let layout = &self.layout;
        if self.dimensions == 3 {
            self.planes(grid, workers, |room, grid, plane| {
                // SAFETY: the planes of the tasks are disjoint, and the halo belongs to no task.
                let own = unsafe { grid.part(layout.plane_at(plane)) };
                if plane < layout.halo[0] {
                    // SAFETY: as above.
                    add(own, unsafe {
                        grid.read(layout.plane_at(layout.lengths[0] + plane))
                    });
                }
                layout.gather_rows(own);
                for row in own[..layout.lengths[1] * layout.row].chunks_exact_mut(layout.row) {
                    layout.gather_row(row);
                    room.rows.row(&self.axes[2], direction, row);
                }
                self.middle(&mut room.columns, direction, own, [Rows::Grid, Rows::Kept]);
            });
        } else {
            self.rows(grid, workers, |lines, grid, number| {
                // SAFETY: the rows of the tasks are disjoint, and the halo belongs to no task.
                let own = unsafe { grid.part(layout.row_at(number)) };
                if number < layout.halo[1] {
                    // SAFETY: as above.
                    add(own, unsafe {
                        grid.read(layout.row_at(layout.lengths[1] + number))
                    });
                }
                layout.gather_row(own);
                lines.row(&self.axes[2], direction, own);
            });
        }
        if self.dimensions == 1 {
            let axis = &self.axes[2];
            for run in axis.runs() {
                for i in 0..run.count {
                    modes[run.mode + i] = grid[run.place + i] * axis.factor[run.mode + i];
                }
            }
            return;
        }
        let (grid, modes) = (Shared::new(grid), Shared::new(modes));
        self.outer(workers, |lines, axis, column| {
            let (on_grid, in_modes) = self.ends(&grid, &modes, &column);
            // SAFETY: the columns of the tasks are disjoint, and inside grid and modes by construction.
            unsafe {
                lines.columns(
                    axis,
                    direction,
                    &on_grid,
                    &in_modes,
                    column.count,
                    column.factor,
                    column.scale,
                );
            }
        });
    }

    /// Transforms modes to the grid for interpolation, the transpose of [`Self::to_modes`].
    pub(crate) fn to_grid(
        &self,
        direction: usize,
        modes: &[Complex<R>],
        grid: &mut [Complex<R>],
        workers: Workers,
    ) {
        if let Some(long) = &self.long {
            long.to_grid(&self.axes[2], direction, modes, grid, workers);
            self.layout.repeat_row(grid);
            return;
        }
        if self.dimensions == 1 {
            let axis = &self.axes[2];
            for run in axis.runs() {
                for i in 0..run.count {
                    grid[run.place + i] = modes[run.mode + i] * axis.factor[run.mode + i];
                }
            }
        } else {
            let (grid, modes) = (Shared::new(grid), modes);
            self.outer(workers, |lines, axis, column| {
                let (on_grid, in_modes) = self.ends(&grid, modes, &column);
                // SAFETY: the columns of the tasks are disjoint, and inside grid and modes by
                // construction.
                unsafe {
                    lines.columns(
                        axis,
                        direction,
                        &in_modes,
                        &on_grid,
                        column.count,
                        column.factor,
                        column.scale,
                    );
                }
            });
        }
        let layout = &self.layout;
        let kept = self.axes[2].runs();
        let row = |lines: &mut Lines<R>, row: &mut [Complex<R>]| {
            row[kept[0].count..kept[1].place].fill(Complex::new(R::zero(), R::zero()));
            lines.row(&self.axes[2], direction, row);
            layout.repeat_row(row);
        };
        if self.dimensions == 3 {
            self.planes(grid, workers, |room, grid, plane| {
                // SAFETY: the planes of the tasks are disjoint, and those of the halo belong to the task
                // of the plane they copy.
                let own = unsafe { grid.part(layout.plane_at(plane)) };
                self.middle(&mut room.columns, direction, own, [Rows::Kept, Rows::Grid]);
                for line in own[..layout.lengths[1] * layout.row].chunks_exact_mut(layout.row) {
                    row(&mut room.rows, line);
                }
                layout.repeat_rows(own);
                if plane < layout.halo[0] {
                    let beyond = layout.plane_at(layout.lengths[0] + plane);
                    // SAFETY: as above.
                    unsafe { grid.part(beyond) }.copy_from_slice(own);
                }
            });
        } else {
            self.rows(grid, workers, |lines, grid, number| {
                // SAFETY: the rows of the tasks are disjoint, and those of the halo belong to the task of
                // the row they copy.
                let own = unsafe { grid.part(layout.row_at(number)) };
                row(lines, own);
                if number < layout.halo[1] {
                    let beyond = layout.row_at(layout.lengths[1] + number);
                    // SAFETY: as above.
                    unsafe { grid.part(beyond) }.copy_from_slice(own);
                }
            });
        }
    }

    /// Calls `with` for every row of a plane inside the period.
    fn rows(
        &self,
        grid: &mut [Complex<R>],
        workers: Workers,
        with: impl Fn(&mut Lines<R>, &Shared<Complex<R>>, usize) + Sync + Send,
    ) {
        let grid = Shared::new(grid);
        workers.for_each(
            self.layout.lengths[1],
            || Lines::new(&self.axes[2]),
            |lines, number| with(lines, &grid, number),
        );
    }

    /// Calls `with` for every plane inside the period; planes are processed in order, so that one stays
    /// in cache while its rows and columns are transformed.
    fn planes(
        &self,
        grid: &mut [Complex<R>],
        workers: Workers,
        with: impl Fn(&mut Room<R>, &Shared<Complex<R>>, usize) + Sync + Send,
    ) {
        let grid = Shared::new(grid);
        workers.for_each(
            self.layout.lengths[0],
            || Room {
                rows: Lines::new(&self.axes[2]),
                columns: Lines::new(&self.axes[1]),
            },
            |room, number| with(room, &grid, number),
        );
    }

    /// Transforms the middle axis of three on one plane, in place.
    fn middle(
        &self,
        lines: &mut Lines<R>,
        direction: usize,
        plane: &mut [Complex<R>],
        rows: [Rows; 2],
    ) {
        let plane = Shared::new(plane);
        for group in groups(self.axes[2].runs()) {
            let end = |rows| End {
                data: &plane,
                offset: group.place,
                stride: self.layout.row,
                rows,
            };
            let ends = rows.map(end);
            // SAFETY: one group of columns at a time, inside the plane by construction.
            unsafe {
                lines.columns(
                    &self.axes[1],
                    direction,
                    &ends[0],
                    &ends[1],
                    group.count,
                    &[],
                    R::one(),
                );
            }
        }
    }

    /// Transforms the slowest axis between grid and modes.
    fn outer(
        &self,
        workers: Workers,
        with: impl Fn(&mut Lines<R>, &Axis<R>, Columns<'_, R>) + Sync + Send,
    ) {
        let groups = groups(self.axes[2].runs());
        let middle = &self.axes[1];
        let (axis, places): (_, Vec<Run>) = if self.dimensions == 3 {
            (
                &self.axes[0],
                middle.runs().into_iter().flat_map(singly).collect(),
            )
        } else {
            // In two dimensions the middle axis is the slowest, and there is one plane.
            (
                middle,
                vec![Run {
                    place: 0,
                    mode: 0,
                    count: 1,
                }],
            )
        };
        workers.for_each(
            places.len() * groups.len(),
            || Lines::new(axis),
            |lines, task| {
                let (line, group) = (places[task / groups.len()], groups[task % groups.len()]);
                let scale = if self.dimensions == 3 {
                    middle.factor[line.mode]
                } else {
                    R::one()
                };
                let columns = Columns {
                    line,
                    group,
                    count: group.count,
                    factor: &self.axes[2].factor[group.mode..group.mode + group.count],
                    scale,
                };
                with(lines, axis, columns);
            },
        );
    }

    /// Returns source and destination of columns of the slowest axis: on the grid and among the modes.
    fn ends<'a, D: ?Sized>(
        &self,
        grid: &'a Shared<'a, Complex<R>>,
        modes: &'a D,
        columns: &Columns<'_, R>,
    ) -> (End<'a, Shared<'a, Complex<R>>>, End<'a, D>) {
        let Layout { row, plane, .. } = self.layout;
        let last = self.axes[2].modes;
        let three = self.dimensions == 3;
        (
            End {
                data: grid,
                offset: columns.line.place * row + columns.group.place,
                stride: if three { plane } else { row },
                rows: Rows::Grid,
            },
            End {
                data: modes,
                offset: columns.line.mode * last + columns.group.mode,
                stride: if three {
                    self.axes[1].modes * last
                } else {
                    last
                },
                rows: Rows::Modes,
            },
        )
    }
}

/// Scratch for the lines along the last and the middle axis.
struct Room<R> {
    rows: Lines<R>,
    columns: Lines<R>,
}

/// Adjacent columns of the slowest axis.
struct Columns<'a, R> {
    /// Position and mode along the middle axis.
    line: Run,
    /// Positions and modes along the last axis.
    group: Run,
    count: usize,
    /// Deconvolution factors of the last axis.
    factor: &'a [R],
    /// Deconvolution factor of the middle axis.
    scale: R,
}

/// Divides the modes of an axis into groups of contiguous ones.
fn groups(runs: [Run; 2]) -> Vec<Run> {
    runs.into_iter()
        .flat_map(|run| {
            (0..run.count).step_by(TOGETHER).map(move |first| Run {
                place: run.place + first,
                mode: run.mode + first,
                count: TOGETHER.min(run.count - first),
            })
        })
        .collect()
}

/// Divides a run into single modes.
fn singly(run: Run) -> impl Iterator<Item = Run> {
    (0..run.count).map(move |i| Run {
        place: run.place + i,
        mode: run.mode + i,
        count: 1,
    })
}
