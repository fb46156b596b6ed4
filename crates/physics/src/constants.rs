//! Physical constants in SI units (exact SI definitions and CODATA 2022).

/// Speed of light in vacuum, m/s (exact).
pub const SPEED_OF_LIGHT: f64 = 299_792_458.0;

/// Vacuum permeability µ0, H/m (CODATA 2022).
pub const VACUUM_PERMEABILITY: f64 = 1.256_637_061_27e-6;

/// Vacuum permittivity ε0 = 1/(µ0 c²), F/m.
pub const VACUUM_PERMITTIVITY: f64 = 1.0 / (VACUUM_PERMEABILITY * SPEED_OF_LIGHT * SPEED_OF_LIGHT);

/// Wave impedance of vacuum η0 = µ0 c, Ω.
pub const VACUUM_IMPEDANCE: f64 = VACUUM_PERMEABILITY * SPEED_OF_LIGHT;

/// Angular frequency ω = 2πf in rad/s.
pub fn angular_frequency(frequency: f64) -> f64 {
    2.0 * std::f64::consts::PI * frequency
}

/// Wavenumber in vacuum k0 = 2πf/c in rad/m.
pub fn vacuum_wavenumber(frequency: f64) -> f64 {
    angular_frequency(frequency) / SPEED_OF_LIGHT
}
