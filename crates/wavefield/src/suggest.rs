//! Suggestions for misspelled names.

/// Jaro–Winkler similarity (0 to 1) above which a name is suggested.
const ALIKE: f64 = 0.8;

/// Returns the most similar name, ignoring case, if one is similar enough.
pub fn closest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&written, &name.to_lowercase()), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .map(|(_, name)| name)
}
