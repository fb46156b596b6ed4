//! Data of the three-dimensional view, encoded for the page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::chart::{range, real};
use wavefield_solver::outcome::{MeshView, Outcome, PatternView, SurfaceQuantity};

/// Range of a pattern below its peak, in dB.
const DEPTH: f64 = 40.0;

/// Returns the data of the view; `None` without content.
pub(super) fn data(outcome: &Outcome) -> Option<Value> {
    let view = &outcome.view;
    let patterns: Vec<Value> = view
        .patterns
        .iter()
        .filter_map(|p| pattern(p, outcome))
        .collect();
    let meshes: Vec<Value> = view
        .meshes
        .iter()
        .filter_map(|m| mesh(m, outcome))
        .collect();
    if patterns.is_empty() && meshes.is_empty() {
        return None;
    }
    Some(json!({ "format": 1, "meshes": meshes, "patterns": patterns, "arrows": view.arrows }))
}

fn pattern(pattern: &PatternView, outcome: &Outcome) -> Option<Value> {
    let (array, values) = real(outcome, &pattern.array)?;
    let &[theta_count, phi_count] = array.shape.as_slice() else {
        return None;
    };
    if theta_count < 2 || phi_count < 2 {
        return None;
    }
    let (_, peak) = range(values.iter());
    let ceiling = (peak / 5.0).ceil() * 5.0;
    Some(json!({
        "name": pattern.name,
        "unit": pattern.unit,
        "theta_deg": [0.0, 180.0 / (theta_count - 1) as f64, theta_count],
        "phi_deg": [0.0, 360.0 / (phi_count - 1) as f64, phi_count],
        "values": packed(values),
        "floor": ceiling - DEPTH,
        "ceiling": ceiling,
        "option": pattern.option,
    }))
}

fn mesh(mesh: &MeshView, outcome: &Outcome) -> Option<Value> {
    let (_, points) = real(outcome, &mesh.points)?;
    let triangles = outcome.array(&mesh.triangles)?.as_index()?;
    let bytes: Vec<u8> = triangles
        .iter()
        .flat_map(|index| index.to_le_bytes())
        .collect();
    Some(json!({
        "name": mesh.name,
        "unit": "m",
        "points": packed(points),
        "triangles": STANDARD.encode(bytes),
        "scalars": mesh.quantities.iter().filter_map(|q| scalar(q, outcome)).collect::<Vec<_>>(),
    }))
}

fn scalar(quantity: &SurfaceQuantity, outcome: &Outcome) -> Option<Value> {
    let (_, values) = real(outcome, &quantity.array)?;
    Some(json!({
        "name": quantity.name,
        "unit": quantity.unit,
        "values": packed(values),
        "min": quantity.range.0,
        "max": quantity.range.1,
        "option": quantity.option,
    }))
}

/// Encodes values as little-endian f32 in base64.
pub(super) fn packed(values: &[f64]) -> String {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| (*value as f32).to_le_bytes())
        .collect();
    STANDARD.encode(bytes)
}
