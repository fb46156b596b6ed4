//! How a mesh is laid out on a card: elements of a workgroup, and sizes of arrays.

use wavefield_gpu::{Capabilities, DeviceError};

use crate::basis::HIGHEST_ORDER;
use crate::discretisation::Discretisation;

/// Elements of a workgroup for the orders from one on: some 240 threads, each with a node of its own.
const BATCHES: [usize; HIGHEST_ORDER] = [32, 24, 12, 7, 4, 3, 2, 1];
/// Components of E and H.
pub(super) const COMPONENTS: usize = 6;
/// P, Q and their registers.
pub(super) const MEMORIES: usize = 4 * COMPONENTS;
/// c₀, b₁, b₂, α and α + σ, for each direction.
pub(super) const TERMS: usize = 15;
/// Words of a face and of a shape.
pub(super) const FACE: usize = 8;
pub(super) const SHAPE: usize = 16;

/// Sizes of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Nodes of an element.
    pub(super) nodes: usize,
    /// Nodes of a face.
    pub(super) on_face: usize,
    /// Elements of a workgroup.
    pub(super) batch: usize,
    /// Elements in all.
    pub(super) elements: usize,
    /// Elements from this one on are absorbing layers.
    pub(super) first_layer: usize,
}

impl Layout {
    /// The layout of a mesh on a card.
    ///
    /// # Errors
    /// An array is longer than a kernel of this card can see.
    pub(super) fn new(
        capabilities: &Capabilities,
        d: &Discretisation,
    ) -> Result<Layout, DeviceError> {
        let (nodes, on_face) = (d.reference.nodes(), d.reference.nodes_on_face());
        let layout = Layout {
            nodes,
            on_face,
            batch: batch(capabilities, d.reference.order(), nodes, on_face),
            elements: d.elements(),
            first_layer: d.first_layer,
        };
        // Kernels count words in 32 bits.
        let limit = capabilities.max_storage_binding.min(4 << 32);
        let layers = layout.layers() * nodes;
        for (what, words) in [
            ("the fields of a mesh", layout.fields()),
            ("the faces of a mesh", 4 * FACE * layout.elements),
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

    /// Numbers in an array of fields.
    pub(super) fn fields(&self) -> usize {
        COMPONENTS * self.nodes * self.elements
    }

    /// Elements of layers.
    pub(super) fn layers(&self) -> usize {
        self.elements - self.first_layer
    }

    /// Workgroups for a number of elements.
    pub(super) fn workgroups(&self, elements: usize) -> u64 {
        elements.div_ceil(self.batch) as u64
    }
}

/// Elements of a workgroup: as many as the order asks for, fewer on a card with small workgroups.
///
/// One element fits every card that keeps the least limits of WebGPU.
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
    use crate::discretisation::Meaning;

    fn discretisation(order: usize) -> Discretisation {
        let mesh = tetrahedral_box([1.0; 3], [3; 3], [1; 3]).unwrap();
        Discretisation::new(&mesh, order, &Meaning::vacuum(&mesh)).unwrap()
    }

    fn capabilities() -> Capabilities {
        let gpu = Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers");
        gpu.capabilities().clone()
    }

    #[test]
    fn workgroups_shrink_to_what_a_card_has() {
        let mut least = capabilities();
        // The least that WebGPU promises.
        (least.workgroup_memory, least.max_invocations) = (16 << 10, 256);
        for order in 1..=HIGHEST_ORDER {
            let layout = Layout::new(&least, &discretisation(order)).unwrap();
            let bytes = 24 * (layout.nodes + 4 * layout.on_face) * layout.batch;
            assert!(layout.nodes * layout.batch <= 256 && bytes <= 16 << 10);
            assert!(layout.nodes * layout.batch >= 128, "{layout:?}");
        }
    }

    #[test]
    fn a_mesh_beyond_a_binding_is_refused() {
        let d = discretisation(2);
        let mut small = capabilities();
        let memory = 4 * (MEMORIES * 10 * (d.elements() - d.first_layer)) as u64;
        small.max_storage_binding = memory;
        Layout::new(&small, &d).unwrap();
        small.max_storage_binding = memory - 1;
        let told = Layout::new(&small, &d).unwrap_err().to_string();
        assert!(told.contains("the PML memory"), "{told}");
        small.max_storage_binding = 4 * (6 * 10 * d.elements()) as u64 - 1;
        let told = Layout::new(&small, &d).unwrap_err().to_string();
        assert!(told.contains("the fields of a mesh"), "{told}");
    }
}
