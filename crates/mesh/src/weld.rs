//! Welding of coincident points, and removal of unused ones.

use std::collections::HashMap;

use crate::{BoundingBox, MeshError};
use wavefield_numerics::vector::{dot, sub};

/// Points indexed in order of first appearance; bitwise identical ones have one index.
#[derive(Default)]
pub(crate) struct ExactWeld {
    pub(crate) points: Vec<[f64; 3]>,
    number_of: HashMap<[u64; 3], u32>,
}

impl ExactWeld {
    pub(crate) fn number(&mut self, point: [f64; 3]) -> u32 {
        // Adding zero turns −0 into +0, which is the same position.
        let point = point.map(|c| c + 0.0);
        *(self.number_of)
            .entry(point.map(f64::to_bits))
            .or_insert_with(|| {
                self.points.push(point);
                (self.points.len() - 1) as u32
            })
    }
}

/// Side of a cube of [`merge_targets`] in tolerances, and the distance to a side within which the neighbor is searched, in
/// sides: twice the tolerance, which covers the rounding of the largest indices.
const SIDE: f64 = 8.0;
const REACH: f64 = 2.0 / SIDE;

/// Returns for each point the earliest retained point within `tolerance`.
///
/// Retained points are hashed into cubes of a few tolerances. Two of them are further apart than the tolerance, so
/// the number in a cube is bounded, and the search is linear in the number of points. Neighbors of the cube are searched
/// where a point is within the tolerance of them.
pub(crate) fn merge_targets(points: &[[f64; 3]], tolerance: f64) -> Result<Vec<u32>, MeshError> {
    let Some(bounds) = BoundingBox::of(points) else {
        return Ok(Vec::new());
    };
    let largest = (bounds.min.iter().chain(&bounds.max)).fold(0.0_f64, |m, c| m.max(c.abs()));
    // Below this, the cube indices are not exact in 53 bits.
    let smallest = largest * f64::EPSILON;
    if !(tolerance > 0.0 && tolerance >= smallest && tolerance.is_finite()) {
        return Err(MeshError::WeldTolerance {
            tolerance,
            smallest,
        });
    }
    const NONE: u32 = u32::MAX;
    let side = SIDE * tolerance;
    let mut newest_in_cube: HashMap<[i64; 3], u32> = HashMap::new();
    let mut older_in_cube = vec![NONE; points.len()];
    let mut target = Vec::with_capacity(points.len());
    for (index, &point) in points.iter().enumerate() {
        let place = point.map(|c| c / side);
        let cube = place.map(|c| c.floor() as i64);
        // Cubes along each axis that a point within the tolerance may lie in.
        let reach = [0, 1, 2].map(|axis: usize| {
            let within = place[axis] - place[axis].floor();
            let low = cube[axis] - i64::from(within <= REACH);
            low..=cube[axis] + i64::from(within >= 1.0 - REACH)
        });
        let mut nearest = None::<(f64, u32)>;
        let [x, y, z] = &reach;
        let keys = (z.clone()).flat_map(|c| y.clone().map(move |b| [b, c]));
        for key in keys.flat_map(|[b, c]| x.clone().map(move |a| [a, b, c])) {
            let mut candidate = newest_in_cube.get(&key).copied().unwrap_or(NONE);
            while candidate != NONE {
                let gap = sub(points[candidate as usize], point);
                let distance = dot(gap, gap).sqrt();
                if distance <= tolerance && nearest.is_none_or(|n| (distance, candidate) < n) {
                    nearest = Some((distance, candidate));
                }
                candidate = older_in_cube[candidate as usize];
            }
        }
        let index = index as u32;
        target.push(nearest.map_or(index, |(_, kept)| kept));
        if nearest.is_none() {
            older_in_cube[index as usize] = newest_in_cube.insert(cube, index).unwrap_or(NONE);
        }
    }
    Ok(target)
}

/// Removes the points that are not in `used`; returns the new index of each old point, or `None` if all were used.
pub(crate) fn drop_unused_points<const D: usize>(
    points: &mut Vec<[f64; D]>,
    used: impl Iterator<Item = u32>,
) -> Option<Vec<u32>> {
    const UNUSED: u32 = u32::MAX;
    let mut new_number = vec![UNUSED; points.len()];
    for index in used {
        new_number[index as usize] = 0;
    }
    let mut next = 0;
    for number in new_number.iter_mut().filter(|n| **n != UNUSED) {
        *number = next;
        next += 1;
    }
    if next as usize == points.len() {
        return None;
    }
    let mut kept = new_number.iter().map(|&n| n != UNUSED);
    points.retain(|_| kept.next().unwrap_or(false));
    Some(new_number)
}
