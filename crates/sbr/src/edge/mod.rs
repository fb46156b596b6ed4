//! Physical theory of diffraction (PTD): fringe currents of PEC edges, added to physical optics.
//!
//! Physical optics (PO) sets the current of an infinite plane on every illuminated face and zero on the
//! others. Near an edge the true current differs by the *fringe* current. It flows along the faces in the
//! direction of Keller's cone and is integrated here over strips truncated at the end of the face. Per length
//! of edge this yields the equivalent edge currents, equal to incremental length diffraction coefficients
//! (ILDC); P. M. Johansen, "Uniform physical theory of diffraction equivalent edge currents for truncated
//! wedge strips", IEEE Trans. Antennas Propag. 44, 1996; A. Michaeli, "Elimination of infinities in
//! equivalent edge currents, part I", same journal 34, 1986.
//!
//! Modules in order of computation: `outline` finds the edges of a mesh; `wedge` defines their geometry;
//! `fringe` computes the coefficients of an infinite strip, `truncation` those of a truncated strip; `moment`
//! computes the current moment per length of edge; `scatter` sums over edges, including edge waves to the
//! next edge, with shadows and strip ends from `surroundings`. `bends` applies the same method to the small
//! turns of smooth faces, whose sum is the curvature correction. [`Edges`] is the public interface.
//!
//! The time dependence is e^{+jωt}. Fields are normalized to unit wave impedance (H stands for ηH and the
//! current for ηJ).

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
