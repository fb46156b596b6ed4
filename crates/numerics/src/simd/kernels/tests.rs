//! Every operation of every instruction set, compared lane by lane. The arguments make all results exact.

use std::fmt::Debug;

use num_complex::Complex;

use super::instructions::{InstructionSet, Instructions, Job};
use super::vector::{Interleaved, Ordered, Vector};
use crate::cpu::Simd;

/// Maximum number of lanes of a vector.
const MAX: usize = 16;

/// A number that is exact in single precision, as are its products.
trait Small: Copy + PartialEq + Debug + From<i16> + Into<f64> {}
impl<T: Copy + PartialEq + Debug + From<i16> + Into<f64>> Small for T {}

/// Returns the lanes of a vector.
unsafe fn lanes<V: Vector<Real: Small>>(vector: V) -> Vec<f64> {
    let mut numbers = [V::Real::from(0); MAX];
    // SAFETY: the caller guarantees the instruction set, and no vector has more lanes.
    unsafe { vector.store(numbers.as_mut_ptr()) };
    numbers[..V::COUNT].iter().map(|&x| x.into()).collect()
}

/// Returns three different vectors and their lanes.
unsafe fn arguments<V: Vector<Real: Small>>() -> [(V, Vec<f64>); 3] {
    [[3, -20], [-5, 31], [7, -40]].map(|[step, first]| {
        let numbers: [_; MAX] = std::array::from_fn(|i| V::Real::from(step * i as i16 + first));
        // SAFETY: as above.
        let vector = unsafe { V::load(numbers.as_ptr()) };
        let exact = numbers[..V::COUNT].iter().map(|&x| x.into()).collect();
        (vector, exact)
    })
}

unsafe fn common<V: Vector<Real: Small>>() {
    // SAFETY: the caller guarantees the instruction set.
    unsafe {
        let [(a, x), (b, y), (c, z)] = arguments::<V>();
        let expected =
            |value: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..V::COUNT).map(value).collect() };
        assert_eq!(lanes(V::splat(3.into())), expected(&|_| 3.0));
        assert_eq!(lanes(a), x);
        assert_eq!(lanes(a.add(b)), expected(&|i| x[i] + y[i]));
        assert_eq!(lanes(a.sub(b)), expected(&|i| x[i] - y[i]));
        assert_eq!(lanes(a.mul(b)), expected(&|i| x[i] * y[i]));
        assert_eq!(lanes(a.plus(b, c)), expected(&|i| x[i] + y[i] * z[i]));
        assert_eq!(lanes(a.minus(b, c)), expected(&|i| x[i] - y[i] * z[i]));
    }
}

unsafe fn interleaved<V: Interleaved<Real: Small>>() {
    // SAFETY: the caller guarantees the instruction set; there are as many numbers and addresses as the
    // functions read.
    unsafe {
        common::<V>();
        let [(a, x), (b, y), (c, z)] = arguments::<V>();
        let count = V::COUNT;
        let expected =
            |value: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..count).map(value).collect() };
        let complex = V::splat_complex(Complex::new(3.into(), 5.into()));
        assert_eq!(lanes(complex), expected(&|i| [3.0, 5.0][i % 2]));
        let numbers: [_; MAX] = std::array::from_fn(|i| V::Real::from(i as i16));
        let twice = V::load_twice(numbers.as_ptr());
        assert_eq!(lanes(twice), expected(&|i| (i / 2) as f64));
        let [low, high] = a.twice();
        assert_eq!(lanes(low), expected(&|i| x[i / 2]));
        assert_eq!(lanes(high), expected(&|i| x[count / 2 + i / 2]));
        assert_eq!(lanes(a.swap()), expected(&|i| x[i ^ 1]));
        assert_eq!(lanes(a.mul_sub(b, c)), expected(&|i| x[i] * y[i] - z[i]));
        let squares = a.mul(a);
        for (root, x) in lanes(squares.inverse_sqrt()).iter().zip(&x) {
            assert!((root * x.abs() - 1.0).abs() < 1e-6);
        }
        let sum = a.sum_complex();
        let [re, im] = [0, 1].map(|part| x.iter().skip(part).step_by(2).sum::<f64>());
        assert_eq!([sum.re.into(), sum.im.into()], [re, im]);
        let addresses: [usize; MAX / 2] =
            std::array::from_fn(|pair| (&raw const numbers[pair * 5 % 7]).expose_provenance());
        let gathered = V::gather(V::masks(), addresses.as_ptr(), 2);
        let place = |i: usize| i / 2 * 5 % 7 + 2 + i % 2;
        assert_eq!(lanes(gathered), expected(&|i| place(i) as f64));

        /// An array of the maximum vector length, aligned to its size.
        #[repr(align(64))]
        struct Aligned<T>([T; MAX]);
        let mut streamed = Aligned([V::Real::from(0); MAX]);
        a.stream(streamed.0.as_mut_ptr());
        V::settle();
        assert_eq!(lanes(V::load(streamed.0.as_ptr())), x);
    }
}

unsafe fn ordered<V: Ordered<Real: Small>>() {
    // SAFETY: the caller guarantees the instruction set.
    unsafe {
        common::<V>();
        let [(a, x), (b, y), (c, _)] = arguments::<V>();
        let expected =
            |value: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..V::COUNT).map(value).collect() };
        let mask = |holds: &dyn Fn(usize) -> bool| {
            (0..V::COUNT).fold(0, |mask, i| mask | u32::from(holds(i)) << i)
        };
        assert_eq!(lanes(a.mul(b).div(b)), x);
        assert_eq!(lanes(a.abs()), expected(&|i| x[i].abs()));
        assert_eq!(lanes(a.min(b)), expected(&|i| x[i].min(y[i])));
        assert_eq!(lanes(a.max(b)), expected(&|i| x[i].max(y[i])));
        // An unordered comparison (NaN) returns the second argument.
        let zero = V::splat(0.into());
        let undefined = zero.div(zero);
        assert_eq!(lanes(undefined.min(a)), x);
        assert_eq!(lanes(undefined.max(a)), x);
        assert_eq!(undefined.at_most(a) | a.less(undefined), 0);
        assert_eq!(a.at_most(b), mask(&|i| x[i] <= y[i]));
        assert_eq!(a.less(b), mask(&|i| x[i] < y[i]));
        assert_eq!(a.at_most(a), mask(&|_| true));
        assert_eq!(a.less(a), 0);
        let product = |i: usize| if y[i] < 0.0 { x[i] * x[i] } else { x[i] };
        assert_eq!(lanes(a.mul_where_negative(a, b)), expected(&product));
        for mask in [0, 0b1010_0101, 0xFF] {
            let mut numbers = [V::Real::from(0); MAX];
            c.store(numbers.as_mut_ptr());
            a.store_where(mask, numbers.as_mut_ptr());
            let stored = numbers[..V::COUNT].iter().map(|&x| x.into());
            let before = lanes(c);
            let chosen = |i: usize| if mask >> i & 1 == 1 { x[i] } else { before[i] };
            assert_eq!(stored.collect::<Vec<f64>>(), expected(&chosen));
        }
    }
}

struct Operations;

impl Job for Operations {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        // SAFETY: the caller guarantees the instruction set; there are eight numbers.
        unsafe {
            interleaved::<S::F32>();
            interleaved::<S::F64>();
            ordered::<S::F32x8>();
            ordered::<S::F64x8>();
            let single: [f32; 8] = std::array::from_fn(|i| 0.1 * i as f32);
            let double = S::widen(S::F32x8::load(single.as_ptr()));
            assert_eq!(lanes(double), single.map(f64::from));
            let numbers = [4, 1, 4, 4, 0, u32::MAX, 4, 9];
            assert_eq!(S::equal(numbers.as_ptr(), 4), 0b0100_1101);
            assert_eq!(S::equal(numbers.as_ptr(), u32::MAX), 0b0010_0000);
        }
    }
}

#[test]
fn vectors_do_what_numbers_do() {
    for set in InstructionSet::all() {
        set.run(Operations);
    }
}

#[test]
fn sets_that_the_cpu_has_can_be_requested() {
    let all = InstructionSet::all();
    assert_eq!(all[0], InstructionSet::widest());
    for simd in [Simd::Avx512, Simd::Avx2, Simd::Neon, Simd::Scalar] {
        let expected = all.iter().copied().find(|set| set.simd() == simd);
        assert_eq!(InstructionSet::request(simd), expected);
    }
    assert!(InstructionSet::request(Simd::Scalar).is_some());
}
