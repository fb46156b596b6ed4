//! Tables in the report.

use super::text::{escape, label_html, number_html};
use wavefield_solver::outcome::{Data, Outcome, Table};

/// Significant digits of the largest number of a column.
const DIGITS: i32 = 4;
/// Limits of the largest number of a column outside of which it is shown with powers of ten.
const SMALLEST: f64 = 1e-3;
const LARGEST: f64 = 1e7;

/// Draws the tables of an outcome that are marked for the report.
pub(super) fn draw_all(outcome: &Outcome) -> String {
    let shown = outcome.tables.iter().filter(|table| table.in_report);
    shown.map(|table| draw(table, outcome)).collect()
}

fn draw(table: &Table, outcome: &Outcome) -> String {
    let columns: Vec<Vec<String>> = table
        .columns
        .iter()
        .map(|column| cells(outcome, &format!("{}/{}", table.name, column.name)))
        .collect();
    let heads: String = table
        .columns
        .iter()
        .map(|column| {
            let unit = match column.unit.as_str() {
                "" => String::new(),
                unit => format!(" <span class=\"wf-unit\">({})</span>", escape(unit)),
            };
            let name = column.name.replace('_', " ");
            format!(
                "<th scope=\"col\" class=\"wf-value\">{}{unit}</th>",
                escape(&name)
            )
        })
        .collect();
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    let rows: String = (0..count)
        .map(|row| {
            let cells: String = columns
                .iter()
                .map(|column| {
                    let text = column.get(row).map_or("", String::as_str);
                    format!("<td class=\"wf-value\">{text}</td>")
                })
                .collect();
            format!(
                "<tr><th scope=\"row\" class=\"wf-value\">{}</th>{cells}</tr>\n",
                row + 1
            )
        })
        .collect();
    format!(
        "<p class=\"wf-caption\">{}</p>\n<div class=\"wf-table-scroll\"><table class=\"wf-table wf-numbers\">\n\
         <thead><tr><th scope=\"col\" class=\"wf-value\">no.</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        label_html(&table.caption)
    )
}

/// Formats the numbers of a column with the decimals that the largest requires.
fn cells(outcome: &Outcome, name: &str) -> Vec<String> {
    match outcome.array(name).map(|array| &array.data) {
        Some(Data::Real(values)) => {
            let finite = values.iter().filter(|value| value.is_finite());
            let largest = finite.map(|value| value.abs()).fold(0.0, f64::max);
            // Powers of ten where decimals would be all zeros or the integer part too long; NaN is a dash.
            if largest > 0.0 && !(SMALLEST..LARGEST).contains(&largest) {
                let shown = |value: &f64| {
                    if value.is_nan() {
                        "–".to_owned()
                    } else {
                        number_html(*value)
                    }
                };
                return values.iter().map(shown).collect();
            }
            let before = if largest > 0.0 {
                largest.log10().floor() as i32 + 1
            } else {
                1
            };
            let decimals = (DIGITS - before).clamp(0, 9) as usize;
            values
                .iter()
                .map(|value| number(*value, decimals))
                .collect()
        }
        Some(Data::Index(values)) => values.iter().map(u32::to_string).collect(),
        Some(Data::Complex(values)) => values.iter().map(|v| escape(&v.to_string())).collect(),
        None => Vec::new(),
    }
}

fn number(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    let text = format!("{value:.decimals$}");
    // Removes the sign of a number that is rounded to zero.
    if text
        .trim_start_matches('-')
        .chars()
        .all(|c| matches!(c, '0' | '.'))
    {
        text.trim_start_matches('-').to_owned()
    } else {
        text.replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_zero_has_no_sign() {
        let mut outcome = Outcome::default();
        let values = Data::Real(vec![12.345_67, -0.001, -0.5]);
        outcome.add_table("list", "A <list>.", vec![("cross_range", "m", values)]);
        assert_eq!(draw_all(&outcome), "");
        outcome.show_table("list");
        let html = draw_all(&outcome);
        for part in [
            "A &lt;list&gt;.",
            ">12.35<",
            ">0.00<",
            ">−0.50<",
            "cross range <span",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert_eq!(html.matches("<tr>").count(), 4);
        let small = Data::Real(vec![4.9e-7, f64::NAN]);
        outcome.add_table("small", "Errors.", vec![("error", "", small)]);
        outcome.show_table("small");
        let html = draw_all(&outcome);
        assert!(
            html.contains(">4.90·10<sup>−7</sup><") && html.contains(">–<"),
            "{html}"
        );
    }
}
