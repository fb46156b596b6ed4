//! Validation of a parsed problem file against its schema; finds all mismatches.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use wavefield_physics::quantity::{self, Dimension};
use wavefield_solver::AnySolver;

use super::schema::solver_schema;
use super::shape::{
    Definitions, common_tag, fits, format_duration, plain_names, tag_of, types, variants,
};
use super::tree::{Key, Kind, Node, Step, Table};
use super::{FORMAT, Finding, renamed};
use crate::registry;
use crate::suggest::closest;

/// Outcome of a validation.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Mismatches with the schema.
    pub(super) findings: Vec<Finding>,
    /// Files that the problem refers to.
    pub(super) files: Vec<PathBuf>,
    /// Unknown keys; each is a finding.
    pub(super) unknown: Vec<Vec<Step>>,
}

/// Checks the problem of one solver; paths are relative to `folder`.
pub(super) fn check(tree: &Table, solver: &dyn AnySolver, folder: &Path) -> Checked {
    let (schema, definitions) = solver_schema(solver);
    let mut walk = Walk {
        definitions: Definitions(definitions),
        folder,
        place: Vec::new(),
        found: Checked::default(),
    };
    walk.table(&schema, tree, 0..0, "");
    walk.found
}

/// Returns the solver of the problem, if its format version is supported.
pub(super) fn solver_of(tree: &Table, solver: &Node) -> Result<&'static dyn AnySolver, Finding> {
    let solver = match solver.as_str() {
        Some(name) => {
            registry::solver(name).ok_or_else(|| unknown_solver(name, solver.span.clone()))?
        }
        None => return Err(wrong_type("solver", "a string", solver)),
    };
    if let Some(value) = tree.get("format")
        && let Kind::Integer(version) = &value.kind
        && *version != FORMAT.to_string()
    {
        return Err(Finding {
            path: String::new(),
            message: format!(
                "unsupported format version {version}; this version reads format {FORMAT}"
            ),
            span: value.span.clone(),
            label: "unknown format".to_owned(),
            help: Some(format!(
                "use `format = {FORMAT}`, or a newer version of wavefield"
            )),
        });
    }
    Ok(solver)
}

fn unknown_solver(name: &str, span: Range<usize>) -> Finding {
    let renamed = renamed::solver(name);
    Finding {
        path: String::new(),
        message: format!("unknown solver `{name}`"),
        span,
        label: "unknown solver".to_owned(),
        help: Some(match renamed {
            Some(now) => format!("`{name}` is now `{now}`"),
            None => {
                let names: Vec<&str> = registry::solvers().iter().map(|s| s.name()).collect();
                choice(name, &names)
            }
        }),
    }
}

pub(super) fn wrong_type(key: &str, wanted: &str, value: &Node) -> Finding {
    Finding {
        path: String::new(),
        message: format!(
            "`{key}` must be {wanted}, not {}",
            article(value.type_name())
        ),
        span: value.span.clone(),
        label: format!("{} here", article(value.type_name())),
        help: None,
    }
}

/// Returns the finding about a plain value in place of a tagged table.
fn untagged(tag: &str, tags: &[&str], value: &Node, path: &str) -> Finding {
    let written = value.as_str().unwrap_or_default();
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

/// Suggests the closest name, or lists the names.
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
    /// Position of the walk.
    place: Vec<Step>,
    found: Checked,
}

impl Walk<'_> {
    fn table(&mut self, schema: &Value, table: &Table, span: Range<usize>, path: &str) {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        // Table whose keys are user-defined names: groups of a mesh.
        let any = schema.get("additionalProperties").filter(|s| s.is_object());
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        for (key, value) in &table.0 {
            let name: &str = &key.name;
            match properties.get(name).or(any) {
                Some(inner) => {
                    self.place.push(Step::Key(name.to_owned()));
                    self.value(inner, value, &join(path, name));
                    self.place.pop();
                }
                None => self.unknown(key, path, &names),
            }
        }
        for key in required(schema) {
            if table.get(key).is_some() {
                continue;
            }
            // A misspelled key has been reported already; do not report it as missing too.
            let misspelled = table.0.iter().any(|(written, _)| {
                let written: &str = &written.name;
                !properties.contains_key(written) && strsim::jaro_winkler(written, key) > 0.8
            });
            if misspelled {
                continue;
            }
            let description = properties.get(key).and_then(|s| {
                self.definitions
                    .resolve(s)
                    .get("description")
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            });
            self.find(Finding {
                path: String::new(),
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

    /// Adds a finding at the position of the walk.
    fn find(&mut self, finding: Finding) {
        let steps: Vec<String> = self.place.iter().map(Step::to_string).collect();
        self.found.findings.push(Finding {
            path: steps.join("."),
            ..finding
        });
    }

    fn unknown(&mut self, key: &Key, path: &str, names: &[&str]) {
        let name = &key.name;
        let mut place = self.place.clone();
        place.push(Step::Key(name.clone()));
        self.found.unknown.push(place);
        let renamed = renamed::key(path, name).map(|now| format!("`{name}` is now `{now}`"));
        let other_solver = (path.is_empty() && registry::solver(name).is_some())
            .then(|| format!("settings of another solver: list `{name}` in `solvers`"));
        self.find(Finding {
            path: String::new(),
            message: match path {
                "" => format!("unknown key `{name}`"),
                _ => format!("unknown key `{name}` in `{path}`"),
            },
            span: key.span.clone(),
            label: "unknown key".to_owned(),
            help: Some((renamed.or(other_solver)).unwrap_or_else(|| choice(name, names))),
        });
    }

    fn value(&mut self, schema: &Value, value: &Node, path: &str) {
        let schema = self.definitions.resolve(schema);
        if let Some(variants) = variants(&schema) {
            self.variant(variants, value, path);
            return;
        }
        if let Some(wanted) = schema.get("const").and_then(Value::as_str)
            && value.as_str() != Some(wanted)
        {
            self.find(Finding {
                path: String::new(),
                message: format!("`{path}` must be \"{wanted}\""),
                span: value.span.clone(),
                label: "invalid value".to_owned(),
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
        if !wanted.is_empty() && !wanted.iter().any(|kind| fits(kind, value)) {
            self.wrong_type(&schema, &wanted, value, path);
            return;
        }
        let least = schema.get("minimum").and_then(Value::as_f64);
        match &value.kind {
            Kind::Integer(number) => {
                let read = number.parse::<f64>();
                let fits =
                    read.is_ok_and(|n| n.abs() < 1e15 && least.is_none_or(|least| n >= least));
                if !fits {
                    self.find(Finding {
                        path: String::new(),
                        message: format!("`{path}` cannot be {number}"),
                        span: value.span.clone(),
                        label: "out of range".to_owned(),
                        help: least.map(|least| format!("use a value of at least {least}")),
                    });
                }
            }
            Kind::String(text) => self.text(&schema, text, value.span.clone(), path),
            Kind::Array(items) => {
                let item_schema = schema
                    .get("items")
                    .or_else(|| schema.get("prefixItems")?.get(0));
                if let Some(item_schema) = item_schema {
                    for (index, item) in items.iter().enumerate() {
                        self.place.push(Step::Index(index));
                        self.value(item_schema, item, path);
                        self.place.pop();
                    }
                }
                let wanted = schema.get("minItems").and_then(Value::as_u64);
                if wanted.is_some() && wanted == schema.get("maxItems").and_then(Value::as_u64) {
                    let count = wanted.unwrap_or_default() as usize;
                    if items.len() != count {
                        self.find(Finding {
                            path: String::new(),
                            message: format!("`{path}` needs {count} numbers, not {}", items.len()),
                            span: value.span.clone(),
                            label: format!("{} numbers", items.len()),
                            help: None,
                        });
                    }
                }
            }
            Kind::Table(inner) => self.table(&schema, inner, value.span.clone(), path),
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
            self.find(Finding {
                path: String::new(),
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
            self.found.files.push(file);
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
        self.find(Finding {
            path: String::new(),
            message: format!("`{path}`: file `{text}` not found"),
            span,
            label: format!("{kind} not found"),
            help: Some(match close {
                Some(name) => format!("did you mean `{name}`?"),
                None => "paths are relative to the problem file".to_owned(),
            }),
        });
    }

    fn one_of(&mut self, names: &[&str], value: &Node, path: &str) {
        match value.as_str() {
            Some(text) if names.contains(&text) => {}
            Some(text) => self.find(Finding {
                path: String::new(),
                message: format!("`{path}` cannot be \"{text}\""),
                span: value.span.clone(),
                label: "invalid value".to_owned(),
                help: Some(choice(text, names)),
            }),
            None => {
                let mut finding = wrong_type(path, "a string", value);
                finding.help = Some(format!("possible here: {}", listed(names)));
                self.find(finding);
            }
        }
    }

    /// Selects the intended alternative by its tag or by the type of value, and validates against that one alone.
    fn variant(&mut self, variants: &[Value], value: &Node, path: &str) {
        let variants: Vec<Value> = variants
            .iter()
            .map(|v| self.definitions.resolve(v))
            // An optional key is omitted, never written as null.
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
            let Some(table) = value.as_table() else {
                self.find(untagged(&tag, &tags, value, path));
                return;
            };
            match table.get(&tag) {
                None => self.find(Finding {
                    path: String::new(),
                    message: format!("`{tag}` is missing in `{path}`"),
                    span: value.span.clone(),
                    label: format!("needs `{tag}`"),
                    help: Some(format!("possible: {}", listed(&tags))),
                }),
                Some(found) => {
                    let name = found.as_str();
                    match variants
                        .iter()
                        .find(|v| name.is_some() && tag_of(v, &tag) == name)
                    {
                        Some(schema) => self.table(schema, table, value.span.clone(), path),
                        None => self.one_of(&tags, found, &join(path, &tag)),
                    }
                }
            }
            return;
        }
        let possible: Vec<&Value> = variants
            .iter()
            .filter(|v| self.definitions.accepts(v, value))
            .collect();
        // Among several forms of a table, the one whose keys are present.
        let known_keys = |schema: &&&Value| {
            let properties = schema.get("properties").and_then(Value::as_object);
            let known = |name: &str| properties.is_some_and(|keys| keys.contains_key(name));
            let table = value.as_table().map_or(&[][..], |table| &table.0);
            table.iter().filter(|(key, _)| known(&key.name)).count()
        };
        // The first of equal candidates.
        match possible.iter().rev().max_by_key(known_keys) {
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
                self.find(finding);
            }
        }
    }

    fn wrong_type(&mut self, schema: &Value, wanted: &[&str], value: &Node, path: &str) {
        let kinds: Vec<String> = wanted
            .iter()
            .filter(|k| **k != "null")
            .map(|k| format_duration(k).to_owned())
            .collect();
        let mut finding = wrong_type(path, &kinds.join(" or "), value);
        finding.help = quantity_help(schema).or_else(|| form_help(schema, path));
        self.find(finding);
    }
}

/// Returns the required keys of a table.
fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = schema.get("required").and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the last component of a path.
fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Returns how a table or a list is written.
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
