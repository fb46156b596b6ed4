//! Rays, grids of parallel rays, and hits.

/// Ray: the points `origin` + t · `direction` with t ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Origin.
    pub origin: [f64; 3],
    /// Direction; distances are in lengths of this vector, hence in m for a unit vector.
    pub direction: [f64; 3],
    /// Index of the triangle it leaves and cannot hit, or [`Ray::FREE`].
    pub leaves: u32,
}

impl Ray {
    /// Value of `leaves` for a ray that does not start on the surface.
    pub const FREE: u32 = u32::MAX;

    /// Creates a ray that does not start on the surface.
    #[must_use]
    pub fn new(origin: [f64; 3], direction: [f64; 3]) -> Self {
        Self {
            origin,
            direction,
            leaves: Self::FREE,
        }
    }

    /// Returns the point at a distance.
    #[must_use]
    pub fn at(&self, distance: f64) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + distance * self.direction[axis])
    }
}

/// Nearest hit of a ray on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the origin, in lengths of the ray's direction; infinite for a miss. The distance
    /// to back faces is increased by a relative 10⁻¹², which selects the front face at silhouette
    /// edges.
    pub distance: f64,
    /// Barycentric weight of the triangle's second vertex: the point is (1 − u − v)·a + u·b + v·c.
    pub u: f64,
    /// Barycentric weight of the triangle's third vertex.
    pub v: f64,
    /// Index of the triangle in the mesh, or `u32::MAX` for a miss.
    pub triangle: u32,
}

impl Hit {
    /// Result of a ray without a hit.
    pub const MISS: Self = Self {
        distance: f64::INFINITY,
        u: 0.0,
        v: 0.0,
        triangle: u32::MAX,
    };

    /// Returns whether the ray misses the surface.
    #[must_use]
    pub fn is_miss(&self) -> bool {
        self.triangle == u32::MAX
    }

    /// Returns whether this hit precedes another: at a smaller distance, or at the same distance on a
    /// triangle of smaller index.
    ///
    /// A point on the edge of two triangles is a hit of both; this order makes all tracers select the
    /// same one.
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.distance < other.distance
            || (self.distance == other.distance && self.triangle < other.triangle)
    }
}

/// Parallel rays of a plane wave, one through each node of a regular grid.
///
/// Node (column i, row j) has the ray index j · `columns` + i and the origin (`origin` + j ·
/// `row_step`) + i · `column_step`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayGrid {
    /// Origin of the ray in column 0 and row 0.
    pub origin: [f64; 3],
    /// Step from one column to the next.
    pub column_step: [f64; 3],
    /// Step from one row to the next.
    pub row_step: [f64; 3],
    /// Common direction of the rays.
    pub direction: [f64; 3],
    /// Number of rays in a row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

impl RayGrid {
    /// Returns the number of rays.
    #[must_use]
    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    /// Returns the ray of a node.
    #[must_use]
    pub fn ray(&self, column: usize, row: usize) -> Ray {
        let (i, j) = (column as f64, row as f64);
        let origin = [0, 1, 2]
            .map(|axis| (self.origin[axis] + j * self.row_step[axis]) + i * self.column_step[axis]);
        Ray::new(origin, self.direction)
    }
}
