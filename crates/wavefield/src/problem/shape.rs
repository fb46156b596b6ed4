//! Queries of a JSON Schema: types of a value, and variants and their differences.

use serde_json::{Map, Value};

use super::tree::{Kind, Node};

/// Definitions of a schema, the targets of references.
pub(super) struct Definitions(pub(super) Map<String, Value>);

impl Definitions {
    /// Returns the schema itself, with a reference at its root followed.
    pub(super) fn resolve(&self, schema: &Value) -> Value {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
            return schema.clone();
        };
        let name = reference.trim_start_matches("#/$defs/");
        let mut target = self
            .0
            .get(name)
            .map_or(Value::Null, |found| self.resolve(found));
        // Keywords beside the reference refine it: the tag of a variant joins its keys.
        if let (Some(target), Some(own)) = (target.as_object_mut(), schema.as_object()) {
            for (key, value) in own.iter().filter(|(key, _)| *key != "$ref") {
                merge(target, key, value);
            }
        }
        target
    }

    /// Returns whether a value has one of the types the schema allows.
    pub(super) fn accepts(&self, schema: &Value, value: &Node) -> bool {
        let schema = self.resolve(schema);
        match variants(&schema) {
            Some(variants) => variants.iter().any(|variant| self.accepts(variant, value)),
            None => types(&schema).iter().any(|kind| fits(kind, value)),
        }
    }

    /// Describes the types that the schema allows.
    pub(super) fn described(&self, schema: &Value) -> String {
        let schema = self.resolve(schema);
        if schema.get("x-quantity").is_some() {
            return "a string with a unit".to_owned();
        }
        if let Some(names) = variants(&schema).and_then(|v| plain_names(v)) {
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            return quoted.join(" or ");
        }
        types(&schema)
            .first()
            .map_or("something else", |kind| format_duration(kind))
            .to_owned()
    }
}

fn merge(target: &mut Map<String, Value>, key: &str, value: &Value) {
    match (target.get_mut(key), value) {
        (Some(Value::Object(known)), Value::Object(more)) => known.extend(more.clone()),
        (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.iter().cloned()),
        _ => {
            target.insert(key.to_owned(), value.clone());
        }
    }
}

/// Returns the alternatives of a schema, if it is a choice.
pub(super) fn variants(schema: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema.get(key)?.as_array())
}

/// Returns the types of value that a schema allows.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a value has a type of JSON Schema.
pub(super) fn fits(kind: &str, value: &Node) -> bool {
    match kind {
        "string" => matches!(value.kind, Kind::String(_)),
        "integer" => matches!(value.kind, Kind::Integer(_)),
        "number" => matches!(value.kind, Kind::Integer(_) | Kind::Float(_)),
        "boolean" => matches!(value.kind, Kind::Boolean(_)),
        "array" => matches!(value.kind, Kind::Array(_)),
        "object" => matches!(value.kind, Kind::Table(_)),
        _ => false,
    }
}

/// Describes a type of value.
pub(super) fn format_duration(kind: &str) -> &str {
    match kind {
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "a table",
        other => other,
    }
}

/// Returns the names of an enum without contents, if these variants are one.
pub(super) fn plain_names(variants: &[Value]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for variant in variants {
        if let Some(name) = variant.get("const").and_then(Value::as_str) {
            names.push(name.to_owned());
        } else if let Some(list) = variant.get("enum").and_then(Value::as_array) {
            names.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
        } else {
            return None;
        }
    }
    Some(names)
}

/// Returns the value of the tag of a variant.
pub(super) fn tag_of<'a>(variant: &'a Value, tag: &str) -> Option<&'a str> {
    variant.get("properties")?.get(tag)?.get("const")?.as_str()
}

/// Returns the tag of an enum: the key that distinguishes its variants.
pub(super) fn common_tag(variants: &[Value]) -> Option<String> {
    let first = variants.first()?.get("properties")?.as_object()?;
    first
        .keys()
        .find(|key| variants.iter().all(|v| tag_of(v, key).is_some()))
        .cloned()
}
