//! Walks a parsed problem file beside its schema and finds everything that does not fit.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wavefield_physics::quantity::{self, Dimension};

use super::schema::solver_schema;
use super::shape::{Definitions, common_tag, fits, plain_names, spoken, tag_of, types, variants};
use super::{FORMAT, Finding, SOLVERS};
use crate::suggest::closest;

/// Everything wrong with the file, and the files it names, which are looked up in `folder`.
pub(super) fn check(tree: &Spanned<DeTable<'_>>, folder: &Path) -> (Vec<Finding>, Vec<PathBuf>) {
    match solver_of(tree.get_ref()) {
        Err(finding) => (vec![finding], Vec::new()),
        Ok(solver) => {
            let (schema, definitions) = solver_schema(solver);
            let mut walk = Walk {
                definitions: Definitions(definitions),
                folder,
                findings: Vec::new(),
                files: Vec::new(),
            };
            walk.table(&schema, tree.get_ref(), 0..0, "");
            (walk.findings, walk.files)
        }
    }
}

/// The solver a problem is for, if this program reads it at all.
fn solver_of<'a>(table: &'a DeTable<'_>) -> Result<&'a str, Finding> {
    let solver = match entry(table, "solver") {
        None => {
            return Err(Finding {
                message: "the file does not say which solver it is for".to_owned(),
                span: 0..0,
                label: "`solver` is missing".to_owned(),
                help: Some(format!("add `solver = \"{}\"` at the top", SOLVERS[0])),
            });
        }
        Some(value) => match value.get_ref().as_str() {
            Some(name) if SOLVERS.contains(&name) => name,
            Some(name) => return Err(unknown_solver(name, value.span())),
            None => return Err(wrong_type("solver", "a string", value)),
        },
    };
    if let Some(value) = entry(table, "format")
        && let Some(version) = value.get_ref().as_integer()
        && version.as_str() != FORMAT.to_string()
    {
        return Err(Finding {
            message: format!(
                "this program reads format {FORMAT}, the file has format {}",
                version.as_str()
            ),
            span: value.span(),
            label: "not known".to_owned(),
            help: Some(format!(
                "`format = {FORMAT}`, or a program as new as the file"
            )),
        });
    }
    Ok(solver)
}

fn entry<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    table
        .iter()
        .find(|(name, _)| name.get_ref() == key)
        .map(|(_, value)| value)
}

/// Former names of solvers and those they have now.
const RENAMED: [(&str, &str); 2] = [("mom", "mom2d"), ("mom-3d", "mom3d")];

fn unknown_solver(name: &str, span: Range<usize>) -> Finding {
    let renamed = RENAMED.iter().find(|(former, _)| *former == name);
    Finding {
        message: format!("there is no solver called `{name}`"),
        span,
        label: "not a solver".to_owned(),
        help: Some(match renamed {
            Some((former, now)) => format!("`{former}` is now `{now}`"),
            None => choice(name, &SOLVERS),
        }),
    }
}

fn wrong_type(key: &str, wanted: &str, value: &Spanned<DeValue<'_>>) -> Finding {
    Finding {
        message: format!(
            "`{key}` must be {wanted}, not {}",
            article(value.get_ref().type_str())
        ),
        span: value.span(),
        label: format!("{} here", article(value.get_ref().type_str())),
        help: None,
    }
}

/// A value in place of a table that says by its tag what it is.
fn untagged(tag: &str, tags: &[&str], value: &Spanned<DeValue<'_>>, path: &str) -> Finding {
    let written = value.get_ref().as_str().unwrap_or_default();
    let meant = closest(written, tags.iter().copied()).or(tags.first().copied());
    let key = last_key(path);
    let mut finding = wrong_type(path, &format!("a table with `{tag}`"), value);
    finding.help = meant.map(|meant| {
        format!(
            "write `{key} = {{ {tag} = \"{meant}\" }}`; possible: {}",
            listed(tags)
        )
    });
    finding
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// "did you mean" where one of the names is close, otherwise the list of names.
fn choice(wrong: &str, names: &[&str]) -> String {
    match closest(wrong, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("possible here: {}", listed(names)),
    }
}

fn listed(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

struct Walk<'a> {
    definitions: Definitions,
    folder: &'a Path,
    findings: Vec<Finding>,
    /// Files that the problem names.
    files: Vec<PathBuf>,
}

impl Walk<'_> {
    fn table(&mut self, schema: &Value, table: &DeTable<'_>, span: Range<usize>, path: &str) {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        // A table whose keys are the user's own names: groups of a mesh.
        let any = schema.get("additionalProperties").filter(|s| s.is_object());
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        for (key, value) in table {
            let name: &str = key.get_ref();
            match properties.get(name).or(any) {
                Some(inner) => self.value(inner, value, &join(path, name)),
                None => self.findings.push(Finding {
                    message: match path {
                        "" => format!("unknown key `{name}`"),
                        _ => format!("unknown key `{name}` in `{path}`"),
                    },
                    span: key.span(),
                    label: "not known here".to_owned(),
                    help: Some(choice(name, &names)),
                }),
            }
        }
        for key in required(schema) {
            if entry(table, key).is_some() {
                continue;
            }
            // A key that is only misspelt has been reported; saying that it is missing too confuses.
            let misspelt = table.keys().any(|written| {
                let written: &str = written.get_ref();
                !properties.contains_key(written) && strsim::jaro_winkler(written, key) > 0.8
            });
            if misspelt {
                continue;
            }
            let description = properties.get(key).and_then(|s| {
                self.definitions
                    .resolve(s)
                    .get("description")
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            });
            self.findings.push(Finding {
                message: match path {
                    "" => format!("`{key}` is missing"),
                    _ => format!("`{key}` is missing in `{path}`"),
                },
                span: span.clone(),
                label: format!("needs `{key}`"),
                help: description,
            });
        }
    }

    fn value(&mut self, schema: &Value, value: &Spanned<DeValue<'_>>, path: &str) {
        let schema = self.definitions.resolve(schema);
        if let Some(variants) = variants(&schema) {
            self.variant(variants, value, path);
            return;
        }
        if let Some(wanted) = schema.get("const").and_then(Value::as_str)
            && value.get_ref().as_str() != Some(wanted)
        {
            self.findings.push(Finding {
                message: format!("`{path}` must be \"{wanted}\""),
                span: value.span(),
                label: "not this".to_owned(),
                help: None,
            });
            return;
        }
        if let Some(names) = schema.get("enum").and_then(Value::as_array) {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            self.one_of(&names, value, path);
            return;
        }
        let wanted = types(&schema);
        if !wanted.is_empty() && !wanted.iter().any(|kind| fits(kind, value.get_ref())) {
            self.wrong_type(&schema, &wanted, value, path);
            return;
        }
        let least = schema.get("minimum").and_then(Value::as_f64);
        match value.get_ref() {
            DeValue::Integer(number) => {
                let read = number.as_str().replace('_', "").parse::<f64>();
                let fits =
                    read.is_ok_and(|n| n.abs() < 1e15 && least.is_none_or(|least| n >= least));
                if !fits {
                    self.findings.push(Finding {
                        message: format!("`{path}` cannot be {}", number.as_str()),
                        span: value.span(),
                        label: "out of range".to_owned(),
                        help: least.map(|least| format!("it must be at least {least}")),
                    });
                }
            }
            DeValue::String(text) => self.text(&schema, text, value.span(), path),
            DeValue::Array(items) => {
                let item_schema = schema
                    .get("items")
                    .or_else(|| schema.get("prefixItems")?.get(0));
                if let Some(item_schema) = item_schema {
                    for item in items {
                        self.value(item_schema, item, path);
                    }
                }
                let wanted = schema.get("minItems").and_then(Value::as_u64);
                if wanted.is_some() && wanted == schema.get("maxItems").and_then(Value::as_u64) {
                    let count = wanted.unwrap_or_default() as usize;
                    if items.len() != count {
                        self.findings.push(Finding {
                            message: format!("`{path}` needs {count} numbers, not {}", items.len()),
                            span: value.span(),
                            label: format!("{} numbers here", items.len()),
                            help: None,
                        });
                    }
                }
            }
            DeValue::Table(inner) => self.table(&schema, inner, value.span(), path),
            _ => {}
        }
    }

    fn text(&mut self, schema: &Value, text: &str, span: Range<usize>, path: &str) {
        let dimension = schema
            .get("x-quantity")
            .and_then(Value::as_str)
            .and_then(Dimension::from_name);
        if let Some(dimension) = dimension
            && let Err(error) = quantity::check(text, dimension)
        {
            self.findings.push(Finding {
                message: format!("`{path}`: {error}"),
                span: span.clone(),
                label: format!("not {}", dimension.with_article()),
                help: Some(format!(
                    "{} is written like \"{}\"",
                    dimension.with_article(),
                    dimension.example()
                )),
            });
        }
        if let Some(kind) = schema.get("x-file").and_then(Value::as_str) {
            self.file(kind, text, span, path);
        }
    }

    fn file(&mut self, kind: &str, text: &str, span: Range<usize>, path: &str) {
        let file = self.folder.join(text);
        if file.is_file() {
            self.files.push(file);
            return;
        }
        let siblings = file
            .parent()
            .and_then(|parent| std::fs::read_dir(parent).ok());
        let mut names: Vec<String> = siblings
            .into_iter()
            .flatten()
            .filter_map(|found| found.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        let wanted = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(text);
        let close = names
            .iter()
            .find(|name| strsim::jaro_winkler(wanted, name) > 0.85);
        self.findings.push(Finding {
            message: format!("`{path}`: there is no file `{text}`"),
            span,
            label: format!("{kind} not found"),
            help: Some(match close {
                Some(name) => format!("did you mean `{name}`?"),
                None => "paths are relative to the problem file".to_owned(),
            }),
        });
    }

    fn one_of(&mut self, names: &[&str], value: &Spanned<DeValue<'_>>, path: &str) {
        match value.get_ref().as_str() {
            Some(text) if names.contains(&text) => {}
            Some(text) => self.findings.push(Finding {
                message: format!("`{path}` cannot be \"{text}\""),
                span: value.span(),
                label: "not possible here".to_owned(),
                help: Some(choice(text, names)),
            }),
            None => {
                let mut finding = wrong_type(path, "a string", value);
                finding.help = Some(format!("possible here: {}", listed(names)));
                self.findings.push(finding);
            }
        }
    }

    /// Chooses the alternative the user must have meant, by its tag or by the kind of value, and
    /// checks against that one alone.
    fn variant(&mut self, variants: &[Value], value: &Spanned<DeValue<'_>>, path: &str) {
        let variants: Vec<Value> = variants
            .iter()
            .map(|v| self.definitions.resolve(v))
            // A key that may be left out is not written as nothing.
            .filter(|v| types(v) != ["null"])
            .collect();
        if let [only] = &variants[..] {
            self.value(only, value, path);
            return;
        }
        if let Some(names) = plain_names(&variants) {
            self.one_of(
                &names.iter().map(String::as_str).collect::<Vec<_>>(),
                value,
                path,
            );
            return;
        }
        if let Some(tag) = common_tag(&variants) {
            let tags: Vec<&str> = variants.iter().filter_map(|v| tag_of(v, &tag)).collect();
            let Some(table) = value.get_ref().as_table() else {
                self.findings.push(untagged(&tag, &tags, value, path));
                return;
            };
            match entry(table, &tag) {
                None => self.findings.push(Finding {
                    message: format!("`{tag}` is missing in `{path}`"),
                    span: value.span(),
                    label: format!("needs `{tag}`"),
                    help: Some(format!("possible: {}", listed(&tags))),
                }),
                Some(found) => {
                    let name = found.get_ref().as_str();
                    match variants
                        .iter()
                        .find(|v| name.is_some() && tag_of(v, &tag) == name)
                    {
                        Some(schema) => self.table(schema, table, value.span(), path),
                        None => self.one_of(&tags, found, &join(path, &tag)),
                    }
                }
            }
            return;
        }
        let possible: Vec<&Value> = variants
            .iter()
            .filter(|v| self.definitions.accepts(v, value.get_ref()))
            .collect();
        match possible.first() {
            Some(schema) => self.value(schema, value, path),
            None => {
                let mut kinds: Vec<String> = variants
                    .iter()
                    .map(|v| self.definitions.described(v))
                    .collect();
                kinds.dedup();
                let mut finding = wrong_type(path, &kinds.join(" or "), value);
                finding.help = (variants.iter().find_map(quantity_help))
                    .or_else(|| variants.iter().find_map(|schema| form_help(schema, path)));
                self.findings.push(finding);
            }
        }
    }

    fn wrong_type(
        &mut self,
        schema: &Value,
        wanted: &[&str],
        value: &Spanned<DeValue<'_>>,
        path: &str,
    ) {
        let kinds: Vec<String> = wanted
            .iter()
            .filter(|k| **k != "null")
            .map(|k| spoken(k).to_owned())
            .collect();
        let mut finding = wrong_type(path, &kinds.join(" or "), value);
        finding.help = quantity_help(schema).or_else(|| form_help(schema, path));
        self.findings.push(finding);
    }
}

/// Keys that a table must have.
fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = schema.get("required").and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// The key at the end of a path.
fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// How a table or a list is written.
fn form_help(schema: &Value, path: &str) -> Option<String> {
    let key = last_key(path);
    if types(schema).contains(&"array") {
        return Some(format!("a list is written like `{key} = [ … ]`"));
    }
    let properties = schema.get("properties")?.as_object()?;
    let mut shown: Vec<&str> = required(schema).collect();
    if shown.is_empty() {
        shown.extend(properties.keys().map(String::as_str).take(3));
    }
    let entries: Vec<String> = shown.iter().map(|name| format!("{name} = …")).collect();
    Some(format!("write `{key} = {{ {} }}`", entries.join(", ")))
}

fn quantity_help(schema: &Value) -> Option<String> {
    let dimension = Dimension::from_name(schema.get("x-quantity")?.as_str()?)?;
    Some(format!(
        "{} is written like \"{}\"",
        dimension.with_article(),
        dimension.example()
    ))
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
