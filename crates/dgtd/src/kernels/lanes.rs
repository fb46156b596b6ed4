//! SIMD vectors of (E, H) pairs, one pair per element.

use std::marker::PhantomData;

use wavefield_numerics::cpu::Simd;
use wavefield_numerics::simd::{Instructions, Interleaved, Job};

use super::Number;

/// SIMD vector of (E, H) pairs, one pair per element.
///
/// # Safety
/// As for [`Vector`](wavefield_numerics::simd::Vector).
pub(super) trait Lanes: Interleaved<Real: Number> {
    /// Rows of a product that fit in the registers, three vectors each, besides the operands.
    const ROWS: usize = (Self::REGISTERS - 4) / 3;

    /// Writes the addresses of the pairs of neighbors: for each of the rows, an address for each element.
    ///
    /// A row holds the offset from the beginning of a block, in numbers, by face. Neighbors are given by codes
    /// element·4 + face; blocks are `stride` numbers apart.
    #[inline(always)]
    unsafe fn places(
        fields: *const Self::Real,
        codes: *const u32,
        stride: u32,
        rows: &[[i64; 4]],
        to: *mut usize,
    ) {
        #[cfg(target_arch = "x86_64")]
        if const { matches!(Self::SIMD, Simd::Avx512) && size_of::<Self::Real>() == 4 } {
            // SAFETY: the caller's promise; a vector of these numbers has AVX-512 and eight elements.
            return unsafe { x86::places(fields.expose_provenance(), codes, stride, rows, to) };
        }
        let first = fields.expose_provenance();
        let size = size_of::<Self::Real>();
        for lane in 0..Self::COUNT / 2 {
            // SAFETY: there is a code for each element, and space for an address of each.
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
}

impl<V: Interleaved<Real: Number>> Lanes for V {}

/// Job that returns [`Lanes::ROWS`] of an instruction set.
pub(super) struct Rows<T>(PhantomData<T>);

impl<T> Rows<T> {
    pub(super) fn new() -> Rows<T> {
        Rows(PhantomData)
    }
}

impl<T: Number> Job for Rows<T> {
    type Output = usize;

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) -> usize {
        T::Vector::<S>::ROWS
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Implements [`Lanes::places`](super::Lanes::places) for eight elements with fields in single precision.
    ///
    /// # Safety
    /// The CPU supports AVX-512; there are eight codes, and space for eight addresses for each row.
    #[inline(always)]
    pub(super) unsafe fn places(
        fields: usize,
        codes: *const u32,
        stride: u32,
        rows: &[[i64; 4]],
        to: *mut usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            let codes = _mm512_cvtepu32_epi64(_mm256_loadu_si256(codes.cast()));
            let faces = _mm512_and_si512(codes, _mm512_set1_epi64(3));
            let stride = _mm512_set1_epi64(4 * i64::from(stride));
            let blocks = _mm512_mul_epu32(_mm512_srli_epi64::<5>(codes), stride);
            // A pair of single-precision numbers has eight bytes.
            let pairs = _mm512_slli_epi64::<1>(_mm512_and_si512(codes, _mm512_set1_epi64(28)));
            let first = _mm512_set1_epi64(fields as i64);
            let own = _mm512_add_epi64(_mm512_add_epi64(first, blocks), pairs);
            for i in 0..rows.len() {
                let row = _mm256_loadu_si256(rows.as_ptr().add(i).cast());
                let row = _mm512_permutexvar_epi64(faces, _mm512_castsi256_si512(row));
                let places = _mm512_add_epi64(own, _mm512_slli_epi64::<2>(row));
                _mm512_storeu_si512(to.add(8 * i).cast(), places);
            }
        }
    }
}
