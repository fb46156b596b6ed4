//! Seeded mutations of problem files that keep most of them valid TOML: extreme numbers, other units, exchanged values,
//! missing and repeated lines.

use std::ops::Range;

use wavefield_numerics::random::Random;

/// Numbers at the boundaries of planning.
const NUMBERS: [&str; 26] = [
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "3",
    "1e-308",
    "1e-30",
    "1e-9",
    "1e-3",
    "0.5",
    "7.3",
    "64",
    "999",
    "65536",
    "1e6",
    "1e9",
    "1e12",
    "1e15",
    "1e18",
    "1e30",
    "1e308",
    "4294967296",
    "9223372036854775807",
    "nan",
    "inf",
];
/// Units of quantities.
const UNITS: [&str; 16] = [
    "m", "cm", "mm", "um", "km", "lambda", "Hz", "kHz", "MHz", "GHz", "THz", "deg", "rad", "s",
    "ns", "W",
];
/// Maximum number of mutations of a file.
const MUTATIONS: usize = 4;

/// Mutator of problem files; the sequence depends on the seed alone.
#[derive(Debug)]
pub struct ProblemMutator<'a> {
    corpus: &'a [String],
    random: Random,
}

impl<'a> ProblemMutator<'a> {
    /// Creates a mutator of `corpus`.
    ///
    /// # Panics
    /// If the corpus is empty.
    pub fn new(corpus: &'a [String], seed: u64) -> Self {
        assert!(!corpus.is_empty(), "a corpus has at least one file");
        ProblemMutator {
            corpus,
            random: Random::stream(seed, 0),
        }
    }

    /// Returns the index of a file of the corpus and its next mutation.
    pub fn mutation(&mut self) -> (usize, String) {
        let index = self.below(self.corpus.len());
        let mut text = self.corpus[index].clone();
        for _ in 0..=self.below(MUTATIONS) {
            self.mutate(&mut text);
        }
        (index, text)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.uniform() * bound as f64) as usize
    }

    fn mutate(&mut self, text: &mut String) {
        match self.below(8) {
            // Mostly numbers: planning is arithmetic.
            0..=3 => self.replace(text, is_number, &NUMBERS),
            4 => self.replace(text, |word| UNITS.contains(&word), &UNITS),
            5 => self.exchange_values(text),
            6 => self.change_line(text, |_| String::new()),
            _ => self.change_line(text, |line| [line, line].join("\n")),
        }
    }

    /// Replaces a word of a kind by one of `others`.
    fn replace(&mut self, text: &mut String, kind: impl Fn(&str) -> bool, others: &[&str]) {
        let words: Vec<Range<usize>> = words(text)
            .into_iter()
            .filter(|word| kind(&text[word.clone()]))
            .collect();
        if let Some(word) = words.get(self.below(words.len())) {
            let other = others[self.below(others.len())];
            text.replace_range(word.clone(), other);
        }
    }

    /// Gives a key the value of another.
    fn exchange_values(&mut self, text: &mut String) {
        let values: Vec<String> = (text.lines())
            .filter_map(|line| Some(line.split_once('=')?.1.to_owned()))
            .collect();
        if values.is_empty() {
            return;
        }
        let value = values[self.below(values.len())].clone();
        self.change_line(text, |line| match line.split_once('=') {
            Some((key, _)) => format!("{key}={value}"),
            None => line.to_owned(),
        });
    }

    fn change_line(&mut self, text: &mut String, change: impl Fn(&str) -> String) {
        let count = text.lines().count();
        let chosen = self.below(count);
        let lines = text.lines().enumerate();
        let lines = lines.map(|(number, line)| {
            if number == chosen {
                change(line)
            } else {
                line.to_owned()
            }
        });
        *text = lines.collect::<Vec<_>>().join("\n");
    }
}

/// Returns the words of a text: runs of letters, digits, signs, and points.
fn words(text: &str) -> Vec<Range<usize>> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, part(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_depend_on_the_seed_and_change_values() {
        let corpus = ["radius = \"2.5 m\"\ncount = 7".to_owned()];
        let run = |seed| -> Vec<String> {
            let mut mutator = ProblemMutator::new(&corpus, seed);
            (0..100).map(|_| mutator.mutation().1).collect()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        assert!(run(1).iter().any(|text| text.contains("\"1e308 m\"")));
    }
}
