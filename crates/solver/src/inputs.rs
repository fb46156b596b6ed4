//! Inputs that only the caller can provide: files and the mesh generator.

use wavefield_mesh::gmsh::{Domain, Task, fill, remesh, step_surface};
use wavefield_mesh::{AnyMesh, Contour, Limits, MeshFile, TetrahedralMesh, TriangleMesh, read_any};
use wavefield_numerics::observe::Observer;

use crate::error::Error;
use crate::scene::{Geometry, least_triangles};

/// Access to the files named in a problem, and to the mesh generator. Solvers neither open files nor start programs.
pub trait Inputs {
    /// Reads a file; `path` is relative to the problem file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn file(&self, path: &str) -> Result<Vec<u8>, Error>;

    /// Runs Gmsh on a task.
    ///
    /// # Errors
    /// Gmsh is missing or fails, or the run was canceled.
    fn generate_mesh(&self, task: &Task, observer: &dyn Observer) -> Result<AnyMesh, Error>;

    /// Returns the memory that a run may use, bytes.
    fn memory(&self) -> usize {
        usize::MAX
    }
}

impl dyn Inputs + '_ {
    /// Rejects a problem before anything large is built, because `count` elements of `bytes` each, a lower bound of what
    /// the run needs, exceed the memory. `elements` names them; `remedy` is an imperative.
    ///
    /// # Errors
    /// [`ErrorClass::Input`](crate::ErrorClass::Input) with both numbers and the remedy.
    pub fn require_memory(
        &self,
        count: f64,
        elements: &str,
        bytes: usize,
        remedy: &str,
    ) -> Result<(), Error> {
        let gibibytes = |bytes: f64| bytes / f64::from(1 << 30);
        let (needed, available) = (count * bytes as f64, self.memory() as f64);
        // Written so that NaN is refused.
        if needed <= available {
            return Ok(());
        }
        Err(Error::input(format!(
            "insufficient memory: at least {count:.1e} {elements} need more than {:.1e} GiB, {:.1} GiB available; {remedy}",
            gibibytes(needed),
            gibibytes(available)
        )))
    }

    /// Reads a text file.
    ///
    /// # Errors
    /// The file cannot be read or is not UTF-8.
    pub fn text(&self, path: &str) -> Result<String, Error> {
        String::from_utf8(self.file(path)?)
            .map_err(|error| Error::input(format!("cannot read {path}: {error}")))
    }

    /// Reads a surface mesh, scaled to meters.
    ///
    /// # Errors
    /// The file cannot be read or contains no triangles.
    pub fn surface(&self, file: &MeshFile) -> Result<TriangleMesh, Error> {
        let mut mesh = (self.mesh(&file.file)?.into_surface()).ok_or_else(|| {
            Error::input(format!(
                "{} contains no triangles; provide a surface mesh",
                file.file
            ))
        })?;
        mesh.scale(file.unit.meters());
        Ok(mesh)
    }

    /// Reads the surface of a geometry that is stored in a file, scaled to meters and remeshed with edge length `edge`
    /// if requested. Returns `None` for other geometries.
    ///
    /// # Errors
    /// The file cannot be read or meshed, the group does not exist, or the run was canceled.
    pub fn geometry(
        &self,
        geometry: &Geometry,
        edge: f64,
        observer: &dyn Observer,
    ) -> Result<Option<TriangleMesh>, Error> {
        match geometry {
            Geometry::Mesh(mesh) => {
                let mut surface = self.surface(&mesh.mesh_file())?;
                if let Some(group) = &mesh.group {
                    let names: Vec<&str> = surface.groups.iter().map(|g| g.name.as_str()).collect();
                    let missing = || {
                        let message =
                            format!("{} has no group {group:?}; it has {names:?}", mesh.file);
                        Error::input(message).at("bodies.0.geometry.group")
                    };
                    surface = surface.part(group).ok_or_else(missing)?;
                }
                if mesh.remesh {
                    surface = self.remeshed(&surface, edge, CREASE, observer)?;
                }
                Ok(Some(surface))
            }
            Geometry::Step(step) => {
                let file = self.file(&step.file)?;
                self.step_surface(&file, edge, observer).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Reads a tetrahedral mesh, scaled to meters.
    ///
    /// # Errors
    /// The file cannot be read or contains no tetrahedra.
    pub fn volume(&self, file: &MeshFile) -> Result<TetrahedralMesh, Error> {
        let mut mesh = (self.mesh(&file.file)?.into_volume()).ok_or_else(|| {
            Error::input(format!(
                "{} contains no tetrahedra; provide a volume mesh",
                file.file
            ))
        })?;
        mesh.scale(file.unit.meters());
        Ok(mesh)
    }

    /// Reads plane curves, scaled to meters.
    ///
    /// # Errors
    /// The file cannot be read or contains no curves.
    pub fn contour(&self, file: &MeshFile) -> Result<Contour, Error> {
        let mut contour = (self.mesh(&file.file)?.into_contour()).ok_or_else(|| {
            Error::input(format!(
                "{} contains no plane curves; provide a contour of line elements",
                file.file
            ))
        })?;
        contour.scale(file.unit.meters());
        Ok(contour)
    }

    /// Reads a mesh of any kind, in the unit of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn mesh(&self, path: &str) -> Result<AnyMesh, Error> {
        let bytes = self.file(path)?;
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let loaded = read_any(name, &bytes, &Limits::default())
            .map_err(|error| Error::input(format!("{path}: {error}")))?;
        if loaded.report.is_complete() {
            tracing::info!("{path}: {}", loaded.report);
        } else {
            tracing::warn!("{path}: {}", loaded.report);
        }
        Ok(loaded.mesh)
    }

    /// Meshes a domain with tetrahedra, and relocates interior points to maximize the smallest inradius, which limits
    /// the CFL time step.
    ///
    /// # Errors
    /// The domain cannot be meshed, or the run was canceled.
    pub fn tetrahedra(
        &self,
        domain: &Domain,
        observer: &dyn Observer,
    ) -> Result<TetrahedralMesh, Error> {
        let task = fill(domain).map_err(|error| Error::input(error.to_string()))?;
        let mesh = self.generate_mesh(&task, observer)?;
        let mut mesh = (mesh.into_volume())
            .ok_or_else(|| Error::runtime("Gmsh generated no tetrahedra for the domain"))?;
        let missing = (domain.volume_names().into_iter())
            .find(|name| !mesh.volume_groups.iter().any(|group| group.name == *name));
        if let Some(name) = missing {
            return Err(Error::runtime(format!(
                "Gmsh generated no tetrahedra in the volume {name:?}; reduce the mesh size there"
            )));
        }
        mesh.raise_smallest_inradius();
        Ok(mesh)
    }

    /// Remeshes a surface with triangles of edge length `edge`, preserving creases sharper than `crease` (radians).
    ///
    /// # Errors
    /// The surface cannot be meshed, or the run was canceled.
    pub fn remeshed(
        &self,
        surface: &TriangleMesh,
        edge: f64,
        crease: f64,
        observer: &dyn Observer,
    ) -> Result<TriangleMesh, Error> {
        let count = least_triangles(surface.area(), edge);
        self.require_memory(count, "triangles", BYTES_PER_TRIANGLE, FEWER_TRIANGLES)?;
        tracing::info!("remeshing the surface with about {count:.1e} triangles");
        let task =
            remesh(surface, edge, crease).map_err(|error| Error::input(error.to_string()))?;
        let mut mesh = outward(self.generate_mesh(&task, observer)?)?;
        // Gmsh leaves a few edges up to twice as long where the parametrization of a patch is distorted.
        mesh.halve_edges_longer_than(MAX_STRETCH * edge);
        Ok(mesh)
    }

    /// Meshes the boundary of the solids in a STEP file with triangles of edge length `edge` (meters).
    ///
    /// # Errors
    /// The file cannot be meshed, or the run was canceled.
    pub fn step_surface(
        &self,
        step: &[u8],
        edge: f64,
        observer: &dyn Observer,
    ) -> Result<TriangleMesh, Error> {
        let task = step_surface(step, edge).map_err(|error| Error::input(error.to_string()))?;
        outward(self.generate_mesh(&task, observer)?)
    }
}

/// Memory of a triangle of a mesh that Gmsh makes, in its file and in memory, bytes.
const BYTES_PER_TRIANGLE: usize = 300;

/// Remedy for a mesh that does not fit into memory.
pub const FEWER_TRIANGLES: &str =
    "increase `mesh_size`, or check `frequency` and the unit of the geometry";

/// Dihedral angle above which an edge is preserved as a crease, in radians.
const CREASE: f64 = 0.6;

/// Longest edge of a new mesh relative to the requested length.
const MAX_STRETCH: f64 = 1.35;

/// Returns the surface generated by Gmsh, oriented outward.
fn outward(mesh: AnyMesh) -> Result<TriangleMesh, Error> {
    let AnyMesh::Surface(mut surface) = mesh else {
        return Err(Error::runtime("Gmsh generated no triangles"));
    };
    surface.orient();
    Ok(surface)
}

/// [`Inputs`] without files and without a mesh generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInputs;

impl Inputs for NoInputs {
    fn file(&self, path: &str) -> Result<Vec<u8>, Error> {
        Err(Error::input(format!(
            "cannot read {path}: no files are available"
        )))
    }

    fn generate_mesh(&self, _: &Task, _: &dyn Observer) -> Result<AnyMesh, Error> {
        Err(Error::runtime("no mesh generator is available"))
    }
}
