//! Figures of which the reader selects one by its frequency.

use wavefield_physics::quantity::Frequency;

use super::{Choice, Figure, FigureKind};

/// Maximum number of frequencies that can be selected.
const MAX_CHOICES: usize = 12;

/// Returns the frequencies that can be selected, each by its index and its label: evenly spread, in order, and with `shown`
/// among them.
pub fn choices(frequencies: &[f64], shown: usize) -> Vec<(usize, String)> {
    let count = frequencies.len();
    let apart = count.div_ceil(MAX_CHOICES).max(1);
    let numbers = (shown % apart..count).step_by(apart);
    let mut labeled = Vec::new();
    // The fewest significant digits that tell the frequencies apart.
    for digits in 4..=16 {
        labeled = (numbers.clone())
            .map(|number| {
                let frequency = frequencies[number];
                let short = format!("{frequency:.digits$e}").parse();
                (number, Frequency(short.unwrap_or(frequency)).to_string())
            })
            .collect();
        if labeled.windows(2).all(|pair| pair[0].1 != pair[1].1) {
            break;
        }
    }
    labeled
}

/// Returns the figures of the frequencies that can be selected, each list of alternatives as one figure. `figures` returns
/// those of one frequency, in the same order for all.
pub fn by_frequency(
    frequencies: &[f64],
    shown: usize,
    mut figures: impl FnMut(usize) -> Vec<Figure>,
) -> Vec<Figure> {
    let (numbers, options): (Vec<usize>, Vec<String>) =
        choices(frequencies, shown).into_iter().unzip();
    let mut columns: Vec<_> = (numbers.iter())
        .map(|&number| figures(number).into_iter())
        .collect();
    if let [only] = &mut columns[..] {
        return only.collect();
    }
    let shown = numbers.iter().position(|&n| n == shown).unwrap_or(0);
    let mut found = Vec::new();
    loop {
        let alternatives: Vec<Figure> = columns.iter_mut().filter_map(Iterator::next).collect();
        let Some(first) = alternatives
            .get(shown)
            .filter(|_| alternatives.len() == options.len())
        else {
            return found;
        };
        found.push(Figure {
            series: Vec::new(),
            ..first.clone()
        });
        let choice = Choice {
            label: "frequency".to_owned(),
            options: options.clone(),
            figures: alternatives,
            shown,
        };
        if let Some(last) = found.last_mut() {
            last.kind = FigureKind::Choice(choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_few_and_contain_the_one_shown() {
        for (count, shown) in [(1, 0), (2, 1), (12, 11), (13, 12), (101, 57), (1000, 999)] {
            let frequencies: Vec<f64> = (0..count).map(|n| 1e9 + 1e7 * n as f64).collect();
            let found: Vec<usize> = (choices(&frequencies, shown).into_iter())
                .map(|(number, _)| number)
                .collect();
            assert!(found.len() <= MAX_CHOICES && found.is_sorted(), "{found:?}");
            assert!(found.contains(&shown) && found.iter().all(|&n| n < count));
            assert!(
                2 * found.len() > count.min(MAX_CHOICES),
                "{count}: {found:?}"
            );
        }
    }

    #[test]
    fn labels_are_short_and_distinct() {
        let labels = |frequencies: &[f64]| -> Vec<String> {
            let found = choices(frequencies, 0);
            found.into_iter().map(|(_, label)| label).collect()
        };
        assert_eq!(labels(&[1e9 / 3.0, 0.4e9]), ["333.33 MHz", "400 MHz"]);
        assert_eq!(labels(&[10e9, 10.000001e9]), ["10 GHz", "10.000001 GHz"]);
    }

    #[test]
    fn figures_of_several_frequencies_become_alternatives() {
        let of = |number: usize| Figure {
            title: format!("at {number}"),
            caption: String::new(),
            kind: FigureKind::Polar,
            x_label: String::new(),
            x_unit: String::new(),
            y_label: String::new(),
            y_unit: String::new(),
            series: Vec::new(),
        };
        let found = by_frequency(&[1e9, 2e9, 3e9], 1, |number| {
            vec![of(number), of(number + 10)]
        });
        assert_eq!(found.len(), 2);
        let FigureKind::Choice(choice) = &found[1].kind else {
            panic!("{found:?}");
        };
        assert_eq!(choice.options, ["1 GHz", "2 GHz", "3 GHz"]);
        assert_eq!(choice.shown_figure().unwrap().title, "at 11");
        assert_eq!(found[1].title, "at 11");
        // One frequency needs no choice.
        assert_eq!(by_frequency(&[1e9], 0, |number| vec![of(number)]), [of(0)]);
    }
}
