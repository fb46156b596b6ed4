//! Integration tests in one binary, so that dependencies are linked once.

mod choosing_a_device;
mod chunking;
mod device_faults_are_errors;
mod fft_cpu_is_the_sum_it_claims_to_be;
mod fft_gpu_agrees_with_cpu;
mod progress_and_cancellation;
mod same_bits_for_any_thread_count;
mod sums_are_accurate;
mod transport_adds_in_the_order_of_ranks;
