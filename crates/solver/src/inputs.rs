//! What a problem refers to and only its caller can reach: files, and the mesh generator.

use wavefield_mesh::gmsh::{Domain, Task, fill, remesh, step_surface};
use wavefield_mesh::{AnyMesh, Contour, Limits, MeshFile, TetrahedralMesh, TriangleMesh, read_any};
use wavefield_numerics::observe::Observer;

use crate::error::Error;
use crate::scene::Geometry;

/// Files named in a problem, and the mesh generator. Solvers open no file and start no program.
pub trait Inputs {
    /// Reads a file; its path is relative to the problem.
    ///
    /// # Errors
    /// It cannot be read.
    fn file(&self, path: &str) -> Result<Vec<u8>, Error>;

    /// Lets Gmsh work on a task.
    ///
    /// # Errors
    /// Gmsh is missing or fails, or the run was stopped.
    fn generate_mesh(&self, task: &Task, observer: &dyn Observer) -> Result<AnyMesh, Error>;
}

impl dyn Inputs + '_ {
    /// Reads a text file.
    ///
    /// # Errors
    /// It cannot be read or is not UTF-8.
    pub fn text(&self, path: &str) -> Result<String, Error> {
        String::from_utf8(self.file(path)?)
            .map_err(|error| Error::input(format!("cannot read {path}: {error}")))
    }

    /// Reads a surface mesh, in meters.
    ///
    /// # Errors
    /// It cannot be read or holds no triangles.
    pub fn surface(&self, file: &MeshFile) -> Result<TriangleMesh, Error> {
        let mut mesh = (self.mesh(&file.file)?.into_surface()).ok_or_else(|| {
            Error::input(format!(
                "{} holds no surface of triangles, which is needed here",
                file.file
            ))
        })?;
        mesh.scale(file.unit.metres());
        Ok(mesh)
    }

    /// Reads the surface of a geometry that is in a file, in meters: remeshed if that is requested, with edges of the given
    /// length. Other geometries have none.
    ///
    /// # Errors
    /// The file cannot be read or meshed, it has no such group, or the run was stopped.
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

    /// Reads a mesh of tetrahedra, in meters.
    ///
    /// # Errors
    /// It cannot be read or holds no tetrahedra.
    pub fn volume(&self, file: &MeshFile) -> Result<TetrahedralMesh, Error> {
        let mut mesh = (self.mesh(&file.file)?.into_volume()).ok_or_else(|| {
            Error::input(format!(
                "{} holds no tetrahedra, which are needed here",
                file.file
            ))
        })?;
        mesh.scale(file.unit.metres());
        Ok(mesh)
    }

    /// Reads curves in the plane, in meters.
    ///
    /// # Errors
    /// It cannot be read or holds no curves.
    pub fn contour(&self, file: &MeshFile) -> Result<Contour, Error> {
        let mut contour = (self.mesh(&file.file)?.into_contour()).ok_or_else(|| {
            Error::input(format!(
                "{} holds no curves in the plane, which are needed here",
                file.file
            ))
        })?;
        contour.scale(file.unit.metres());
        Ok(contour)
    }

    /// Reads a mesh of any kind, in the unit of its file.
    ///
    /// # Errors
    /// It cannot be read.
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

    /// Fills a domain with tetrahedra, and moves interior points until the smallest inradius is as large as it gets.
    ///
    /// # Errors
    /// The domain cannot be meshed, or the run was stopped.
    pub fn tetrahedra(
        &self,
        domain: &Domain,
        observer: &dyn Observer,
    ) -> Result<TetrahedralMesh, Error> {
        let task = fill(domain).map_err(|error| Error::input(error.to_string()))?;
        let mesh = self.generate_mesh(&task, observer)?;
        let mut mesh = (mesh.into_volume())
            .ok_or_else(|| Error::runtime("Gmsh made no tetrahedra for this domain"))?;
        let missing = (domain.volume_names().into_iter())
            .find(|name| !mesh.volume_groups.iter().any(|group| group.name == *name));
        if let Some(name) = missing {
            return Err(Error::runtime(format!(
                "Gmsh made no tetrahedra in the volume {name:?}; is it too thin for the edge lengths?"
            )));
        }
        mesh.raise_smallest_inradius();
        Ok(mesh)
    }

    /// Covers a surface with new triangles of about the given edge length, keeping edges where it bends by more than `crease`
    /// (in radians).
    ///
    /// # Errors
    /// The surface cannot be meshed, or the run was stopped.
    pub fn remeshed(
        &self,
        surface: &TriangleMesh,
        edge: f64,
        crease: f64,
        observer: &dyn Observer,
    ) -> Result<TriangleMesh, Error> {
        let task =
            remesh(surface, edge, crease).map_err(|error| Error::input(error.to_string()))?;
        let mut mesh = outward(self.generate_mesh(&task, observer)?)?;
        // Where a patch is flattened badly Gmsh leaves a few edges up to twice as long.
        mesh.halve_edges_longer_than(MAX_STRETCH * edge);
        Ok(mesh)
    }

    /// Covers the skin of the solids in a STEP file with triangles of about the given edge length, in meters.
    ///
    /// # Errors
    /// The file cannot be meshed, or the run was stopped.
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

/// Edges where a surface bends by more stay edges of its new mesh, radians.
const CREASE: f64 = 0.6;

/// How much longer than requested an edge of a new mesh may be.
const MAX_STRETCH: f64 = 1.35;

/// Returns the surface that Gmsh has made, oriented outward.
fn outward(mesh: AnyMesh) -> Result<TriangleMesh, Error> {
    let AnyMesh::Surface(mut surface) = mesh else {
        return Err(Error::runtime("Gmsh made no triangles for this surface"));
    };
    surface.orient();
    Ok(surface)
}

/// Inputs of a problem that refers to nothing: every file is missing, and there is no mesh generator.
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
