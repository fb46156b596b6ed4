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
        let (variant, defs) = solver_schema(solver);
        variants.push(variant);
        definitions.extend(defs);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Wavefield problem file",
        "oneOf": variants,
        "$defs": definitions,
    })
}

/// The table of one solver's problem files: the keys of every problem and those of the solver.
pub(super) fn solver_schema(solver: &str) -> (Value, serde_json::Map<String, Value>) {
    let (mut table, mut definitions) = match solver {
        "dgtd" => of::<wavefield_dgtd::Spec>(),
        "exact" => of::<wavefield_exact::Spec>(),
        "mom" => of::<wavefield_mom::Spec>(),
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

    #[test]
    fn a_name_means_the_same_in_every_solver() {
        let mut seen = serde_json::Map::new();
        for solver in SOLVERS {
            for (name, definition) in solver_schema(solver).1 {
                let first = seen.entry(name.clone()).or_insert(definition.clone());
                assert_eq!(*first, definition, "{name} of {solver}");
            }
        }
    }
}
