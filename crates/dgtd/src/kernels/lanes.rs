//! Pairs of numbers side by side behind one trait: the few operations a stage needs.
//!
//! A stage is written once over [`Lanes`], is inlined into a function that carries the instruction set's
//! target features ([`dispatch`]) and becomes that set's machine code there. Products are fused with their
//! sums where the processor can, so instruction sets differ in the last bits; numbers of threads do not.

use std::ptr::with_exposed_provenance;

use wavefield_numerics::cpu::Simd;

use super::Number;

/// A vector of (E, H) pairs, one pair per element.
///
/// # Safety
/// Every function needs a processor with the instruction set of the implementing type; pointers must lead
/// to as many numbers as the function says. Whole vectors are loaded and stored at multiples of their size.
pub trait Lanes: Copy {
    /// What the lanes hold.
    type Number: Number;
    /// What gathering needs besides places.
    type Gatherer: Copy;
    /// Numbers in the vector, twice the number of elements.
    const COUNT: usize;
    /// Rows of a product kept in registers at once, three vectors each.
    const ROWS: usize;

    unsafe fn splat(value: Self::Number) -> Self;
    unsafe fn load(from: *const Self::Number) -> Self;
    /// Half as many numbers as lanes, each in the two lanes of its element.
    unsafe fn widen(from: *const Self::Number) -> Self;
    unsafe fn store(self, to: *mut Self::Number);
    /// Stores past the caches where a vector is a whole line of them; [`Lanes::settle`] ends a series.
    #[inline(always)]
    unsafe fn stream(self, to: *mut Self::Number) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }
    /// Lets other threads see what was stored past the caches.
    #[inline(always)]
    unsafe fn settle() {}
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// self + a·b.
    unsafe fn plus(self, a: Self, b: Self) -> Self;
    /// self − a·b.
    unsafe fn minus(self, a: Self, b: Self) -> Self;
    /// a·self − b.
    unsafe fn times_less(self, a: Self, b: Self) -> Self;
    /// E and H of every element exchanged.
    unsafe fn swap(self) -> Self;
    /// 1/√self.
    unsafe fn inverse_sqrt(self) -> Self;
    /// Writes where the pairs of neighbours begin: for each of the rows, which give the distance from the beginning of
    /// a block in numbers by face, an address for each element. Neighbours are given by codes element·4 + face, blocks
    /// are `stride` numbers apart.
    #[inline(always)]
    unsafe fn places(
        fields: *const Self::Number,
        codes: *const u32,
        stride: u32,
        rows: &[[i64; 4]],
        to: *mut usize,
    ) {
        let first = fields.expose_provenance();
        let size = size_of::<Self::Number>();
        for lane in 0..Self::COUNT / 2 {
            // SAFETY: there is a code for each element and room for an address of each.
            let code = unsafe { *codes.add(lane) };
            let (block, element) = ((code >> 5) as usize, (code >> 2 & 7) as usize);
            let own = first + (block * stride as usize + 2 * element) * size;
            for (i, row) in rows.iter().enumerate() {
                let place = own + row[code as usize & 3] as usize * size;
                // SAFETY: as above.
                unsafe { *to.add(i * Self::COUNT / 2 + lane) = place };
            }
        }
    }

    /// What gathering needs besides places.
    fn gatherer() -> Self::Gatherer;

    /// The pairs at these addresses, and as many numbers as `shift` beyond.
    unsafe fn gather(gatherer: Self::Gatherer, places: *const usize, shift: usize) -> Self;
}

/// What an address written by [`Lanes::places`] leads to, and as many numbers as `shift` beyond.
///
/// # Safety
/// There is an address.
#[inline(always)]
unsafe fn at<T, U>(place: *const usize, shift: usize) -> *const U {
    // SAFETY: the caller's promise.
    unsafe {
        with_exposed_provenance::<T>(*place)
            .wrapping_add(shift)
            .cast()
    }
}

/// Work written over lanes.
pub(super) trait Job<T: Number> {
    /// What it gives.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is all they call: what is not inlined, closures
    /// among it, loses the instruction set.
    ///
    /// # Safety
    /// The processor must have the instruction set of `L`.
    unsafe fn run<L: Lanes<Number = T>>(self) -> Self::Output;
}

/// An instruction set the processor was asked about and has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Present(Simd);

impl Present {
    /// The widest.
    pub(super) fn widest() -> Present {
        Present(Simd::detect())
    }

    /// All of them, for tests that hold one against the other.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Present> {
        match Simd::detect() {
            Simd::Avx512 => vec![
                Present(Simd::Avx512),
                Present(Simd::Avx2),
                Present(Simd::Scalar),
            ],
            Simd::Avx2 => vec![Present(Simd::Avx2), Present(Simd::Scalar)],
            other => vec![Present(other)],
        }
    }

    /// Rows of a product that fit the registers.
    pub(super) fn rows<T: Number>(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => T::Avx512::ROWS,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => T::Avx2::ROWS,
            _ => T::Portable::ROWS,
        }
    }
}

/// Runs a job with an instruction set. On Arm the compiler turns the portable lanes into NEON, which is part of every
/// 64-bit processor.
pub(super) fn dispatch<T: Number, J: Job<T>>(present: Present, job: J) -> J::Output {
    match present.0 {
        // SAFETY: `Present` is only made of instruction sets the processor has.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => unsafe { in_avx512(job) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => unsafe { in_avx2(job) },
        // SAFETY: portable lanes need nothing.
        _ => unsafe { job.run::<T::Portable>() },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn in_avx512<T: Number, J: Job<T>>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX-512.
    unsafe { job.run::<T::Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn in_avx2<T: Number, J: Job<T>>(job: J) -> J::Output {
    // SAFETY: the caller has seen that the processor has AVX2 and FMA.
    unsafe { job.run::<T::Avx2>() }
}

/// Four numbers without vector instructions of a particular processor: the compiler's own choice.
#[derive(Clone, Copy)]
pub struct Portable<T>([T; 4]);

impl<T: Number> Portable<T> {
    #[inline(always)]
    fn zip(self, other: Self, with: impl Fn(T, T) -> T) -> Self {
        Portable(std::array::from_fn(|lane| {
            with(self.0[lane], other.0[lane])
        }))
    }
}

impl<T: Number> Lanes for Portable<T> {
    type Number = T;
    type Gatherer = ();
    const COUNT: usize = 4;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn splat(value: T) -> Self {
        Portable([value; 4])
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Portable(*from.cast()) }
    }
    #[inline(always)]
    unsafe fn widen(from: *const T) -> Self {
        // SAFETY: the caller's promise.
        let [a, b]: [T; 2] = unsafe { *from.cast() };
        Portable([a, a, b, b])
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { *to.cast() = self.0 }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    unsafe fn inverse_sqrt(self) -> Self {
        Portable(self.0.map(|x| T::ONE / x.sqrt()))
    }
    #[inline(always)]
    unsafe fn plus(self, a: Self, b: Self) -> Self {
        self.zip(a.zip(b, |a, b| a * b), |sum, product| sum + product)
    }
    #[inline(always)]
    unsafe fn minus(self, a: Self, b: Self) -> Self {
        self.zip(a.zip(b, |a, b| a * b), |sum, product| sum - product)
    }
    #[inline(always)]
    unsafe fn times_less(self, a: Self, b: Self) -> Self {
        self.zip(a, |q, a| q * a).zip(b, |product, b| product - b)
    }
    #[inline(always)]
    unsafe fn swap(self) -> Self {
        let [a, b, c, d] = self.0;
        Portable([b, a, d, c])
    }
    #[inline(always)]
    fn gatherer() {}
    #[inline(always)]
    unsafe fn gather(_: (), places: *const usize, shift: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let [a, b]: [T; 2] = *at::<T, _>(places, shift);
            let [c, d]: [T; 2] = *at::<T, _>(places.add(1), shift);
            Portable([a, b, c, d])
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use super::{Lanes, at};

    /// Sixteen single-precision numbers.
    #[derive(Clone, Copy)]
    pub struct Wide32(__m512);
    /// Eight double-precision numbers.
    #[derive(Clone, Copy)]
    pub struct Wide64(__m512d);
    /// Eight single-precision numbers.
    #[derive(Clone, Copy)]
    pub struct Half32(__m256);
    /// Four double-precision numbers.
    #[derive(Clone, Copy)]
    pub struct Half64(__m256d);

    /// Writes the functions of one instruction set. SAFETY of each block: the caller has the set and keeps the promises
    /// of the trait.
    macro_rules! lanes {
        ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {$(
            #[inline(always)]
            unsafe fn $name($($argument: $type),*) $(-> $result)? {
                // SAFETY: see above.
                unsafe { $body }
            }
        )*};
    }

    impl Lanes for Wide32 {
        type Number = f32;
        type Gatherer = [u8; 7];
        const COUNT: usize = 16;
        const ROWS: usize = 9;
        #[inline(always)]
        fn gatherer() -> [u8; 7] {
            // As constants the compiler would turn the masks into a longer sequence of shuffles.
            black_box([2, 4, 8, 16, 32, 64, 128])
        }
        lanes! {
            fn splat(value: f32) -> Self { Wide32(_mm512_set1_ps(value)) }
            fn load(from: *const f32) -> Self { Wide32(_mm512_load_ps(from)) }
            fn widen(from: *const f32) -> Self {
                let narrow = _mm512_cvtepu32_epi64(_mm256_loadu_si256(from.cast()));
                Wide32(_mm512_castsi512_ps(_mm512_or_si512(narrow, _mm512_slli_epi64::<32>(narrow))))
            }
            fn store(self: Self, to: *mut f32) { _mm512_store_ps(to, self.0); }
            fn stream(self: Self, to: *mut f32) { _mm512_stream_ps(to, self.0); }
            fn settle() { _mm_sfence(); }
            fn add(self: Self, other: Self) -> Self { Wide32(_mm512_add_ps(self.0, other.0)) }
            fn sub(self: Self, other: Self) -> Self { Wide32(_mm512_sub_ps(self.0, other.0)) }
            fn mul(self: Self, other: Self) -> Self { Wide32(_mm512_mul_ps(self.0, other.0)) }
            fn inverse_sqrt(self: Self) -> Self {
                // Fourteen bits, and one step of Newton's method: x (3/2 − a/2 x²).
                let first = _mm512_rsqrt14_ps(self.0);
                let half = _mm512_mul_ps(_mm512_mul_ps(self.0, _mm512_set1_ps(-0.5)), first);
                let rest = _mm512_fmadd_ps(half, first, _mm512_set1_ps(0.5));
                Wide32(_mm512_fmadd_ps(first, rest, first))
            }
            fn plus(self: Self, a: Self, b: Self) -> Self { Wide32(_mm512_fmadd_ps(a.0, b.0, self.0)) }
            fn minus(self: Self, a: Self, b: Self) -> Self { Wide32(_mm512_fnmadd_ps(a.0, b.0, self.0)) }
            fn times_less(self: Self, a: Self, b: Self) -> Self { Wide32(_mm512_fmsub_ps(a.0, self.0, b.0)) }
            fn swap(self: Self) -> Self { Wide32(_mm512_permute_ps::<0b10_11_00_01>(self.0)) }
            fn places(
                fields: *const f32,
                codes: *const u32,
                stride: u32,
                rows: &[[i64; 4]],
                to: *mut usize
            ) {
                let codes = _mm512_cvtepu32_epi64(_mm256_loadu_si256(codes.cast()));
                let faces = _mm512_and_si512(codes, _mm512_set1_epi64(3));
                let stride = _mm512_set1_epi64(4 * i64::from(stride));
                let blocks = _mm512_mul_epu32(_mm512_srli_epi64::<5>(codes), stride);
                // Pairs have eight bytes.
                let pairs = _mm512_slli_epi64::<1>(_mm512_and_si512(codes, _mm512_set1_epi64(28)));
                let first = _mm512_set1_epi64(fields.expose_provenance() as i64);
                let own = _mm512_add_epi64(_mm512_add_epi64(first, blocks), pairs);
                for i in 0..rows.len() {
                    let row = _mm256_loadu_si256(rows.as_ptr().add(i).cast());
                    let row = _mm512_permutexvar_epi64(faces, _mm512_castsi256_si512(row));
                    let places = _mm512_add_epi64(own, _mm512_slli_epi64::<2>(row));
                    _mm512_storeu_si512(to.add(8 * i).cast(), places);
                }
            }
            fn gather(masks: [u8; 7], places: *const usize, shift: usize) -> Self {
                let first = _mm512_broadcastsd_pd(_mm_load_sd(at::<f32, _>(places, shift)));
                let mut pairs = first;
                for lane in 1..8 {
                    let pair = _mm_load_sd(at::<f32, _>(places.add(lane), shift));
                    pairs = _mm512_mask_broadcastsd_pd(pairs, masks[lane - 1], pair);
                }
                Wide32(_mm512_castpd_ps(pairs))
            }
        }
    }

    impl Lanes for Wide64 {
        type Number = f64;
        type Gatherer = ();
        const COUNT: usize = 8;
        const ROWS: usize = 9;
        #[inline(always)]
        fn gatherer() {}
        lanes! {
            fn splat(value: f64) -> Self { Wide64(_mm512_set1_pd(value)) }
            fn load(from: *const f64) -> Self { Wide64(_mm512_load_pd(from)) }
            fn widen(from: *const f64) -> Self {
                let narrow = _mm512_castpd256_pd512(_mm256_loadu_pd(from));
                Wide64(_mm512_permutexvar_pd(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), narrow))
            }
            fn store(self: Self, to: *mut f64) { _mm512_store_pd(to, self.0); }
            fn stream(self: Self, to: *mut f64) { _mm512_stream_pd(to, self.0); }
            fn settle() { _mm_sfence(); }
            fn add(self: Self, other: Self) -> Self { Wide64(_mm512_add_pd(self.0, other.0)) }
            fn sub(self: Self, other: Self) -> Self { Wide64(_mm512_sub_pd(self.0, other.0)) }
            fn mul(self: Self, other: Self) -> Self { Wide64(_mm512_mul_pd(self.0, other.0)) }
            fn inverse_sqrt(self: Self) -> Self { Wide64(_mm512_div_pd(_mm512_set1_pd(1.0), _mm512_sqrt_pd(self.0))) }
            fn plus(self: Self, a: Self, b: Self) -> Self { Wide64(_mm512_fmadd_pd(a.0, b.0, self.0)) }
            fn minus(self: Self, a: Self, b: Self) -> Self { Wide64(_mm512_fnmadd_pd(a.0, b.0, self.0)) }
            fn times_less(self: Self, a: Self, b: Self) -> Self { Wide64(_mm512_fmsub_pd(a.0, self.0, b.0)) }
            fn swap(self: Self) -> Self { Wide64(_mm512_permute_pd::<0b01_01_01_01>(self.0)) }
            fn gather(_gatherer: (), places: *const usize, shift: usize) -> Self {
                let low = _mm256_loadu2_m128d(at::<f64, _>(places.add(1), shift), at::<f64, _>(places, shift));
                let high = _mm256_loadu2_m128d(at::<f64, _>(places.add(3), shift), at::<f64, _>(places.add(2), shift));
                Wide64(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high))
            }
        }
    }

    impl Lanes for Half32 {
        type Number = f32;
        type Gatherer = ();
        const COUNT: usize = 8;
        const ROWS: usize = 4;
        #[inline(always)]
        fn gatherer() {}
        lanes! {
            fn splat(value: f32) -> Self { Half32(_mm256_set1_ps(value)) }
            fn load(from: *const f32) -> Self { Half32(_mm256_load_ps(from)) }
            fn widen(from: *const f32) -> Self {
                let narrow = _mm256_cvtepu32_epi64(_mm_loadu_si128(from.cast()));
                Half32(_mm256_castsi256_ps(_mm256_or_si256(narrow, _mm256_slli_epi64::<32>(narrow))))
            }
            fn store(self: Self, to: *mut f32) { _mm256_store_ps(to, self.0); }
            fn add(self: Self, other: Self) -> Self { Half32(_mm256_add_ps(self.0, other.0)) }
            fn sub(self: Self, other: Self) -> Self { Half32(_mm256_sub_ps(self.0, other.0)) }
            fn mul(self: Self, other: Self) -> Self { Half32(_mm256_mul_ps(self.0, other.0)) }
            fn inverse_sqrt(self: Self) -> Self { Half32(_mm256_div_ps(_mm256_set1_ps(1.0), _mm256_sqrt_ps(self.0))) }
            fn plus(self: Self, a: Self, b: Self) -> Self { Half32(_mm256_fmadd_ps(a.0, b.0, self.0)) }
            fn minus(self: Self, a: Self, b: Self) -> Self { Half32(_mm256_fnmadd_ps(a.0, b.0, self.0)) }
            fn times_less(self: Self, a: Self, b: Self) -> Self { Half32(_mm256_fmsub_ps(a.0, self.0, b.0)) }
            fn swap(self: Self) -> Self { Half32(_mm256_permute_ps::<0b10_11_00_01>(self.0)) }
            fn gather(_gatherer: (), places: *const usize, shift: usize) -> Self {
                let low = _mm_load_sd(at::<f32, _>(places, shift));
                let low = _mm_loadh_pd(low, at::<f32, _>(places.add(1), shift));
                let high = _mm_load_sd(at::<f32, _>(places.add(2), shift));
                let high = _mm_loadh_pd(high, at::<f32, _>(places.add(3), shift));
                Half32(_mm256_castpd_ps(_mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low), high)))
            }
        }
    }

    impl Lanes for Half64 {
        type Number = f64;
        type Gatherer = ();
        const COUNT: usize = 4;
        const ROWS: usize = 4;
        #[inline(always)]
        fn gatherer() {}
        lanes! {
            fn splat(value: f64) -> Self { Half64(_mm256_set1_pd(value)) }
            fn load(from: *const f64) -> Self { Half64(_mm256_load_pd(from)) }
            fn widen(from: *const f64) -> Self {
                let narrow = _mm256_castpd128_pd256(_mm_loadu_pd(from));
                Half64(_mm256_permute4x64_pd::<0b01_01_00_00>(narrow))
            }
            fn store(self: Self, to: *mut f64) { _mm256_store_pd(to, self.0); }
            fn add(self: Self, other: Self) -> Self { Half64(_mm256_add_pd(self.0, other.0)) }
            fn sub(self: Self, other: Self) -> Self { Half64(_mm256_sub_pd(self.0, other.0)) }
            fn mul(self: Self, other: Self) -> Self { Half64(_mm256_mul_pd(self.0, other.0)) }
            fn inverse_sqrt(self: Self) -> Self { Half64(_mm256_div_pd(_mm256_set1_pd(1.0), _mm256_sqrt_pd(self.0))) }
            fn plus(self: Self, a: Self, b: Self) -> Self { Half64(_mm256_fmadd_pd(a.0, b.0, self.0)) }
            fn minus(self: Self, a: Self, b: Self) -> Self { Half64(_mm256_fnmadd_pd(a.0, b.0, self.0)) }
            fn times_less(self: Self, a: Self, b: Self) -> Self { Half64(_mm256_fmsub_pd(a.0, self.0, b.0)) }
            fn swap(self: Self) -> Self { Half64(_mm256_permute_pd::<0b01_01>(self.0)) }
            fn gather(_gatherer: (), places: *const usize, shift: usize) -> Self {
                Half64(_mm256_loadu2_m128d(at::<f64, _>(places.add(1), shift), at::<f64, _>(places, shift)))
            }
        }
    }
}
