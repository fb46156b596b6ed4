//! Integration tests in one binary, so that dependencies are linked once.

mod fft_cpu_is_the_sum_it_claims_to_be;
mod progress_and_cancellation;
mod same_bits_for_any_thread_count;
mod sums_are_accurate;
