//! GPU computing for Wavefield through wgpu and WGSL, on Vulkan, Metal, and DX12.
//!
//! | item | content |
//! |---|---|
//! | [`Device`], [`DeviceChoice`] | the CPU or a GPU as requested, without silent fallback |
//! | [`Gpu`], [`adapters`] | an opened adapter with its capabilities and its measured accuracy |
//! | [`Buffer`], [`LargeBuffer`] | typed buffers, and arrays larger than a binding or a buffer |
//! | [`Kernel`], [`Commands`] | compute kernels: bindings, workgroups, dispatch |
//! | [`fft`] | batched FFT in one to three dimensions, on the CPU or the GPU |
//! | [`lu`] | LU decomposition of dense complex matrices, with iterative refinement to double precision |
//! | [`FixedSum`] | sums in the fixed order of [`wavefield_numerics::sum`] |
//! | [`DeviceError`] | device faults; no number computed after one is returned |
//!
//! Dispatches are recorded and submitted in order; the host does not wait for the GPU until it reads
//! a buffer.
//!
//! ```no_run
//! use wavefield_gpu::{Access, Buffer, Gpu, Kernel, KernelSource};
//!
//! # fn main() -> Result<(), wavefield_gpu::DeviceError> {
//! let gpu = Gpu::open(None)?;
//! let doubling = Kernel::new(&gpu, &KernelSource {
//!     name: "double",
//!     wgsl: "@group(0) @binding(0) var<storage, read_write> values: array<f32>;
//!            @compute @workgroup_size(64) fn double(@builtin(global_invocation_id) id: vec3<u32>) {
//!                if id.x < arrayLength(&values) { values[id.x] *= 2.0; }
//!            }",
//!     entry: "double",
//!     constants: &[],
//!     bindings: &[Access::ReadWrite],
//! })?;
//! let values = Buffer::from_slice(&gpu, &[1.0_f32, 2.0, 3.0])?;
//! gpu.dispatch(&doubling, &[values.bind()], 1)?;
//! assert_eq!(values.read()?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod accuracy;
mod adapter;
mod buffer;
mod cos_sin;
mod device;
mod error;
mod fault;
pub mod fft;
mod fixed_sum;
mod kernel;
mod large_buffer;
pub mod lu;
mod opened;
mod shader_dump;

pub use accuracy::{Accuracy, DOUBLE_FLOAT_WGSL, Measured};
pub use adapter::{AdapterInfo, AdapterKind, Capabilities, adapters};
pub use buffer::{Bound, Buffer, Uniform};
pub use cos_sin::COS_SIN_WGSL;
pub use device::{Device, DeviceChoice, ParseDeviceError};
pub use error::DeviceError;
pub use fault::Fault;
pub use fixed_sum::FixedSum;
pub use kernel::{Access, Commands, Kernel, KernelSource, fold_workgroups};
pub use large_buffer::{Chunk, Chunks, LargeBuffer};
pub use opened::Gpu;
