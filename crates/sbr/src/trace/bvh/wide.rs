//! Memory layout of the wide BVH: nodes of eight boxes and leaves of eight triangles in
//! structure-of-arrays form.

use wavefield_numerics::simd::LANES;

use super::bounds::Bounds;
use crate::trace::surface::Surface;

/// Index of a node or a leaf, tagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Child(pub(crate) u32);

impl Child {
    const LEAF: u32 = 1 << 31;

    pub(crate) fn node(number: u32) -> Self {
        Self(number)
    }

    pub(crate) fn leaf(number: u32) -> Self {
        Self(number | Self::LEAF)
    }

    #[inline(always)]
    pub(crate) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// Returns the index among nodes or among leaves.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        (self.0 & !Self::LEAF) as usize
    }
}

/// Eight boxes and their children. Unused slots have empty boxes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct WideNode {
    /// Lower and upper planes: x low, y low, z low, x high, y high, z high.
    pub(crate) planes: [[f32; LANES]; 6],
    pub(crate) children: [Child; LANES],
}

impl WideNode {
    pub(crate) const EMPTY: Self = Self {
        planes: [
            [f32::INFINITY; LANES],
            [f32::INFINITY; LANES],
            [f32::INFINITY; LANES],
            [f32::NEG_INFINITY; LANES],
            [f32::NEG_INFINITY; LANES],
            [f32::NEG_INFINITY; LANES],
        ],
        children: [Child(0); LANES],
    };

    pub(crate) fn set(&mut self, lane: usize, bounds: &Bounds, child: Child) {
        for axis in 0..3 {
            self.planes[axis][lane] = bounds.low[axis];
            self.planes[3 + axis][lane] = bounds.high[axis];
        }
        self.children[lane] = child;
    }
}

/// Up to eight triangles. Unused slots have NaN vertices, which no ray hits.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// Coordinates by vertex, axis, and triangle.
    pub(crate) corners: [[[f64; LANES]; 3]; 3],
    pub(crate) twice_area: [f32; LANES],
    pub(crate) numbers: [u32; LANES],
}

impl TriangleBlock {
    pub(crate) fn new(numbers: &[u32], surface: &Surface) -> Self {
        let mut block = Self {
            corners: [[[f64::NAN; LANES]; 3]; 3],
            twice_area: [0.0; LANES],
            numbers: [u32::MAX; LANES],
        };
        for (lane, &number) in numbers.iter().enumerate() {
            let corners = surface.corners(number);
            for corner in 0..3 {
                for axis in 0..3 {
                    block.corners[corner][axis][lane] = corners[corner][axis];
                }
            }
            block.twice_area[lane] = surface.twice_areas()[number as usize];
            block.numbers[lane] = number;
        }
        block
    }
}
