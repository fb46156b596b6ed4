//! Diffraction by all edges of a mesh: the public interface.

use std::sync::Arc;

use num_complex::Complex64;
use wavefield_mesh::TriangleMesh;

use super::bends;
use super::outline::Outline;
use super::scatter::{Aspect, scattered};
use super::surroundings::MeshSurroundings;
use super::wedge::Wedge;
use crate::error::Error;
use crate::trace::Tracer;
use wavefield_numerics::vector::{along, scaled};

/// Truncation of the fringe currents on the faces of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strips {
    /// Infinite strips: Michaeli's equivalent edge currents (EEC). They are singular, and therefore
    /// truncated, for observation along a face.
    Endless,
    /// Strips truncated at the end of the face.
    OneEdge,
    /// Strips truncated at the end of the face, and the edge wave diffracted there over the faces of the
    /// second edge. A third edge lowers the accuracy: strips on small faces are too short for separate
    /// waves.
    #[default]
    TwoEdges,
}

/// Discretization and truncation of the fringe currents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// Number of edge segments per wavelength; each is illuminated or shadowed as a whole and has one
    /// strip on each face.
    pub pieces_per_wavelength: f64,
    /// Truncation of the strips.
    pub strips: Strips,
    /// Includes the bends of smooth faces, to first order in the curvature.
    pub curvature: bool,
}

impl Default for EdgeOptions {
    fn default() -> Self {
        Self {
            pieces_per_wavelength: 8.0,
            strips: Strips::TwoEdges,
            curvature: true,
        }
    }
}

/// Diffracting edges of a PEC surface.
///
/// ```
/// use std::sync::Arc;
/// use wavefield_mesh::primitive;
/// use wavefield_sbr::{BvhTracer, EdgeOptions, Edges, Surface};
///
/// let mesh = primitive::cuboid([0.3, 0.2, 0.1], 0.05)?;
/// let tracer = BvhTracer::new(Arc::new(Surface::new(&mesh)?));
/// let edges = Edges::new(&mesh, Arc::new(tracer), Edges::SHARP)?;
/// assert_eq!(edges.wedges().len(), 12);
///
/// // Backscatter toward +x at λ = 3 cm, with θ̂ = −ẑ and φ̂ = ŷ.
/// let (k, x, basis) = (209.44, [1.0, 0.0, 0.0], [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
/// let amplitude = edges.scattering(k, x, x, basis, basis, &EdgeOptions::default());
/// assert!(amplitude[0][0].norm() > 1e-4 && amplitude[0][1].norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Edges {
    outline: Outline,
    tracer: Arc<dyn Tracer + Send>,
}

impl std::fmt::Debug for Edges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edges")
            .field("wedges", &self.wedges().len())
            .field("seams", &self.seams())
            .field("ambiguous", &self.ambiguous())
            .finish_non_exhaustive()
    }
}

impl Edges {
    /// Default threshold of the dihedral turn above which an edge is sharp: 20° in radians.
    pub const SHARP: f64 = 20.0 * std::f64::consts::PI / 180.0;

    /// Finds the edges of a mesh. `threshold` is the minimum turn of the normal at a sharp edge, rad;
    /// smaller turns belong to the tessellation of smooth faces. The tracer must hold the same mesh.
    ///
    /// # Errors
    /// Returns an error if the mesh is not valid or the tracer was built from other triangles.
    pub fn new(
        mesh: &TriangleMesh,
        tracer: Arc<dyn Tracer + Send>,
        threshold: f64,
    ) -> Result<Self, Error> {
        mesh.validate()?;
        let surface = tracer.surface();
        let same = surface.count() == mesh.triangles.len()
            && (0..mesh.triangles.len()).all(|t| surface.corners(t as u32) == mesh.corners(t));
        if !same {
            return Err(Error::OtherSurface {
                traced: surface.count(),
                found: mesh.triangles.len(),
            });
        }
        Ok(Self {
            outline: Outline::of(mesh, &*tracer, threshold),
            tracer,
        })
    }

    /// Returns the diffracting edges; collinear neighbors between the same planes are merged.
    #[must_use]
    pub fn wedges(&self) -> &[Wedge] {
        &self.outline.wedges
    }

    /// Returns the number of ambiguous edges, which do not diffract: non-manifold edges and edges whose
    /// faces are inconsistently oriented; [`TriangleMesh::orient`] repairs the latter.
    #[must_use]
    pub fn ambiguous(&self) -> usize {
        self.outline.ambiguous
    }

    /// Returns the number of seams, which do not diffract: boundary edges that touch other triangles
    /// without sharing vertices.
    #[must_use]
    pub fn seams(&self) -> usize {
        self.outline.seams
    }

    /// Returns the amplitude F\[p\]\[q\] in m that the fringe currents of all edges add to physical
    /// optics: E = F E⁰ e^{−jkr}/r, received along `received[p]` for a wave of unit amplitude along
    /// `transmitted[q]`. The phase reference is the origin of coordinates; the time dependence is
    /// e^{+jωt}.
    ///
    /// `wavenumber` is in rad/m. `source` and `observer` are unit vectors away from the body, equal for
    /// backscatter. The result is bitwise identical for any number of threads.
    #[must_use]
    pub fn scattering(
        &self,
        wavenumber: f64,
        source: [f64; 3],
        observer: [f64; 3],
        transmitted: [[f64; 3]; 2],
        received: [[f64; 3]; 2],
        options: &EdgeOptions,
    ) -> [[Complex64; 2]; 2] {
        let surroundings = MeshSurroundings {
            outline: &self.outline,
            tracer: &*self.tracer,
            source,
            observer,
            endless: options.strips == Strips::Endless,
        };
        let aspect = Aspect {
            wavenumber,
            propagation: scaled(source, -1.0),
            observer,
        };
        let edges_in_sequence = match options.strips {
            Strips::Endless | Strips::OneEdge => 1,
            Strips::TwoEdges => 2,
        };
        let fields = transmitted.map(|e| e.map(|c| Complex64::new(c, 0.0)));
        let mut far = scattered(
            &self.outline.wedges,
            &surroundings,
            &aspect,
            fields,
            options.pieces_per_wavelength,
            edges_in_sequence,
        );
        if options.curvature {
            let bends = bends::scattered(
                &surroundings,
                &aspect,
                fields,
                options.pieces_per_wavelength,
            );
            for (sum, add) in far.iter_mut().flatten().zip(bends.iter().flatten()) {
                *sum += add;
            }
        }
        received.map(|p| far.map(|field| along(field, p)))
    }
}
