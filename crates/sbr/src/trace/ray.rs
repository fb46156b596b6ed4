//! Rays, grids of parallel rays, and hits.

/// A ray: the points `origin` + t · `direction` with t ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: [f64; 3],
    /// Where it goes; distances are counted in lengths of this vector, in metres if it has length one.
    pub direction: [f64; 3],
    /// The triangle it leaves and cannot hit, or [`Ray::FREE`].
    pub leaves: u32,
}

impl Ray {
    /// Of a ray that does not start on the surface.
    pub const FREE: u32 = u32::MAX;

    /// A ray that does not start on the surface.
    #[must_use]
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Self {
        Self {
            origin,
            direction,
            leaves: Self::FREE,
        }
    }

    /// The point at a distance.
    #[must_use]
    pub fn at(&self, distance: f64) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + distance * self.direction[axis])
    }
}

/// Where a ray meets the surface first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The distance from the origin, in lengths of the ray's direction; infinite for a miss. The back
    /// of a triangle counts 10⁻¹² further away, relative, so that at the silhouette the front is hit.
    pub distance: f64,
    /// Weight of the triangle's second corner: the point is (1 − u − v)·a + u·b + v·c.
    pub u: f64,
    /// Weight of the triangle's third corner.
    pub v: f64,
    /// Number of the triangle in the mesh, or `u32::MAX` for a miss.
    pub triangle: u32,
}

impl Hit {
    /// The ray meets nothing.
    pub const MISS: Self = Self {
        distance: f64::INFINITY,
        u: 0.0,
        v: 0.0,
        triangle: u32::MAX,
    };

    /// Whether the ray meets nothing.
    #[must_use]
    pub fn is_miss(&self) -> bool {
        self.triangle == u32::MAX
    }

    /// Whether this hit comes before another: nearer, or as near on a triangle of smaller number.
    ///
    /// A point on the edge of two triangles is a hit of both; this order makes every tracer choose the
    /// same one.
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.distance < other.distance
            || (self.distance == other.distance && self.triangle < other.triangle)
    }
}

/// The parallel rays of a plane wave, one through each node of a regular grid.
///
/// Node (column i, row j) is ray number j · `columns` + i, with origin
/// (`origin` + j · `row_step`) + i · `column_step`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayGrid {
    /// Origin of the ray of column 0 and row 0.
    pub origin: [f64; 3],
    /// From a column to the next.
    pub column_step: [f64; 3],
    /// From a row to the next.
    pub row_step: [f64; 3],
    /// Direction of every ray.
    pub direction: [f64; 3],
    /// Rays in a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

impl RayGrid {
    /// How many rays there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// The ray of a node.
    #[must_use]
    pub fn ray(&self, column: usize, row: usize) -> Ray {
        let (i, j) = (column as f64, row as f64);
        let origin = [0, 1, 2]
            .map(|axis| (self.origin[axis] + j * self.row_step[axis]) + i * self.column_step[axis]);
        Ray::new(origin, self.direction)
    }
}
