//! Syntax highlighting of problem files in HTML.

use super::text::escape;

/// Highlights tables, keys, strings, numbers, and comments, line by line.
pub(super) fn color(text: &str) -> String {
    text.lines().map(|line| color_line(line) + "\n").collect()
}

fn span(class: &str, text: &str) -> String {
    format!("<span class=\"{class}\">{}</span>", escape(text))
}

fn color_line(line: &str) -> String {
    let trimmed = line.trim_start();
    if trimmed.starts_with('#') {
        return span("wf-comment", line);
    }
    if trimmed.starts_with('[') {
        let open = trimmed.len() - trimmed.trim_start_matches('[').len();
        let rest = &trimmed[open..];
        let end = rest.find(']').unwrap_or(rest.len());
        return format!(
            "{}{}{}",
            &trimmed[..open],
            span("wf-table-name", &rest[..end]),
            escape(&rest[end..])
        );
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let length = if letter == '"' {
            // A basic string ends at the next unescaped quotation mark.
            let mut escaped = false;
            let end = rest[1..].char_indices().find(|&(_, c)| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let length = end.map_or(rest.len(), |(at, _)| at + 2);
            out.push_str(&span("wf-string", &rest[..length]));
            length
        } else if letter == '#' {
            out.push_str(&span("wf-comment", rest));
            rest.len()
        } else if letter.is_alphanumeric() || letter == '-' || letter == '+' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "-+._".contains(c)));
            let length = end.unwrap_or(rest.len());
            let word = &rest[..length];
            let is_key = rest[length..].trim_start().starts_with('=');
            out.push_str(&if is_key {
                span("wf-key", word)
            } else {
                span("wf-number", word)
            });
            length
        } else {
            out.push_str(&escape(&letter.to_string()));
            letter.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_are_told_apart() {
        assert_eq!(
            color_line("phi = { start = \"0 deg\", count = 3 } # <all>"),
            "<span class=\"wf-key\">phi</span> = { <span class=\"wf-key\">start</span> = \
             <span class=\"wf-string\">&quot;0 deg&quot;</span>, <span class=\"wf-key\">count</span> = \
             <span class=\"wf-number\">3</span> } <span class=\"wf-comment\"># &lt;all&gt;</span>"
        );
        assert_eq!(
            color_line("[[target.coatings]]"),
            "[[<span class=\"wf-table-name\">target.coatings</span>]]"
        );
        // An unterminated string or a single character must neither hang nor panic.
        for odd in ["a = \"x", "é = ÿ", "\"\\\"", "=-", "["] {
            color_line(odd);
        }
    }
}
