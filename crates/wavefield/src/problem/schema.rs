//! The schema of problem files, generated from the types that hold them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::{Envelope, FORMAT, SOLVERS};

/// The JSON Schema (2020-12) of problem files of every solver.
pub fn schema() -> Value {
    let mut variants = Vec::new();
    let mut definitions = serde_json::Map::new();
    for solver in SOLVERS {
        let (variant, own) = solver_schema(solver);
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
pub(super) fn solver_schema(solver: &str) -> (Value, serde_json::Map<String, Value>) {
    let (mut table, mut definitions) = match solver {
        "dgtd" => of::<wavefield_dgtd::Spec>(),
        "exact" => of::<wavefield_exact::Spec>(),
        "holography" => of::<wavefield_holography::Spec>(),
        "mom2d" => of::<wavefield_mom2d::Spec>(),
        "mom3d" => of::<wavefield_mom3d::Spec>(),
        "reflectarray" => of::<wavefield_reflectarray::Spec>(),
        "sbr" => of::<wavefield_sbr::Spec>(),
        other => unreachable!("SOLVERS lists no `{other}`"),
    };
    let (mut envelope, envelope_definitions) = of::<Envelope>();
    definitions.extend(envelope_definitions);
    envelope["properties"]["solver"]["const"] = json!(solver);
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

fn of<T: JsonSchema>() -> (Value, serde_json::Map<String, Value>) {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
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
        for (number, solver) in SOLVERS.into_iter().enumerate() {
            let mut found = Vec::new();
            references(&schema["oneOf"][number], &mut found);
            assert!(!found.is_empty());
            for to in found {
                let name = to.strip_prefix("#/$defs/").unwrap();
                assert!(name.starts_with(&format!("{solver}.")), "{name}");
                assert!(definitions.contains_key(name), "{name}");
            }
        }
    }
}
