//! Parameter sweeps: the table `[sweep]` of a problem file.
//!
//! Every key of the table is the path of a value (`"bodies.0.geometry.radius"`), its value a list; every combination is
//! a problem, the last key varying fastest.

use std::path::Path;

use toml::Value;

use super::Problem;
use super::source::Source;
use super::tree::{Kind, Node, Table};
use crate::Error;
use crate::output_file::slug;

/// Maximum number of variations of a problem.
const MAX: usize = 100_000;
/// Digits of the problem's hash in the name of its folder.
const HASH_DIGITS: usize = 8;

/// One problem of a sweep.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Number within the sweep, from 1.
    pub number: usize,
    /// Swept paths and their values, in the order of the table.
    pub values: Vec<(String, Value)>,
    /// The problem.
    pub problem: Problem,
}

impl Variation {
    /// Returns the name of the result folder within that of the sweep: number, values, and digits of the problem's
    /// hash.
    pub fn folder(&self) -> String {
        format!("{:04}{}", self.number, self.unnumbered_folder())
    }

    /// Returns the part of the folder's name that does not depend on the sweep. Values may agree after unsafe
    /// characters are replaced; the hash distinguishes the problems.
    pub(crate) fn unnumbered_folder(&self) -> String {
        let named = |(path, value): &(String, Value)| {
            let last = path.rsplit('.').next().unwrap_or(path);
            match value.as_str() {
                Some(text) => format!("{last} {text}"),
                None => format!("{last} {value}"),
            }
        };
        let values: Vec<String> = self.values.iter().map(named).collect();
        format!(
            "-{}-{}",
            slug(&values.join(" ")),
            &self.problem.hash()[..HASH_DIGITS]
        )
    }
}

/// Combines the values of a sweep table into problems.
///
/// # Errors
/// The table is not one of lists, or every error of a problem.
pub(super) fn combined(
    whole: &Table,
    swept: &Node,
    source: &Source,
    folder: &Path,
) -> Result<Vec<Variation>, Error> {
    let bad = |what: String| Error::input(format!("{}: {what}", source.name()));
    let swept = swept.as_table().ok_or_else(|| {
        bad("`sweep` must be a table of paths and lists; write for instance `\"bodies.0.geometry.radius\" = [\"0.1 m\", \"0.2 m\"]`".to_owned())
    })?;
    let mut lists: Vec<(&str, &[Node])> = Vec::new();
    for (key, list) in &swept.0 {
        match &list.kind {
            Kind::Array(list) if !list.is_empty() => lists.push((&key.name, list)),
            _ => {
                let key = &key.name;
                return Err(bad(format!("`sweep.\"{key}\"` must be a list of values")));
            }
        }
    }
    let count = lists
        .iter()
        .try_fold(1usize, |n, (_, list)| n.checked_mul(list.len()));
    let count = count.filter(|&count| count <= MAX && !lists.is_empty());
    let count = count.ok_or_else(|| bad(format!("a sweep has 1 to {MAX} variations")))?;
    let mut variations = Vec::with_capacity(count);
    for number in 0..count {
        let mut rest = number;
        let mut nodes: Vec<(&str, &Node)> = Vec::new();
        for (key, list) in lists.iter().rev() {
            nodes.push((key, &list[rest % list.len()]));
            rest /= list.len();
        }
        nodes.reverse();
        let mut table = whole.clone();
        let mut values = Vec::with_capacity(nodes.len());
        for (key, node) in nodes {
            set(&mut table, key, node.clone()).map_err(&bad)?;
            values.push((key.to_owned(), node.to_value().map_err(&bad)?));
        }
        let said: Vec<String> = values.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        let source = source.with(&said.join(", "));
        let problem = Problem::from_tree(&source, &table, folder)?;
        variations.push(Variation {
            number: number + 1,
            values,
            problem,
        });
    }
    Ok(variations)
}

/// Replaces the value at a path, which must exist or be a key of its table.
fn set(table: &mut Table, path: &str, value: Node) -> Result<(), String> {
    let (first, rest) = match path.split_once('.') {
        None => {
            table.set(path, value);
            return Ok(());
        }
        Some(parts) => parts,
    };
    let missing = || format!("`sweep.\"{path}\"`: the problem has no table or list `{first}`");
    match &mut table.get_mut(first).ok_or_else(missing)?.kind {
        Kind::Table(inner) => set(inner, rest, value),
        Kind::Array(list) => {
            let (number, rest) = rest.split_once('.').unwrap_or((rest, ""));
            let entry = number.parse().ok().and_then(|n: usize| list.get_mut(n));
            match entry {
                Some(entry) if rest.is_empty() => {
                    *entry = value;
                    Ok(())
                }
                Some(Node {
                    kind: Kind::Table(inner),
                    ..
                }) => set(inner, rest, value),
                _ => Err(missing()),
            }
        }
        _ => Err(missing()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;

    const PROBLEM: &str = r#"
format = 1
solver = "exact"
frequency = "1 GHz"
bodies = [{ geometry = { shape = "sphere", radius = "0.1 m" }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }
"#;

    fn of(sweep: &str) -> Result<Option<Vec<Variation>>, Error> {
        let text = format!("{PROBLEM}{sweep}");
        Document::parse(&text, "problem.toml", Path::new(""))
            .unwrap()
            .variations(None)
    }

    #[test]
    fn all_combinations_are_problems_of_their_own() {
        assert!(of("").unwrap().is_none());
        let found = of(
            "[sweep]\n\"bodies.0.geometry.radius\" = [\"0.1 m\", \"0.2 m\"]\nfrequency = [\"1 GHz\", \"2 GHz\", \"3 GHz\"]\n",
        );
        let found = found.unwrap().unwrap();
        assert_eq!(found.len(), 6);
        let named = format!(
            "0006-radius-0.2-m-frequency-3-GHz-{}",
            &found[5].problem.hash()[..8]
        );
        assert_eq!(found[5].folder(), named);
        assert!(found[4].problem.resolved().contains("2 GHz"));
        let mut hashes: Vec<String> = found.iter().map(|v| v.problem.hash()).collect();
        hashes.dedup();
        assert_eq!(hashes.len(), 6);
    }

    #[test]
    fn folders_differ_where_values_agree_after_unsafe_characters_are_replaced() {
        let titles = ["a b", "ab", "a/b", "a b", "..", "/", "\\u001b[31m"];
        let long = "x".repeat(300);
        let titles = titles.iter().copied().chain([long.as_str()]);
        let list: Vec<String> = titles.map(|title| format!("\"{title}\"")).collect();
        let found = of(&format!("[sweep]\ntitle = [{}]\n", list.join(", ")));
        let mut folders: Vec<String> = (found.unwrap().unwrap().iter())
            .map(Variation::folder)
            .collect();
        for folder in &folders {
            assert!(folder.len() < 128, "{folder}");
            let safe = |c: char| c.is_ascii_alphanumeric() || ".+-".contains(c);
            assert!(folder.chars().all(safe), "{folder:?}");
        }
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), 8);
    }

    #[test]
    fn what_cannot_be_swept_is_said() {
        let said = |sweep: &str| of(sweep).unwrap_err().to_string();
        assert!(said("[sweep]\nfrequency = \"1 GHz\"\n").contains("list"));
        assert!(said("[sweep]\n\"bodles.0.geometry.radius\" = [\"1 m\"]\n").contains("`bodles`"));
        assert!(said("[sweep]\n").contains("variations"));
        // An invalid value is reported as in any problem.
        assert!(of("[sweep]\n\"bodies.0.geometry.radius\" = [\"1 kg\"]\n").is_err());
    }
}
