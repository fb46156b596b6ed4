//! JSON Schema of problem files, generated from the types.

use std::collections::{BTreeMap, BTreeSet};

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use wavefield_solver::AnySolver;

use super::{Envelope, FORMAT};
use crate::registry;

/// Returns the JSON Schema (2020-12) of problem files of every solver: one variant for each, and one for files of
/// several solvers.
///
/// The scene is defined once. Definitions that differ between solvers under one name are prefixed with the name of the
/// solver.
pub fn schema() -> Value {
    let solvers: Vec<(&str, Value, Map<String, Value>)> = registry::solvers()
        .into_iter()
        .map(|solver| {
            let (variant, own) = solver_schema(solver);
            (solver.name(), variant, own)
        })
        .collect();
    let shared = shared_names(&solvers);
    let mut variants = Vec::new();
    let mut definitions = Map::new();
    for (solver, variant, own) in &solvers {
        variants.push(renamed(variant, solver, &shared));
        for (name, definition) in own {
            let name = definition_name(name, solver, &shared);
            definitions.insert(name, renamed(definition, solver, &shared));
        }
    }
    variants.push(several(&variants));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Wavefield problem file",
        "oneOf": variants,
        "$defs": definitions,
    })
}

/// Returns the names that all solvers which use them define alike, with everything that their definitions refer to.
fn shared_names(solvers: &[(&str, Value, Map<String, Value>)]) -> BTreeSet<String> {
    let mut first: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut differing = BTreeSet::new();
    for (name, definition) in solvers.iter().flat_map(|(_, _, own)| own) {
        if *first.entry(name).or_insert(definition) != definition {
            differing.insert(name.clone());
        }
    }
    let mut shared: BTreeSet<String> = first.keys().map(|name| (*name).to_owned()).collect();
    shared.retain(|name| !differing.contains(name));
    // A definition that refers to a name that is not shared differs between solvers.
    loop {
        let before = shared.len();
        let kept: BTreeSet<String> = (shared.iter())
            .filter(|name| {
                references(first[name.as_str()])
                    .iter()
                    .all(|to| shared.contains(to))
            })
            .cloned()
            .collect();
        shared = kept;
        if shared.len() == before {
            return shared;
        }
    }
}

/// Returns the names of the definitions that a part of a schema refers to.
fn references(part: &Value) -> Vec<String> {
    match part {
        Value::Object(object) => (object.iter())
            .flat_map(|(key, value)| match value {
                Value::String(to) if key == "$ref" => {
                    vec![to.trim_start_matches(DEFINITIONS).to_owned()]
                }
                other => references(other),
            })
            .collect(),
        Value::Array(array) => array.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Prefix of references.
const DEFINITIONS: &str = "#/$defs/";

fn definition_name(name: &str, solver: &str, shared: &BTreeSet<String>) -> String {
    if shared.contains(name) {
        name.to_owned()
    } else {
        format!("{solver}.{name}")
    }
}

/// Returns a part of a schema with references to the definitions of its solver, or to shared ones.
fn renamed(part: &Value, solver: &str, shared: &BTreeSet<String>) -> Value {
    match part {
        Value::Object(object) => (object.iter())
            .map(|(key, value)| match value {
                Value::String(to) if key == "$ref" => {
                    let name = to.trim_start_matches(DEFINITIONS);
                    let to = format!("{DEFINITIONS}{}", definition_name(name, solver, shared));
                    (key.clone(), Value::String(to))
                }
                other => (key.clone(), renamed(other, solver, shared)),
            })
            .collect(),
        Value::Array(array) => (array.iter())
            .map(|value| renamed(value, solver, shared))
            .collect(),
        other => other.clone(),
    }
}

/// Creates the variant of files for several solvers: the keys of all.
fn several(variants: &[Value]) -> Value {
    let mut properties = Map::new();
    for variant in variants {
        if let Some(own) = variant["properties"].as_object() {
            properties.extend(own.clone());
        }
    }
    properties.remove("solver");
    let entry = json!({
        "anyOf": [
            { "type": "string" },
            { "type": "object", "required": ["solver"], "properties": { "solver": { "type": "string" }, "name": { "type": "string" } } },
        ],
    });
    properties.insert(
        "solvers".to_owned(),
        json!({
            "description": "Solvers that compute this problem, each a name, or a table with `solver`, `name`, and values that replace those of the file.",
            "type": "array",
            "items": entry,
            "minItems": 1,
        }),
    );
    json!({ "type": "object", "properties": properties, "required": ["format", "solvers"] })
}

/// Creates the table of one solver's problem files: the keys of every problem and those of the solver.
pub(super) fn solver_schema(solver: &dyn AnySolver) -> (Value, Map<String, Value>) {
    let (mut table, mut definitions) = divided(solver.schema());
    let (mut envelope, envelope_definitions) =
        divided(generator().into_root_schema_for::<Envelope>());
    definitions.extend(envelope_definitions);
    envelope["properties"]["solver"]["const"] = json!(solver.name());
    envelope["properties"]["format"]["const"] = json!(FORMAT);
    for key in ["properties", "required"] {
        match (&mut table[key], envelope[key].take()) {
            (Value::Object(to), Value::Object(from)) => {
                let own = std::mem::replace(to, from);
                to.extend(own);
            }
            (Value::Array(to), Value::Array(from)) => to.extend(from),
            _ => {}
        }
    }
    (table, definitions)
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

/// Separates a schema and its definitions.
fn divided(schema: Schema) -> (Value, Map<String, Value>) {
    let mut schema = schema.to_value();
    let definitions = match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
    }
    (schema, definitions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_to_a_definition() {
        let schema = schema();
        let definitions = schema["$defs"].as_object().unwrap();
        let found = references(&schema);
        assert!(found.len() > 100);
        for name in found {
            assert!(definitions.contains_key(&name), "{name}");
        }
    }

    #[test]
    fn the_scene_is_defined_once() {
        let schema = schema();
        let definitions = schema["$defs"].as_object().unwrap();
        for name in ["Body", "Geometry", "Material", "Excitation", "Observation"] {
            let named: Vec<&String> = (definitions.keys())
                .filter(|key| key.rsplit('.').next() == Some(name))
                .collect();
            assert_eq!(named, [name]);
        }
    }
}
