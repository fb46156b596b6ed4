//! Text in HTML and SVG: escaping and number formatting.

/// Escapes text for an element or a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters, NUL in particular, are invalid on a page.
            _ if letter.is_control() && letter != '\n' && letter != '\t' => {
                escaped.push('\u{fffd}');
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Formats a number with a true minus sign and as few digits as necessary.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs();
    let plain = if (1e-3..1e6).contains(&magnitude) {
        let digits = (5 - magnitude.log10().floor() as i32).clamp(0, 8) as usize;
        let text = format!("{value:.digits$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        let text = format!("{value:.2e}");
        match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{mantissa}·10^{exponent}"),
            None => text,
        }
    };
    plain.replace('-', "−")
}

/// Formats [`number`] as HTML with a superscript exponent.
pub(super) fn number_html(value: f64) -> String {
    let plain = number(value);
    match plain.split_once('^') {
        Some((mantissa, exponent)) => format!("{mantissa}<sup>{exponent}</sup>"),
        None => plain,
    }
}

/// Formats [`number`] as SVG with a superscript exponent.
pub(super) fn number_svg(value: f64) -> String {
    let plain = number(value);
    match plain.split_once('^') {
        Some((mantissa, exponent)) => format!("{mantissa}{}", raised_svg(exponent)),
        None => plain,
    }
}

/// Formats the text of a value as HTML with true minus signs, and the exponent of a number as a superscript.
pub(super) fn value_html(text: &str) -> String {
    let plain = escape(&text.replace('-', "−"));
    match plain.split_once('e') {
        Some((mantissa, exponent)) if text.parse::<f64>().is_ok() => {
            format!("{mantissa}·10<sup>{exponent}</sup>")
        }
        _ => plain,
    }
}

/// Escapes text for HTML and sets the indices of its symbols, such as that of `S_VH`, as subscripts.
pub(super) fn label_html(text: &str) -> String {
    with_subscripts(text, ["<sub>", "</sub>", ""])
}

/// Escapes a label for SVG and sets the indices of its symbols as subscripts.
pub(super) fn label_svg(text: &str) -> String {
    // The second shift, in the larger letters around the index, returns to their baseline.
    with_subscripts(
        text,
        [
            "<tspan class=\"wf-exponent\" dy=\"0.32em\">",
            "</tspan><tspan dy=\"-0.24em\">",
            "</tspan>",
        ],
    )
}

/// Escapes text and sets the indices of symbols of one letter between two tags; the third tag follows the text once for
/// each index.
fn with_subscripts(text: &str, [open, close, end]: [&str; 3]) -> String {
    let of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut label, mut indices, mut rest) = (String::new(), 0, text);
    while let Some(start) = rest.find(of_word) {
        let (before, from) = rest.split_at(start);
        let length = from
            .find(|letter: char| !of_word(letter))
            .unwrap_or(from.len());
        let (word, after) = from.split_at(length);
        label.push_str(&escape(before));
        match word.split_once('_') {
            Some((symbol, index))
                if symbol.chars().count() == 1
                    && (1..=3).contains(&index.len())
                    && !index.contains('_') =>
            {
                label.push_str(&format!("{symbol}{open}{index}{close}"));
                indices += 1;
            }
            _ => label.push_str(word),
        }
        rest = after;
    }
    label.push_str(&escape(rest));
    label.push_str(&end.repeat(indices));
    label
}

/// Returns a superscript exponent in SVG.
pub(super) fn raised_svg(exponent: &str) -> String {
    format!("<tspan class=\"wf-exponent\" dy=\"-0.45em\">{exponent}</tspan>")
}

/// Formats a coordinate to a tenth of a drawing unit, finer than a screen pixel.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_titles_stays_text() {
        assert_eq!(
            escape("<script>\"a\" & 'b'"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;"
        );
    }

    #[test]
    fn numbers_are_set_as_in_print() {
        assert_eq!(number(-5.25), "−5.25");
        assert_eq!(number(320.0), "320");
        assert_eq!(number(1.2e-13), "1.20·10^−13");
        assert_eq!(number_html(1e-9), "1.00·10<sup>−9</sup>");
        assert_eq!(number(0.0), "0");
        assert_eq!(coordinate(70.0), "70");
        assert_eq!(coordinate(-1.239), "-1.24");
        assert_eq!(value_html("2.0e-5"), "2.0·10<sup>−5</sup>");
        assert_eq!(value_html("-29.0"), "−29.0");
        assert_eq!(value_html("none < 1"), "none &lt; 1");
    }

    #[test]
    fn indices_of_symbols_are_subscripts_and_names_of_columns_are_not() {
        assert_eq!(
            label_html("|E_z| < |E_inc|, tm_db_m"),
            "|E<sub>z</sub>| &lt; |E<sub>inc</sub>|, tm_db_m"
        );
        assert_eq!(
            label_svg("L_p (dB)"),
            "L<tspan class=\"wf-exponent\" dy=\"0.32em\">p</tspan><tspan dy=\"-0.24em\"> (dB)</tspan>"
        );
        assert_eq!(label_svg("φ (deg)"), "φ (deg)");
    }
}
