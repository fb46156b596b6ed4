//! Hot loops: modulation, decimation, transposition of bits, Walsh–Hadamard transforms, partial sums of spectra, Burg's method.
//!
//! Each is written over rows of channels, inlined into functions that carry the target features of an instruction set,
//! and becomes that set's machine code there. Sums have the same order everywhere; linear prediction fuses products with
//! them where the processor can, so that there instruction sets differ in the last bits. Numbers of threads do not.

#![allow(unsafe_code)]

pub(crate) mod comb;
pub(crate) mod hadamard;
pub(crate) mod modulate;
pub(crate) mod partial;
pub(crate) mod prediction;
pub(crate) mod transpose;

/// A function that runs the same code in an instruction set; or one code with vectors and one without; or a code for
/// each of AVX-512, AVX2 and none.
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
                // SAFETY: the processor has this instruction set.
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
