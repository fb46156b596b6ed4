//! The HTML report.

use std::time::Duration;

use super::choice::Selectors;
use super::text::{escape, label_html, number_html, value_html};
use super::{figure, table, toml_color, view};
use crate::format::{format_bytes, format_duration};
use crate::record::Record;
use wavefield_solver::outcome::{Check, FigureKind, Outcome};

/// Maximum number of key figures that stand out as tiles; the others follow in a table.
const MAX_TILES: usize = 6;

/// Style sheet of the page.
pub const STYLE: &str = include_str!("../assets/report.css");
const VIEWER: &str = include_str!("../assets/viewer.js");

/// Returns the report as a self-contained HTML file.
pub fn page(record: &Record, outcome: &Outcome) -> String {
    let scene = view::data(outcome);
    let mut sections = vec![("result", "Result", result(record))];
    if scene.is_some() {
        sections.push(("view", "3-D view", hero(outcome)));
    }
    let selectors = Selectors::new(outcome);
    sections.push(("figures", "Figures", figures(outcome, &selectors)));
    let tables = table::draw_all(outcome);
    if !tables.is_empty() {
        sections.push(("tables", "Tables", tables));
    }
    if !outcome.checks.is_empty() {
        sections.push(("checks", "Self-checks", checks(outcome)));
    }
    if !outcome.validity.is_empty() {
        sections.push(("validity", "Range of validity", validity(outcome)));
    }
    let links: String = sections
        .iter()
        .map(|(id, name, _)| (*id, *name))
        .chain([
            ("problem", "Problem"),
            ("run", "Run"),
            ("conventions", "Conventions"),
        ])
        .map(|(id, name)| format!("<a href=\"#{id}\">{name}</a>\n"))
        .collect();
    let body: String = sections
        .iter()
        .map(|(id, name, content)| {
            format!(
                "<section class=\"wf-section\" id=\"{id}\"><h2>{name}</h2>\n{content}</section>\n"
            )
        })
        .collect();
    let script = scene.map_or(String::new(), |scene| {
        // Escapes `<`, so that a name with a closing tag does not end the script.
        let data = scene.to_string().replace('<', "\\u003c");
        format!("<script type=\"application/json\" id=\"view-1\">{data}</script>\n")
    });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{program}\">\n<title>{title}</title>\n<style>{STYLE}{choices}</style>\n</head>\n\
         <body class=\"wf-report\">\n<header class=\"wf-header\"><div class=\"wf-width\">\n\
         <div class=\"wf-topline\"><p class=\"wf-brand\">Wavefield<span>{version}</span></p>\n\
         <nav class=\"wf-nav\" aria-label=\"Sections\">{links}</nav></div>\n\
         <h1>{title}</h1>\n<p class=\"wf-subtitle\">{summary}</p>\n</div></header>\n\
         <main class=\"wf-width\">\n{banner}{body}<div class=\"wf-columns\">\n{problem}{run}</div>\n</main>\n{footer}{script}\
         <script>{VIEWER}</script>\n</body>\n</html>\n",
        program = escape(&record.program),
        version = escape(record.program.trim_start_matches("wavefield ")),
        title = escape(&record.title),
        summary = escape(&record.summary),
        banner = banner(outcome),
        problem = problem(record),
        run = run(record),
        footer = footer(record),
        choices = selectors.style(),
    )
}

/// Returns the banner of failed checks at the top of the page: each with its value, its limit, and its remedy.
fn banner(outcome: &Outcome) -> String {
    let failed: Vec<&Check> = outcome.checks.iter().filter(|c| !c.passes()).collect();
    let head = match failed.len() {
        0 => return String::new(),
        1 => "A self-check failed".to_owned(),
        count => format!("{count} self-checks failed"),
    };
    let items: String = failed
        .iter()
        .map(|check| {
            format!(
                "<li>{}: {}, at most {}. <span class=\"wf-remedy\">{}</span></li>\n",
                label_html(&check.name),
                number_html(check.value),
                number_html(check.limit),
                code_html(&sentence(&check.remedy))
            )
        })
        .collect();
    format!(
        "<aside class=\"wf-banner\" role=\"alert\"><h2>{head}</h2>\n<ul>\n{items}</ul>\n\
         <p>The result may be inaccurate; see <a href=\"#checks\">all self-checks</a>.</p></aside>\n"
    )
}

/// Returns an imperative as a sentence: with a capital letter and a period.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

/// Escapes text and sets what stands between backquotes as code.
fn code_html(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let piece = |(number, piece): (usize, &str)| {
        let piece = escape(piece);
        if number % 2 == 1 {
            format!("<code>{piece}</code>")
        } else {
            piece
        }
    };
    pieces.map(piece).collect()
}

fn result(record: &Record) -> String {
    let (first, further) = record
        .key_figures
        .split_at(record.key_figures.len().min(MAX_TILES));
    let cards: String = first
        .iter()
        .map(|figure| {
            format!(
                "<div class=\"wf-card\"><dt>{}</dt><dd class=\"wf-card-value\">{} <span class=\"wf-unit\">{}</span></dd></div>\n",
                escape(&figure.label),
                value_html(&figure.value),
                escape(&figure.unit)
            )
        })
        .collect();
    let rows: String = further
        .iter()
        .map(|figure| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{} {}</td></tr>\n",
                escape(&figure.label),
                value_html(&figure.value),
                escape(&figure.unit)
            )
        })
        .collect();
    let further = if rows.is_empty() {
        rows
    } else {
        format!("<table class=\"wf-table wf-facts wf-further\"><tbody>\n{rows}</tbody></table>\n")
    };
    format!("<dl class=\"wf-cards\">\n{cards}</dl>\n{further}")
}

fn hero(outcome: &Outcome) -> String {
    format!(
        "<figure class=\"wf-figure wf-hero\">\n<div class=\"wf-view\" data-source=\"view-1\">\
         <p class=\"wf-message\">The 3-D view needs JavaScript.</p></div>\n\
         <figcaption><span class=\"wf-caption\">{}</span></figcaption>\n</figure>\n",
        escape(&outcome.view.caption)
    )
}

fn figures(outcome: &Outcome, selectors: &Selectors<'_>) -> String {
    let drawn: String = outcome
        .figures
        .iter()
        .map(|figure| {
            let title = escape(&figure.title);
            if let FigureKind::Choice(choice) = &figure.kind {
                return format!(
                    "<figure class=\"wf-figure\">\n<figcaption><span class=\"wf-figure-title\">{title}</span></figcaption>\n\
                     {}</figure>\n",
                    selectors.alternatives(choice, outcome)
                );
            }
            let chart = figure::draw(figure, outcome);
            format!(
                "<figure class=\"wf-figure{}\">\n<figcaption><span class=\"wf-figure-title\">{title}</span>\
                 <span class=\"wf-caption\">{}</span></figcaption>\n{}\n</figure>\n",
                if chart.is_wide() { " wf-figure-wide" } else { "" },
                label_html(&figure.caption),
                chart.in_page()
            )
        })
        .collect();
    format!(
        "{}<div class=\"wf-figures\">\n{drawn}</div>\n",
        selectors.buttons()
    )
}

fn checks(outcome: &Outcome) -> String {
    let rows: String = outcome
        .checks
        .iter()
        .map(|check| {
            let (class, word) = if check.passes() {
                ("wf-pass", "pass")
            } else {
                ("wf-fail", "fail")
            };
            format!(
                "<tr><th scope=\"row\">{} <span class=\"wf-caption\">(reference: {})</span></th>\
                 <td class=\"wf-value\">{}</td><td class=\"wf-value\">≤ {}</td>\
                 <td class=\"wf-verdict\"><span class=\"{class}\">{word}</span></td></tr>\n",
                label_html(&check.name),
                label_html(&check.against),
                number_html(check.value),
                number_html(check.limit)
            )
        })
        .collect();
    format!(
        "<div class=\"wf-table-scroll\"><table class=\"wf-table wf-checks\">\n<thead><tr><th scope=\"col\">Check</th>\
         <th scope=\"col\" class=\"wf-value\">Value</th><th scope=\"col\" class=\"wf-value\">Limit</th>\
         <th scope=\"col\" class=\"wf-verdict\">Status</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn validity(outcome: &Outcome) -> String {
    let rows: String = outcome
        .validity
        .iter()
        .map(|validity| {
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                escape(&validity.name),
                escape(&validity.by_theory),
                escape(&validity.measured)
            )
        })
        .collect();
    format!(
        "<div class=\"wf-table-scroll\"><table class=\"wf-table wf-validity\">\n<thead><tr><th scope=\"col\">Result</th>\
         <th scope=\"col\">By theory</th><th scope=\"col\">By measurement</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn problem(record: &Record) -> String {
    format!(
        "<section class=\"wf-section\" id=\"problem\"><h2>Problem</h2>\n<pre class=\"wf-code\"><code>{}</code></pre>\n</section>\n",
        toml_color::color(&record.problem)
    )
}

fn run(record: &Record) -> String {
    let fact = |name: &str, value: String| {
        format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n")
    };
    let mut facts = vec![fact("Solver", escape(&record.solver))];
    // A comparison of results has no device.
    if !record.device.is_empty() {
        facts.extend([
            fact("Device", escape(&record.device)),
            fact("Threads", record.threads.to_string()),
            fact("Relative accuracy", number_html(record.accuracy)),
            fact("Memory", format_bytes(record.memory)),
        ]);
    }
    facts.extend([
        fact("Program", escape(&record.program)),
        fact("Conventions", format!("version {}", record.conventions)),
    ]);
    if !record.problem_sha256.is_empty() {
        let hash = escape(&record.problem_sha256);
        facts.push(fact(
            "Problem hash",
            format!("<span class=\"wf-hash\">{hash}</span>"),
        ));
    }
    let facts = facts.concat();
    let total: f64 = record.timings.iter().map(|t| t.seconds).sum();
    let shown = |seconds: f64| format_duration(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
    let stages: String = record
        .timings
        .iter()
        .map(|timing| {
            let share = if total > 0.0 { timing.seconds / total } else { 0.0 };
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"wf-value\">{}</td><td class=\"wf-bar-cell\">\
                 <span class=\"wf-bar\" style=\"--wf-share:{share:.4}\"></span></td></tr>\n",
                escape(&timing.stage),
                shown(timing.seconds)
            )
        })
        .collect();
    format!(
        "<section class=\"wf-section\" id=\"run\"><h2>Run</h2>\n<table class=\"wf-table wf-facts\"><tbody>\n{facts}</tbody></table>\n\
         <table class=\"wf-table wf-timings\">\n<thead><tr><th scope=\"col\">Stage</th><th scope=\"col\" class=\"wf-value\">Time</th>\
         <th scope=\"col\" class=\"wf-bar-cell\"><span class=\"wf-visually-hidden\">Share</span></th></tr></thead>\n<tbody>\n{stages}\
         <tr class=\"wf-total\"><th scope=\"row\">Total</th><td class=\"wf-value\">{}</td><td></td></tr></tbody></table>\n</section>\n",
        shown(total)
    )
}

fn footer(record: &Record) -> String {
    let conventions = [
        (
            "Time",
            "e<sup>+jωt</sup>; outgoing waves e<sup>−jkr</sup>/r; loss is a negative imaginary part",
        ),
        (
            "Angles",
            "θ from +z, φ from +x; incidence is the direction that the wave is incident from",
        ),
        (
            "Polarization",
            "V = θ̂, H = φ̂; S<sub>pq</sub>: p received, q transmitted",
        ),
        (
            "Cross section",
            "σ = lim 4πr²|E<sub>s</sub>/E<sub>i</sub>|² in m², dBsm; in 2-D lim 2πρ|u<sub>s</sub>/u<sub>i</sub>|² in m, dB(m)",
        ),
        ("Units", "SI"),
    ];
    let items: String = conventions
        .iter()
        .map(|(name, text)| format!("<li><strong>{name}</strong> {text}</li>\n"))
        .collect();
    let source = match record.problem_sha256.get(..12) {
        Some(hash) => format!(" from problem {}", escape(hash)),
        None => String::new(),
    };
    format!(
        "<footer class=\"wf-footer\" id=\"conventions\"><div class=\"wf-width\">\n<h2>Conventions</h2>\n\
         <ul class=\"wf-conventions\">\n{items}</ul>\n<p>Generated by {}{source}.</p>\n</div></footer>\n",
        escape(&record.program),
    )
}
