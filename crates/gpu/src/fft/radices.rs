//! Factors and passes of a line on the GPU.

/// Returns the radices of the passes of one line: as few as 8, 4, 2, 5, and 3 allow.
pub(super) fn radices(length: usize) -> Vec<usize> {
    let mut rest = length;
    let mut passes = Vec::new();
    for radix in [8, 4, 2, 5, 3] {
        while rest.is_multiple_of(radix) {
            passes.push(radix);
            rest /= radix;
        }
    }
    passes
}

/// Factors a length into factors of at most `longest`, as few as possible and as equal as possible.
///
/// Returns `None` if three factors are not enough.
pub(super) fn factors(length: usize, longest: usize) -> Option<Vec<usize>> {
    if length <= longest {
        return Some(vec![length]);
    }
    let divisors: Vec<usize> = (2..=longest)
        .filter(|&divisor| length.is_multiple_of(divisor))
        .collect();
    let pair = |length: usize| {
        divisors
            .iter()
            .filter(|&&first| {
                length.is_multiple_of(first) && length / first <= longest && length / first > 1
            })
            .map(|&first| (first, length / first))
            .min_by_key(|&(first, second)| first.max(second))
    };
    if let Some((first, second)) = pair(length) {
        return Some(vec![first, second]);
    }
    divisors
        .iter()
        .filter_map(|&first| pair(length / first).map(|(second, third)| [first, second, third]))
        .min_by_key(|three| three.iter().copied().max())
        .map(|three| three.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::fft::is_good_size;

    #[test]
    fn passes_and_factors_multiply_to_the_length() {
        for length in (1..5000)
            .chain([59_049, 78_125, 1 << 20, 1 << 25])
            .filter(|&length| is_good_size(length))
        {
            let factors = factors(length, 1024).unwrap();
            assert_eq!(factors.iter().product::<usize>(), length);
            for factor in factors {
                assert!(factor <= 1024);
                assert_eq!(radices(factor).iter().product::<usize>(), factor);
            }
        }
    }

    #[test]
    fn no_line_of_workgroup_memory_needs_more_than_eight_passes() {
        assert_eq!(
            (1..=4096)
                .filter(|&length| is_good_size(length))
                .map(|length| radices(length).len())
                .max(),
            Some(7)
        );
    }
}
