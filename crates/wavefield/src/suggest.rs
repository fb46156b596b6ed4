//! Suggestions for misspelled names.

/// Similarity (0 to 1) above which a name is suggested.
const ALIKE: f64 = 0.8;

/// Returns the Jaro–Winkler similarity, which finds little in common in words of three letters with one typing error:
/// there a single edit or transposition decides.
fn similarity(a: &str, b: &str) -> f64 {
    let similarity = strsim::jaro_winkler(a, b);
    if a.len() == 3 && strsim::osa_distance(a, b) == 1 {
        0.9 + 0.1 * similarity
    } else {
        similarity
    }
}

/// Returns the most similar name, ignoring case, if one is similar enough.
pub fn closest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    names
        .into_iter()
        .map(|name| (similarity(&written, &name.to_lowercase()), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .map(|(_, name)| name)
}
