//! Lengths with fast transforms.

/// Returns whether `size` is a product of powers of 2, 3, and 5, the lengths that every device
/// transforms.
#[must_use]
pub fn is_good_size(size: usize) -> bool {
    if size == 0 {
        return false;
    }
    let mut rest = size;
    for prime in [2, 3, 5] {
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    rest == 1
}

/// Returns the smallest product of powers of 2, 3, and 5 that is at least `size`.
///
/// ```
/// assert_eq!(wavefield_numerics::fft::next_good_size(1021), 1024);
/// assert_eq!(wavefield_numerics::fft::next_good_size(97), 100);
/// ```
#[must_use]
pub fn next_good_size(size: usize) -> usize {
    let size = size.max(1);
    let power_of_two = size.checked_next_power_of_two().unwrap_or(usize::MAX);
    let powers = |base: usize| {
        std::iter::successors(Some(1_usize), move |&power| power.checked_mul(base))
            .take_while(move |&power| power < power_of_two)
    };
    let mut best = power_of_two;
    for five in powers(5) {
        for three in powers(3) {
            let Some(odd) = five.checked_mul(three) else {
                break;
            };
            let twos = size.div_ceil(odd).checked_next_power_of_two();
            if let Some(candidate) = twos.and_then(|twos| odd.checked_mul(twos)) {
                best = best.min(candidate);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_good_size_is_the_smallest_good_one() {
        for size in 1..3000 {
            let slow = (size..).find(|&candidate| is_good_size(candidate));
            assert_eq!(Some(next_good_size(size)), slow);
        }
    }
}
