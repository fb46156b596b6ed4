//! Seeded mutations of a corpus: a reproducible sequence of inputs.

use wavefield_numerics::random::Random;

/// Integers at boundaries of lengths, counts, and indices.
const BOUNDARY_VALUES: [u64; 12] = [
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF,
    0xFFFF_FFFF_FFFF_FFFF,
    0x7FF0_0000_0000_0000,
];
/// Text at boundaries of parsers of numbers and nested structures.
const BOUNDARY_TEXT: [&str; 12] = [
    "-1",
    "1e308",
    "1e-308",
    "NaN",
    "inf",
    "-0",
    "99999999999999999999",
    "\0",
    "\u{202e}",
    "[[[[",
    "\"",
    "..",
];
/// Maximum length of a block that is copied, removed, or repeated, bytes.
const MAX_BLOCK: usize = 64;
/// Maximum length of an input, bytes.
const MAX_LENGTH: usize = 1 << 16;

/// Mutator of the inputs of a corpus; the sequence depends on the seed alone.
#[derive(Debug)]
pub struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    tokens: &'a [Vec<u8>],
    random: Random,
}

impl<'a> Mutator<'a> {
    /// Creates a mutator of `corpus` that inserts `tokens` of a dictionary.
    ///
    /// # Panics
    ///
    /// If the corpus is empty.
    pub fn new(corpus: &'a [Vec<u8>], tokens: &'a [Vec<u8>], seed: u64) -> Self {
        assert!(!corpus.is_empty(), "a corpus has at least one input");
        Mutator {
            corpus,
            tokens,
            random: Random::stream(seed, 0),
        }
    }

    /// Returns a random number below `bound`, 0 if `bound` is 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.random.uniform() * bound as f64) as usize
    }

    /// Returns a random block of `input`.
    fn block(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(input.len());
        let length = 1 + self.below(MAX_BLOCK);
        start..(start + length).min(input.len())
    }

    /// Mutates an input once in place.
    fn mutate(&mut self, input: &mut Vec<u8>) {
        let position = self.below(input.len() + 1);
        match self.below(10) {
            0 => {
                if let Some(byte) = input.get_mut(position) {
                    *byte ^= 1 << self.below(8);
                }
            }
            1 => {
                let random = self.below(256) as u8;
                if let Some(byte) = input.get_mut(position) {
                    *byte = random;
                }
            }
            2 => {
                let block = self.block(input);
                input.drain(block);
            }
            3 => {
                let copy = input[self.block(input)].to_vec();
                input.splice(position..position, copy);
            }
            4 => input.truncate(position),
            5 => {
                let bytes = BOUNDARY_VALUES[self.below(BOUNDARY_VALUES.len())].to_le_bytes();
                let width = 1 << self.below(4);
                let end = (position + width).min(input.len());
                input.splice(position..end, bytes[..width].iter().copied());
            }
            6 => {
                let text = BOUNDARY_TEXT[self.below(BOUNDARY_TEXT.len())];
                let end = (position + self.below(text.len() + 1)).min(input.len());
                input.splice(position..end, text.bytes());
            }
            7 if !self.tokens.is_empty() => {
                let token = &self.tokens[self.below(self.tokens.len())];
                let end = (position + self.below(token.len() + 1)).min(input.len());
                input.splice(position..end, token.iter().copied());
            }
            8 => {
                // Replaces a digit of a number in text.
                let digits: Vec<usize> = (0..input.len())
                    .filter(|&i| input[i].is_ascii_digit())
                    .collect();
                if let Some(&at) = digits.get(self.below(digits.len())) {
                    input[at] = b'0' + self.below(10) as u8;
                }
            }
            _ => {
                let other = &self.corpus[self.below(self.corpus.len())];
                let from = self.below(other.len() + 1);
                input.truncate(position);
                input.extend_from_slice(&other[from..]);
            }
        }
        input.truncate(MAX_LENGTH);
    }
}

impl Iterator for Mutator<'_> {
    type Item = Vec<u8>;

    /// Returns the next mutated input; the sequence is infinite.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.corpus[self.below(self.corpus.len())].clone();
        // Mostly one mutation, so that deep checks are reached; sometimes many.
        let mutations = 1 << self.below(5);
        for _ in 0..mutations {
            self.mutate(&mut input);
        }
        Some(input)
    }
}

/// Returns the tokens of a libFuzzer dictionary: a quoted string per line, bytes as `\xNN`, comments after `#`.
///
/// # Panics
///
/// If a line is neither a token, a comment, nor empty.
pub fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let quoted = line.find('"').map(|start| &line[start + 1..]);
            let token = quoted.and_then(|rest| rest.strip_suffix('"'));
            unescape(
                token
                    .unwrap_or_else(|| panic!("no token in `{line}`"))
                    .as_bytes(),
            )
        })
        .collect()
}

/// Resolves `\xNN`, `\\`, and `\"`.
fn unescape(mut token: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let [first, rest @ ..] = token {
        (bytes, token) = match (first, rest) {
            (b'\\', [b'x', high, low, rest @ ..]) => {
                let digit =
                    |byte: &u8| char::from(*byte).to_digit(16).expect("a hexadecimal digit") as u8;
                bytes.push(16 * digit(high) + digit(low));
                (bytes, rest)
            }
            (b'\\', [escaped, rest @ ..]) => {
                bytes.push(*escaped);
                (bytes, rest)
            }
            _ => {
                bytes.push(*first);
                (bytes, rest)
            }
        };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_depend_on_the_seed_alone() {
        let corpus = [b"solid a".to_vec(), b"endsolid".to_vec()];
        let tokens = dictionary("\"facet\"\n# a comment\nname=\"\\x22\\\\\"");
        assert_eq!(tokens, [b"facet".to_vec(), b"\"\\".to_vec()]);
        let run =
            |seed| -> Vec<Vec<u8>> { Mutator::new(&corpus, &tokens, seed).take(200).collect() };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        let distinct: std::collections::BTreeSet<_> = run(1).into_iter().collect();
        assert!(distinct.len() > 150, "{}", distinct.len());
    }

    #[test]
    fn empty_inputs_grow_again() {
        let corpus = [Vec::new()];
        assert!(
            Mutator::new(&corpus, &[], 1)
                .take(100)
                .any(|input| !input.is_empty())
        );
    }
}
