//! Run-time dispatch of a function to several instruction sets.

/// Defines functions that run the same code with the widest instruction set of the CPU.
///
/// The code is a function generic over `const FUSED: bool`: whether multiplication and addition are fused (rounded
/// once), which affects the last bits. It must be `#[inline(always)]`, as must everything it calls. The macro expands
/// to unsafe calls, for modules that allow them.
///
/// ```
/// wavefield_numerics::simd::dispatch! {
///     /// Adds a·x to y.
///     fn add_scaled(a: f64, x: &[f64], y: &mut [f64]) = add_scaled_either
/// }
///
/// #[inline(always)]
/// fn add_scaled_either<const FUSED: bool>(a: f64, x: &[f64], y: &mut [f64]) {
///     for (y, x) in y.iter_mut().zip(x) {
///         *y = if FUSED { a.mul_add(*x, *y) } else { a * x + *y };
///     }
/// }
///
/// let mut y = [1.0, 2.0];
/// add_scaled(3.0, &[1.0, 10.0], &mut y);
/// assert_eq!(y, [4.0, 32.0]);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $body:ident) => {
        $(#[$doc])*
        $visible fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
            fn in_avx512($($argument: $type),*) {
                $body::<true>($($argument),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn in_avx2($($argument: $type),*) {
                $body::<true>($($argument),*);
            }
            match $crate::simd::InstructionSet::widest().simd() {
                // SAFETY: the CPU has this instruction set.
                #[cfg(target_arch = "x86_64")]
                $crate::cpu::Simd::Avx512 => unsafe { in_avx512($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::cpu::Simd::Avx2 => unsafe { in_avx2($($argument),*) },
                // FMA is part of every 64-bit Arm CPU.
                #[cfg(target_arch = "aarch64")]
                $crate::cpu::Simd::Neon => $body::<true>($($argument),*),
                // Without FMA instructions a fused operation is a slow function call.
                _ => $body::<false>($($argument),*),
            }
        }
    };
}
