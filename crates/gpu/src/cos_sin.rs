//! Sine and cosine to 10⁻⁷ on every driver.

/// WGSL function `cos_sin(x: f32) -> vec2<f32>` for ½ ≤ x < 2²², to 10⁻⁷; the built-in functions may be far less
/// accurate.
///
/// Prepend the text to a kernel.
pub const COS_SIN_WGSL: &str = include_str!("kernels/cos_sin.wgsl");
