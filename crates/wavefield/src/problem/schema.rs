//! The schema of problem files, generated from the types that hold them.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};
use wavefield_solver::AnySolver;

use super::{Envelope, FORMAT};
use crate::registry;

/// The JSON Schema (2020-12) of problem files of every solver.
pub fn schema() -> Value {
    let mut variants = Vec::new();
    let mut definitions = serde_json::Map::new();
    for solver in registry::solvers() {
        let (variant, own) = solver_schema(solver);
        let solver = solver.name();
        variants.push(owned(variant, solver));
        definitions.extend(
            own.into_iter()
                .map(|(name, definition)| (format!("{solver}.{name}"), owned(definition, solver))),
        );
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Wavefield problem file",
        "oneOf": variants,
        "$defs": definitions,
    })
}

/// A part of a schema whose references go to the definitions of its solver: two solvers may call different things alike.
fn owned(part: Value, solver: &str) -> Value {
    match part {
        Value::Object(object) => object
            .into_iter()
            .map(|(key, value)| match value {
                Value::String(to) if key == "$ref" => {
                    let to = to.replace("#/$defs/", &format!("#/$defs/{solver}."));
                    (key, Value::String(to))
                }
                other => (key, owned(other, solver)),
            })
            .collect(),
        Value::Array(array) => array
            .into_iter()
            .map(|value| owned(value, solver))
            .collect(),
        other => other,
    }
}

/// The table of one solver's problem files: the keys of every problem and those of the solver.
pub(super) fn solver_schema(solver: &dyn AnySolver) -> (Value, serde_json::Map<String, Value>) {
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

/// A schema and its definitions apart.
fn divided(schema: Schema) -> (Value, serde_json::Map<String, Value>) {
    let mut schema = schema.to_value();
    let definitions = match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => serde_json::Map::new(),
    };
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
    }
    (schema, definitions)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reference in a part of a schema.
    fn references(part: &Value, found: &mut Vec<String>) {
        match part {
            Value::Object(object) => {
                for (key, value) in object {
                    match value {
                        Value::String(to) if key == "$ref" => found.push(to.clone()),
                        other => references(other, found),
                    }
                }
            }
            Value::Array(array) => array.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_to_a_definition_of_its_own_solver() {
        let schema = schema();
        let definitions = schema["$defs"].as_object().unwrap();
        for (number, solver) in registry::solvers().into_iter().enumerate() {
            let mut found = Vec::new();
            references(&schema["oneOf"][number], &mut found);
            assert!(!found.is_empty());
            for to in found {
                let name = to.strip_prefix("#/$defs/").unwrap();
                assert!(name.starts_with(&format!("{}.", solver.name())), "{name}");
                assert!(definitions.contains_key(name), "{name}");
            }
        }
    }
}
