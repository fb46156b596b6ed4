//! The name a person meant who wrote another.

/// How alike two names must be (Jaro–Winkler, 0 to 1) for one to be taken for the other misspelt.
const ALIKE: f64 = 0.8;

/// The name most like the one written, in any case of letters, if one is like it at all.
pub fn closest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&written, &name.to_lowercase()), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .map(|(_, name)| name)
}
