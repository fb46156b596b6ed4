//! Compute kernels in WGSL: compilation, bindings, and dispatch inside error scopes.

use crate::error::DeviceError;
use crate::{Bound, Gpu, shader_dump};

/// Access of a kernel to a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read-only storage buffer: `var<storage, read>`.
    Read,
    /// Writable storage buffer: `var<storage, read_write>`.
    ReadWrite,
    /// Uniform buffer: `var<uniform>`.
    Uniform,
}

/// Source of a [`Kernel`].
#[derive(Debug, Clone, Copy)]
pub struct KernelSource<'a> {
    /// Name for messages.
    pub name: &'a str,
    /// WGSL text.
    pub wgsl: &'a str,
    /// Name of the entry point, the `@compute` function.
    pub entry: &'a str,
    /// Values of the `override` constants of the shader.
    pub constants: &'a [(&'a str, f64)],
    /// Bindings in the order of `@group(0) @binding(0)`, `@binding(1)`, …
    pub bindings: &'a [Access],
}

/// A compiled compute kernel.
#[derive(Debug, Clone)]
pub struct Kernel {
    name: String,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    arguments: usize,
}

impl Kernel {
    /// Compiles a kernel.
    ///
    /// # Errors
    /// Returns [`DeviceError::Kernel`] with the message of the compiler if the text is invalid or requires a missing
    /// capability.
    pub fn new(gpu: &Gpu, source: &KernelSource<'_>) -> Result<Self, DeviceError> {
        let device = gpu.device();
        let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
            .zip(source.bindings)
            .map(|(binding, access)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: match access {
                        Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                        Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                        Access::Uniform => wgpu::BufferBindingType::Uniform,
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let made = gpu.guarded(source.name, || {
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(source.name),
                source: wgpu::ShaderSource::Wgsl(source.wgsl.into()),
            });
            let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(source.name),
                entries: &entries,
            });
            let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(source.name),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(source.name),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(source.entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: source.constants,
                    ..Default::default()
                },
                cache: None,
            });
            (pipeline, layout)
        });
        let (pipeline, layout) = made.map_err(|error| match error {
            DeviceError::Validation { message, .. } | DeviceError::Internal { message, .. } => {
                DeviceError::Kernel {
                    name: source.name.to_owned(),
                    message,
                }
            }
            other => other,
        })?;
        shader_dump::write(source)?;
        Ok(Self {
            name: source.name.to_owned(),
            pipeline,
            layout,
            arguments: source.bindings.len(),
        })
    }
}

/// A command encoder; dispatches run in order, and each sees the writes of the earlier ones.
#[derive(Debug)]
pub struct Commands<'a> {
    gpu: &'a Gpu,
    encoder: &'a mut wgpu::CommandEncoder,
}

impl Commands<'_> {
    /// Records a dispatch of `workgroups` workgroups.
    ///
    /// Beyond the limit per axis they are folded to two axes and may exceed the requested number: the kernel uses
    /// `group.y * num_workgroups.x + group.x` as its index and returns if that is past the end.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the bindings do not match the kernel or the limits of the device.
    pub fn dispatch(
        &mut self,
        kernel: &Kernel,
        arguments: &[Bound<'_>],
        workgroups: u64,
    ) -> Result<(), DeviceError> {
        if workgroups == 0 {
            return Ok(());
        }
        if arguments.len() != kernel.arguments {
            return Err(DeviceError::Length {
                what: "the list of kernel bindings",
                expected: kernel.arguments,
                found: arguments.len(),
            });
        }
        let per_axis = self.gpu.capabilities().max_workgroups_per_axis;
        let (x, y) = fold_workgroups(workgroups, per_axis)?;
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(arguments)
            .map(|(binding, argument)| wgpu::BindGroupEntry {
                binding,
                resource: argument.resource(),
            })
            .collect();
        let bind_group = self.gpu.guarded(&kernel.name, || {
            self.gpu
                .device()
                .create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some(&kernel.name),
                    layout: &kernel.layout,
                    entries: &entries,
                })
        })?;
        let mut pass = self
            .encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(&kernel.name),
                timestamp_writes: None,
            });
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(x, y, 1);
        Ok(())
    }
}

impl Gpu {
    /// Records dispatches in `work` and submits them together, without waiting for them.
    ///
    /// # Errors
    /// Returns the first error of `work` (in that case nothing is submitted) or of the submission.
    pub fn submit<E: From<DeviceError>>(
        &self,
        work: impl FnOnce(&mut Commands<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.guarded("submit", || {
            let mut encoder = self
                .device()
                .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            work(&mut Commands {
                gpu: self,
                encoder: &mut encoder,
            })?;
            self.queue().submit([encoder.finish()]);
            Ok(())
        })?
    }

    /// Dispatches one kernel, without waiting for it.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the bindings do not match the kernel or the limits of the device.
    pub fn dispatch(
        &self,
        kernel: &Kernel,
        arguments: &[Bound<'_>],
        workgroups: u64,
    ) -> Result<(), DeviceError> {
        self.submit(|commands| commands.dispatch(kernel, arguments, workgroups))
    }
}

/// Folds workgroups to two axes of at most `per_axis`, with less than one surplus row.
///
/// # Errors
/// Returns [`DeviceError`] if they exceed two full axes.
pub fn fold_workgroups(workgroups: u64, per_axis: u32) -> Result<(u32, u32), DeviceError> {
    let limit = u64::from(per_axis);
    let rows = workgroups.div_ceil(limit.max(1)).max(1);
    let columns = workgroups.div_ceil(rows);
    match (u32::try_from(columns), u32::try_from(rows)) {
        (Ok(columns), Ok(rows)) if rows <= per_axis => Ok((columns, rows)),
        _ => Err(DeviceError::TooManyWorkgroups {
            groups: workgroups,
            limit: limit * limit,
        }),
    }
}
