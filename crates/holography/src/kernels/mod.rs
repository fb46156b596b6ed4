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

/// An instruction set the processor was asked about and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// 512-bit vectors of numbers of any width.
    #[cfg(target_arch = "x86_64")]
    Avx512(Asked),
    /// 256-bit vectors with fused products.
    #[cfg(target_arch = "x86_64")]
    Avx2(Asked),
    /// What every processor of this kind has.
    Plain,
}

/// Made only after the processor was asked.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked(());

impl Instructions {
    /// The widest.
    pub(crate) fn widest() -> Self {
        Self::each().next().unwrap_or(Self::Plain)
    }

    /// All there are, the widest first.
    pub(crate) fn each() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors = [
            (is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("fma"))
            .then_some(Self::Avx512(Asked(()))),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Self::Avx2(Asked(()))),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let vectors: [Option<Self>; 0] = [];
        vectors.into_iter().flatten().chain([Self::Plain])
    }
}

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
        $visible fn $name(instructions: $crate::kernels::Instructions, $($argument: $type),*) {
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
            match instructions {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this value is made only after the processor has said that it has these instructions.
                $crate::kernels::Instructions::Avx512(_) => unsafe { in_avx512($($argument),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                $crate::kernels::Instructions::Avx2(_) => unsafe { in_avx2($($argument),*) },
                $crate::kernels::Instructions::Plain => $plain($($argument),*),
            }
        }
    };
}
pub(crate) use dispatch;
