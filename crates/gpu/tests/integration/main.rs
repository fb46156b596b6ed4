//! Integration tests in one binary, so that dependencies are linked once.

mod choosing_a_device;
mod chunking;
mod device_faults_are_errors;
mod fft_gpu_agrees_with_cpu;
mod gpu_lu;
mod sums_in_fixed_order;
