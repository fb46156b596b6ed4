//! Topology of surfaces: edges, wedges, connected components, orientation, and a summary.
//!
//! All algorithms use sorting and arrays, so that ten million triangles take seconds.

mod components;
mod edges;
mod inspection;
mod orientation;
mod wedges;

pub use components::Components;
pub use edges::{Edge, Edges, HalfEdge};
pub use inspection::Inspection;
pub use orientation::Orientation;
pub use wedges::{SharpEdges, Wedge, WedgeShape};
