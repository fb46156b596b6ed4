//! Figures of which the reader selects one: radio buttons above all figures and a style sheet, without script.

use super::figure;
use super::text::{escape, label_html};
use wavefield_solver::outcome::{Choice, Figure, FigureKind, Outcome};

/// The distinct lists of options of an outcome. Choices with the same label and options share their radio buttons.
pub(super) struct Selectors<'a>(Vec<&'a Choice>);

/// Returns whether two choices are selected together.
fn together(a: &Choice, b: &Choice) -> bool {
    a.label == b.label && a.options == b.options
}

/// Returns the identifier of an option of a list.
fn id(list: usize, option: usize) -> String {
    format!("wf-select-{list}-{option}")
}

impl<'a> Selectors<'a> {
    /// Collects the lists of options.
    pub(super) fn new(outcome: &'a Outcome) -> Selectors<'a> {
        let mut lists: Vec<&Choice> = Vec::new();
        for figure in &outcome.figures {
            if let FigureKind::Choice(choice) = &figure.kind
                && !lists.iter().any(|list| together(list, choice))
            {
                lists.push(choice);
            }
        }
        Selectors(lists)
    }

    /// Returns the rules that show the figures of the selected options and mark their labels.
    pub(super) fn style(&self) -> String {
        let ids = (self.0.iter().enumerate())
            .flat_map(|(list, choice)| (0..choice.options.len()).map(move |k| id(list, k)));
        ids.map(|id| {
            format!(
                "#{id}:checked~.wf-figures .{id}{{display:block}}\n\
                 #{id}:checked~.wf-picks label[for={id}]\
                 {{background:var(--wf-accent-soft);color:var(--wf-accent);font-weight:600}}\n\
                 #{id}:focus-visible~.wf-picks label[for={id}]{{outline:2px solid var(--wf-accent)}}\n"
            )
        })
        .collect()
    }

    /// Returns the radio buttons, which precede the figures as their siblings.
    pub(super) fn buttons(&self) -> String {
        let list = |(list, choice): (usize, &&Choice)| {
            let label = escape(&choice.label);
            let (mut inputs, mut labels) = (String::new(), String::new());
            for (number, option) in choice.options.iter().enumerate() {
                let (id, option) = (id(list, number), escape(option));
                let checked = if number == choice.shown {
                    " checked"
                } else {
                    ""
                };
                inputs.push_str(&format!(
                    "<input class=\"wf-pick\" type=\"radio\" name=\"wf-select-{list}\" id=\"{id}\" \
                     aria-label=\"{label} {option}\" data-option=\"{option}\" autocomplete=\"off\"{checked}>\n"
                ));
                labels.push_str(&format!("<label for=\"{id}\">{option}</label>"));
            }
            format!("{inputs}<div class=\"wf-picks\"><span>{label}</span>{labels}</div>\n")
        };
        self.0.iter().enumerate().map(list).collect()
    }

    /// Draws the alternatives of a choice, each with its caption.
    pub(super) fn alternatives(&self, choice: &Choice, outcome: &Outcome) -> String {
        let list = (self.0.iter())
            .position(|list| together(list, choice))
            .unwrap_or(0);
        let alternative = |(number, figure): (usize, &Figure)| {
            format!(
                "<div class=\"wf-option {}\"><p class=\"wf-caption\">{}</p>\n{}\n</div>\n",
                id(list, number),
                label_html(&figure.caption),
                figure::draw(figure, outcome).in_page(),
            )
        };
        choice.figures.iter().enumerate().map(alternative).collect()
    }
}
