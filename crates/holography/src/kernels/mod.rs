//! Compute kernels: sigma–delta modulation, CIC decimation, bit transposition, Walsh–Hadamard transforms, partial DFT
//! sums, Burg's method.
//!
//! Each kernel is written over rows of channels and inlined into functions with the target features of an instruction
//! set. The order of summation is the same everywhere; linear prediction uses fused multiply–add where available, so
//! that results of different instruction sets differ by roundoff. They do not depend on the number of threads.

#![allow(unsafe_code)]

pub(crate) mod comb;
pub(crate) mod hadamard;
pub(crate) mod modulate;
pub(crate) mod partial;
pub(crate) mod prediction;
pub(crate) mod transpose;

/// Defines a function that dispatches to one body for all instruction sets, to one body with vectors and one without,
/// or to separate bodies for AVX-512, AVX2, and the fallback.
macro_rules! dispatch {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $body:expr) => {
        $crate::kernels::dispatch! {
            $(#[$doc])* $visible fn $name($($argument: $type),*) = $body, $body, $body
        }
    };
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) =
        $vector:expr, $plain:expr) => {
        $crate::kernels::dispatch! {
            $(#[$doc])* $visible fn $name($($argument: $type),*) = $vector, $vector, $plain
        }
    };
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) =
        $avx512:expr, $avx2:expr, $plain:expr) => {
        $(#[$doc])*
        $visible fn $name(instructions: ::wavefield_numerics::simd::InstructionSet, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
            fn in_avx512($($argument: $type),*) {
                $avx512($($argument),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn in_avx2($($argument: $type),*) {
                $avx2($($argument),*);
            }
            match instructions.simd() {
                // SAFETY: this instruction set was detected on the CPU.
                #[cfg(target_arch = "x86_64")]
                ::wavefield_numerics::cpu::Simd::Avx512 => unsafe { in_avx512($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                ::wavefield_numerics::cpu::Simd::Avx2 => unsafe { in_avx2($($argument),*) },
                _ => $plain($($argument),*),
            }
        }
    };
}
pub(crate) use dispatch;
