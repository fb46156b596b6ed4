//! Diffraction by all edges of a mesh: the way in.

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

/// How far the fringe currents of an edge are followed over its faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strips {
    /// As though faces had no end: the classical equivalent edge currents. Infinite, hence cut, where
    /// the observer looks along a face.
    Endless,
    /// To the end of the face.
    OneEdge,
    /// To the end of the face, and as an edge wave diffracted there over the faces of the edge it meets.
    /// Following it to a third edge spoils more than it mends: strips over small faces are too
    /// short for the waves to be apart.
    #[default]
    TwoEdges,
}

/// How finely and how far to follow the fringe currents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeOptions {
    /// Pieces of edge per wavelength; each is lit or not as a whole and has one strip on each face.
    pub pieces_per_wavelength: f64,
    /// Where the currents end.
    pub strips: Strips,
    /// Whether the turns of smooth faces count, to first order in their curvature.
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

/// The diffracting edges of a perfectly conducting surface.
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
/// // Backscatter towards +x at λ = 3 cm, with θ̂ = −ẑ and φ̂ = ŷ.
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
            .field("unclear", &self.unclear())
            .finish_non_exhaustive()
    }
}

impl Edges {
    /// 20° in radians: the turn of the normal above which an edge counts as sharp, unless told otherwise.
    pub const SHARP: f64 = 20.0 * std::f64::consts::PI / 180.0;

    /// Finds the edges of a mesh. `threshold` is in radians; smaller turns belong to the tessellation of
    /// smooth faces. The tracer must hold the same mesh.
    ///
    /// # Errors
    /// If the mesh is not sound, or the tracer has other triangles.
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

    /// The edges that diffract; neighbours on one line between the same planes are one.
    #[must_use]
    pub fn wedges(&self) -> &[Wedge] {
        &self.outline.wedges
    }

    /// Edges of the mesh left out because more than two faces meet or the two disagree about the outside;
    /// [`TriangleMesh::orient`] mends the latter.
    #[must_use]
    pub fn unclear(&self) -> usize {
        self.outline.unclear
    }

    /// Rims of the mesh left out because other triangles come up to them without sharing their points.
    #[must_use]
    pub fn seams(&self) -> usize {
        self.outline.seams
    }

    /// The amplitude F\[p\]\[q\] in metres that the fringe currents of all edges add to physical optics:
    /// E = F E⁰ e^{−jkr}/r, received along `received[p]` for a wave of unit strength along
    /// `transmitted[q]`. Phases are those at the origin of coordinates, time is e^{+jωt}.
    ///
    /// `source` and `observer` are unit vectors away from the body, and equal for backscatter. The bits
    /// are the same for any number of threads.
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
