//! Physical constants in SI units (exact SI definitions and CODATA 2022).

/// Speed of light in vacuum c, in m/s (exact).
pub const SPEED_OF_LIGHT: f64 = 299_792_458.0;

/// Vacuum permeability µ₀, in H/m (CODATA 2022).
pub const VACUUM_PERMEABILITY: f64 = 1.256_637_061_27e-6;

/// Vacuum permittivity ε₀ = 1/(µ₀c²), in F/m.
pub const VACUUM_PERMITTIVITY: f64 = 1.0 / (VACUUM_PERMEABILITY * SPEED_OF_LIGHT * SPEED_OF_LIGHT);

/// Wave impedance of vacuum η₀ = µ₀c, in Ω.
pub const VACUUM_IMPEDANCE: f64 = VACUUM_PERMEABILITY * SPEED_OF_LIGHT;

/// Returns the angular frequency ω = 2πf in rad/s.
pub fn angular_frequency(frequency: f64) -> f64 {
    2.0 * std::f64::consts::PI * frequency
}

/// Returns the wavenumber in vacuum k₀ = 2πf/c in rad/m.
pub fn vacuum_wavenumber(frequency: f64) -> f64 {
    angular_frequency(frequency) / SPEED_OF_LIGHT
}
