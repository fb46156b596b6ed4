//! The same code for several instruction sets.

/// Defines functions that run the same code for the widest instruction set of the processor.
///
/// The code is a function that is generic over `const FUSED: bool`: whether products and sums are rounded once, which
/// decides the last bits. It is `#[inline(always)]`, and so is what it calls. The macro expands to unsafe calls and
/// belongs into modules that allow them.
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
                // Every 64-bit Arm CPU fuses.
                #[cfg(target_arch = "aarch64")]
                $crate::cpu::Simd::Neon => $body::<true>($($argument),*),
                // A fused product would be a slow call.
                _ => $body::<false>($($argument),*),
            }
        }
    };
}
