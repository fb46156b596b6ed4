//! Diffraction by the edges of a perfect conductor, added to physical optics.
//!
//! Physical optics puts the current of an infinite plane on every lit face and none on the others. Near
//! an edge the true current differs: the difference is the *fringe* current. It runs along the faces in
//! the direction of Keller's cone and is integrated here strip by strip, each strip ending where its
//! face ends (P. M. Johansen, "Uniform physical theory of diffraction equivalent edge currents for
//! truncated wedge strips", IEEE Trans. Antennas Propag. 44, 1996; A. Michaeli, "Elimination of
//! infinities in equivalent edge currents, part I", same journal 34, 1986).
//!
//! The road from a mesh to the far field, one file each: `outline` finds the edges of a mesh → `wedge`
//! geometry → `fringe` coefficients of an endless strip → `truncation` coefficients of a strip with an end
//! → `moment` current moment per length of edge → `scatter` sum over edges, including edge waves that run
//! on to the next edge, with `surroundings` telling shadows and ends of strips. `bends` does the same for the
//! small turns of smooth faces, whose sum is the effect of their curvature. [`Edges`] is the way in.
//!
//! Time dependence e^{+jωt}; fields are in units where the wave impedance is one (H stands for ηH and
//! the current for ηJ).

mod bends;
mod edges;
mod fresnel;
mod fringe;
mod moment;
mod outline;
mod scatter;
mod surroundings;
mod truncation;
mod wedge;

pub use edges::{EdgeOptions, Edges, Strips};
pub use fringe::{StripCoefficients, endless};
pub use moment::FaceResponse;
pub use scatter::{Aspect, Strip, StripEnd, Surroundings, scattered};
pub use truncation::truncated;
pub use wedge::{FaceFrame, Wedge, WedgeError};
