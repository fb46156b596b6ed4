//! Cosine and sine that hold 10⁻⁷ on every driver.

/// WGSL function `cos_sin(x: f32) -> vec2<f32>` for ½ ≤ x < 2²², to 10⁻⁷: the built-in ones may be off by far more.
///
/// Prepend the text to a kernel.
pub const COS_SIN_WGSL: &str = include_str!("kernels/cos_sin.wgsl");
