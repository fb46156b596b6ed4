//! Layout of a mesh on the GPU: elements per workgroup, and sizes of buffers.

use wavefield_gpu::{Capabilities, DeviceError};

use crate::basis::HIGHEST_ORDER;
use crate::discretization::Discretization;

/// Elements per workgroup for orders 1 to 8: some 240 threads, one per node.
const BATCHES: [usize; HIGHEST_ORDER] = [32, 24, 12, 7, 4, 3, 2, 1];
/// Number of field components: those of E and H.
pub(super) const COMPONENTS: usize = 6;
/// Auxiliary fields per node: P, Q, and their registers.
pub(super) const MEMORIES: usize = 4 * COMPONENTS;
/// PML coefficients per node: c₀, b₁, b₂, α + σ, and α for each direction.
pub(super) const TERMS: usize = 15;
/// Words (32 bits) per face and per element geometry.
pub(super) const FACE: usize = 8;
pub(super) const SHAPE: usize = 16;

/// Layout of a mesh on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Number of nodes of an element.
    pub(super) nodes: usize,
    /// Number of nodes of a face.
    pub(super) on_face: usize,
    /// Number of elements per workgroup.
    pub(super) batch: usize,
    /// Number of elements.
    pub(super) elements: usize,
    /// Index of the first PML element; all that follow are PML elements too.
    pub(super) first_layer: usize,
}

impl Layout {
    /// Lays out a mesh for a GPU.
    ///
    /// # Errors
    /// A buffer exceeds the storage binding limit of the GPU.
    pub(super) fn new(
        capabilities: &Capabilities,
        d: &Discretization,
    ) -> Result<Layout, DeviceError> {
        let (nodes, on_face) = (d.reference.nodes(), d.reference.nodes_on_face());
        let layout = Layout {
            nodes,
            on_face,
            batch: batch(capabilities, d.reference.order(), nodes, on_face),
            elements: d.elements(),
            first_layer: d.first_layer,
        };
        // Kernels index words with 32 bits.
        let limit = capabilities.max_storage_binding.min(4 << 32);
        let layers = layout.layers() * nodes;
        for (what, words) in [
            ("the field buffer", layout.fields()),
            ("the face buffer", 4 * FACE * layout.elements),
            ("the PML memory", MEMORIES * layers),
            ("the PML coefficients", TERMS * layers),
        ] {
            let bytes = 4 * words as u64;
            if bytes > limit {
                return Err(DeviceError::TooLarge { what, bytes, limit });
            }
        }
        Ok(layout)
    }

    /// Returns the length of a field buffer.
    pub(super) fn fields(&self) -> usize {
        COMPONENTS * self.nodes * self.elements
    }

    /// Returns the number of PML elements.
    pub(super) fn layers(&self) -> usize {
        self.elements - self.first_layer
    }

    /// Returns the number of workgroups for a number of elements.
    pub(super) fn workgroups(&self, elements: usize) -> u64 {
        elements.div_ceil(self.batch) as u64
    }
}

/// Returns the number of elements per workgroup, which is smaller on a GPU with small workgroups.
///
/// One element fits any GPU with the default limits of WebGPU.
fn batch(capabilities: &Capabilities, order: usize, nodes: usize, on_face: usize) -> usize {
    // Own fields, and fluxes at the nodes of all faces.
    let bytes = 4 * COMPONENTS * (nodes + 4 * on_face);
    BATCHES[order - 1]
        .min(capabilities.workgroup_memory as usize / bytes)
        .min(capabilities.max_invocations as usize / nodes)
        .max(1)
}

#[cfg(test)]
mod tests {
    use wavefield_gpu::Gpu;
    use wavefield_mesh::primitive::tetrahedral_box;

    use super::*;
    use crate::discretization::PhysicalGroups;

    fn discretization(order: usize) -> Discretization {
        let mesh = tetrahedral_box([1.0; 3], [3; 3], [1; 3]).unwrap();
        Discretization::new(&mesh, order, &PhysicalGroups::vacuum(&mesh)).unwrap()
    }

    fn capabilities() -> Capabilities {
        let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
        gpu.capabilities().clone()
    }

    #[test]
    fn workgroups_shrink_to_what_a_gpu_has() {
        let mut least = capabilities();
        // The default limits of WebGPU.
        (least.workgroup_memory, least.max_invocations) = (16 << 10, 256);
        for order in 1..=HIGHEST_ORDER {
            let layout = Layout::new(&least, &discretization(order)).unwrap();
            let bytes = 24 * (layout.nodes + 4 * layout.on_face) * layout.batch;
            assert!(layout.nodes * layout.batch <= 256 && bytes <= 16 << 10);
            assert!(layout.nodes * layout.batch >= 128, "{layout:?}");
        }
    }

    #[test]
    fn a_mesh_beyond_a_binding_is_refused() {
        let d = discretization(2);
        let mut small = capabilities();
        let memory = 4 * (MEMORIES * 10 * (d.elements() - d.first_layer)) as u64;
        small.max_storage_binding = memory;
        Layout::new(&small, &d).unwrap();
        small.max_storage_binding = memory - 1;
        let told = Layout::new(&small, &d).unwrap_err().to_string();
        assert!(told.contains("the PML memory"), "{told}");
        small.max_storage_binding = 4 * (6 * 10 * d.elements()) as u64 - 1;
        let told = Layout::new(&small, &d).unwrap_err().to_string();
        assert!(told.contains("the field buffer"), "{told}");
    }
}
