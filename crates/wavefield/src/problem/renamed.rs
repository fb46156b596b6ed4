//! Renamed solvers and keys, for hints with the current name.

/// Solvers: former and current names.
const SOLVERS: [(&str, &str); 2] = [("mom", "mom2d"), ("mom-3d", "mom3d")];

/// Keys: former names, with their table where the name alone is ambiguous, and current ones with their table where it
/// changed.
const KEYS: [(&str, &str); 52] = [
    // Scene.
    ("target", "bodies"),
    ("incidence", "excitation"),
    ("directions", "observation"),
    ("ports", "excitation.ports"),
    ("dipoles", "excitation.dipoles"),
    ("polarisation", "excitation.polarization"),
    ("coat", "coatings"),
    ("coats", "coatings"),
    ("opening", "interior_angle"),
    ("impedance", "surface_impedance"),
    ("centre", "center"),
    ("corner", "corner_angle"),
    ("at", "position"),
    ("resistance", "reference_impedance"),
    // sbr.
    ("rays", "sbr.rays"),
    ("rays.step", "spacing"),
    ("edges", "sbr.edge_diffraction"),
    ("products", "sbr.products"),
    ("halvings", "max_subdivisions"),
    ("bounces", "max_bounces"),
    ("direct_image", "image_domain"),
    ("centres", "scattering_centers"),
    ("below_peak", "dynamic_range_db"),
    // mom2d and mom3d.
    ("edge", "mom3d.max_edge_length"),
    ("remesh", "bodies.geometry.remesh"),
    ("certificate", "mom2d.error_estimate"),
    ("electric", "alpha"),
    ("iterations", "max_iterations"),
    ("block", "block_size"),
    ("from", "start"),
    ("to", "stop"),
    // dgtd.
    ("domain", "dgtd.domain"),
    ("domain.edge", "mesh_size"),
    ("bodies.edge", "mesh_size"),
    ("order", "dgtd.order"),
    ("margin", "huygens_margin"),
    ("layer", "pml"),
    ("layer_edge", "pml_mesh_size"),
    ("exponent", "grading_order"),
    ("shift", "alpha"),
    ("outside", "dgtd.outer_boundary"),
    ("end", "dgtd.stop"),
    ("decay", "energy_decay"),
    ("time_step", "dgtd.cfl"),
    // reflectarray and holography.
    ("ceiling", "sidelobe_mask"),
    ("smallest_island", "min_polygon_area"),
    ("least", "min"),
    ("most", "max"),
    ("sound", "measurement"),
    ("height", "hologram_z"),
    ("plane", "reconstruction_z"),
    ("parameter", "lambda"),
];

/// Returns the current name of a solver.
pub(super) fn solver(former: &str) -> Option<&'static str> {
    present(&SOLVERS, former)
}

/// Returns the current name of a key in the table of a path.
pub(super) fn key(path: &str, former: &str) -> Option<&'static str> {
    let table = path.rsplit('.').next().unwrap_or_default();
    present(&KEYS, &format!("{table}.{former}")).or_else(|| present(&KEYS, former))
}

fn present(names: &[(&str, &'static str)], former: &str) -> Option<&'static str> {
    let found = names.iter().find(|(name, _)| *name == former);
    found.map(|(_, now)| *now)
}
