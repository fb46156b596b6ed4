//! Drawing of figures, and figures as separate files.

use super::chart::Chart;
use super::{cartesian, map, polar, scatter, smith};
use wavefield_solver::outcome::{Figure, FigureKind, Outcome};

const STYLE: &str = include_str!("../assets/figure.css");

/// Draws a figure; of a choice, the figure that is shown first.
pub(super) fn draw(figure: &Figure, outcome: &Outcome) -> Chart {
    match &figure.kind {
        FigureKind::Polar => polar::draw(figure, outcome),
        FigureKind::Smith => smith::draw(figure, outcome),
        FigureKind::Cartesian | FigureKind::Logarithmic => cartesian::draw(figure, outcome),
        FigureKind::Map(map) => map::draw(figure, map, outcome),
        FigureKind::Animation(animation) => map::draw_animation(figure, animation, outcome),
        FigureKind::Scatter(scatter) => scatter::draw(figure, scatter, outcome),
        FigureKind::Choice(choice) => match choice.shown_figure() {
            Some(shown) => draw(shown, outcome),
            None => cartesian::draw(figure, outcome),
        },
    }
}

/// Returns the figure as a self-contained SVG file; of an animation, the frame that is shown first.
pub fn svg_file(figure: &Figure, outcome: &Outcome) -> String {
    let chart = match &figure.kind {
        FigureKind::Animation(animation) => map::draw_moment(figure, animation, outcome),
        _ => draw(figure, outcome),
    };
    let (colors, rules) = STYLE.split_once('}').unwrap_or(("", STYLE));
    let colors: Vec<(&str, &str)> = colors
        .split([';', '{'])
        .filter_map(|entry| entry.split_once(':'))
        .filter(|(name, _)| name.starts_with("--"))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    // SVG programs other than browsers support CSS classes, but not variables.
    let plain = (colors.iter()).fold(rules.trim().to_owned(), |style, (name, value)| {
        style.replace(&format!("var({name})"), value)
    });
    let paper = (colors.iter()).find(|(name, _)| *name == "--wf-paper");
    chart.alone(&plain, paper.map_or("white", |(_, value)| value))
}

/// Maximum number of title characters in a file name: at four bytes each they fit into the 255 bytes of file
/// systems.
const MAX_WORD: usize = 60;

/// Returns the file names of figures, in order: a number and the title.
pub fn file_names(figures: &[Figure]) -> Vec<String> {
    let word = |title: &str| {
        let letters: String = (title.to_lowercase().chars())
            .map(|c| if c.is_alphanumeric() { c } else { ' ' })
            .take(MAX_WORD)
            .collect();
        letters.split_whitespace().collect::<Vec<_>>().join("-")
    };
    let digits = figures.len().to_string().len();
    (figures.iter().zip(1..))
        .map(|(figure, number)| format!("{number:0digits$}-{}.svg", word(&figure.title)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_solver::outcome::{Data, Series};

    fn line() -> (Figure, Outcome) {
        let mut outcome = Outcome::default();
        outcome.add_table(
            "t",
            "",
            vec![
                ("x", "deg", Data::Real(vec![0.0, 1.0, 2.0])),
                ("y", "dBsm", Data::Real(vec![0.0, -3.0, 1.0])),
            ],
        );
        let figure = Figure {
            title: "σ over φ, at 1/2 turn".to_owned(),
            caption: String::new(),
            kind: FigureKind::Cartesian,
            x_label: "φ".to_owned(),
            x_unit: "deg".to_owned(),
            y_label: "σ".to_owned(),
            y_unit: "dBsm".to_owned(),
            series: vec![Series::new("<VV>", "t/x", "t/y")],
        };
        (figure, outcome)
    }

    #[test]
    fn a_file_has_its_colors_and_no_variables() {
        let (figure, outcome) = line();
        let text = svg_file(&figure, &outcome);
        assert!(text.starts_with("<svg xmlns="));
        assert!(text.contains("wf-line-0{stroke:#") && text.contains("&lt;VV&gt;"));
        assert!(
            !text.contains("var(") && !text.contains("metadata"),
            "{text}"
        );
    }

    #[test]
    fn names_of_files_are_words() {
        let (figure, _) = line();
        assert_eq!(file_names(&[figure]), ["1-σ-over-φ-at-1-2-turn.svg"]);
    }
}
