//! Walk of a problem along its schema, which tells quantities, whose numbers get SI units, from other values, and names of
//! files from other text.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value as Json;
use toml::{Table, Value};
use wavefield::problem::schema;

/// SI units of the quantities of the schema. An angle has none here: a number could mean radians as well as degrees.
const UNITS: [(&str, &str); 6] = [
    ("length", "m"),
    ("frequency", "Hz"),
    ("time", "s"),
    ("conductivity", "S/m"),
    ("speed", "m/s"),
    ("density", "kg/m3"),
];

static SCHEMA: LazyLock<Json> = LazyLock::new(schema);

/// Adds SI units to the numbers of a problem that stand for quantities.
pub(crate) fn add_units(problem: &mut Table) {
    walk(problem, &|value, alternatives| {
        let quantity = (alternatives.iter()).find_map(|part| part["x-quantity"].as_str());
        let Some((_, unit)) = UNITS.iter().find(|(name, _)| Some(*name) == quantity) else {
            return;
        };
        match value {
            Value::Integer(number) => *value = Value::String(format!("{number} {unit}")),
            Value::Float(number) => *value = Value::String(format!("{number:e} {unit}")),
            _ => {}
        }
    });
}

/// Makes the files of a problem absolute that are relative to a folder.
pub(crate) fn resolve_files(problem: &mut Table, folder: &Path) {
    walk(problem, &|value, alternatives| {
        let is_file = alternatives.iter().any(|part| part["x-file"].is_string());
        if let (Value::String(name), true) = (value, is_file) {
            *name = folder.join(&*name).to_string_lossy().into_owned();
        }
    });
}

/// Change of a plain value, given the parts of the schema that it may follow.
type Change<'a> = &'a dyn Fn(&mut Value, &[&Json]);

fn walk(problem: &mut Table, change: Change<'_>) {
    let mut value = Value::Table(std::mem::take(problem));
    visit(&mut value, &SCHEMA, change);
    if let Value::Table(table) = value {
        *problem = table;
    }
}

fn visit(value: &mut Value, part: &'static Json, change: Change<'_>) {
    let alternatives = alternatives(part);
    match value {
        Value::Array(items) => {
            let of_items = alternatives.iter().map(|part| &part["items"]);
            if let Some(part) = of_items.into_iter().find(|part| part.is_object()) {
                for item in items {
                    visit(item, part, change);
                }
            }
        }
        Value::Table(table) => {
            let tables = alternatives.iter().filter(|part| part["type"] == "object");
            let tables: Vec<&'static Json> = tables.copied().collect();
            let meant = match tables[..] {
                [only] => Some(only),
                _ => tables.into_iter().find(|part| tagged(table, part)),
            };
            let Some(part) = meant else {
                return;
            };
            for (key, value) in table.iter_mut() {
                let inner = [&part["properties"][key], &part["additionalProperties"]];
                if let Some(inner) = inner.into_iter().find(|inner| inner.is_object()) {
                    visit(value, inner, change);
                }
            }
        }
        _ => change(value, &alternatives),
    }
}

/// Returns the parts of the schema that a value may follow: without references and choices.
fn alternatives(part: &'static Json) -> Vec<&'static Json> {
    if let Some(name) = part["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return alternatives(&SCHEMA["$defs"][name]);
    }
    match part["anyOf"].as_array().or(part["oneOf"].as_array()) {
        Some(choices) => choices.iter().flat_map(alternatives).collect(),
        None => vec![part],
    }
}

/// Returns whether a table has all constants of a variant; if there are none, whether it has no key that the variant lacks.
fn tagged(table: &Table, part: &Json) -> bool {
    let Some(keys) = part["properties"].as_object() else {
        return part["additionalProperties"].is_object();
    };
    let mut constants = (keys.iter())
        .filter_map(|(key, inner)| Some((key, inner["const"].as_str()?)))
        .peekable();
    if constants.peek().is_none() {
        return table.keys().all(|key| keys.contains_key(key));
    }
    constants.all(|(key, constant)| table.get(key).and_then(Value::as_str) == Some(constant))
}
