//! Sections of MSH version 4.1.

use std::collections::HashMap;

use super::msh_elements::{Collected, ElementType, unknown_type};
use super::scanner::{Encoding, Scanner};
use super::{ReadError, ReadReport};

/// Physical group of each geometric entity, by dimension and tag.
#[derive(Default)]
pub(super) struct Entities(HashMap<(i64, i64), Physical>);

#[derive(Clone, Copy, Default)]
struct Physical {
    first: i64,
    several: bool,
}

impl Entities {
    pub(super) fn read(
        &mut self,
        scanner: &mut Scanner,
        encoding: Encoding,
    ) -> Result<(), ReadError> {
        self.read_dimensions(scanner, encoding, false)
    }

    pub(super) fn read_partitioned(
        &mut self,
        scanner: &mut Scanner,
        encoding: Encoding,
    ) -> Result<(), ReadError> {
        scanner.size(encoding, "the number of partitions")?;
        let ghosts = scanner.size(encoding, "the number of ghost entities")?;
        for _ in 0..ghosts {
            scanner.int(encoding, "the number of a ghost entity")?;
            scanner.int(encoding, "the partition of a ghost entity")?;
        }
        self.read_dimensions(scanner, encoding, true)
    }

    fn read_dimensions(
        &mut self,
        scanner: &mut Scanner,
        encoding: Encoding,
        partitioned: bool,
    ) -> Result<(), ReadError> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = scanner.size(encoding, "the number of entities")?;
        }
        for (dimension, count) in (0..).zip(counts) {
            for _ in 0..count {
                self.read_entity(scanner, encoding, dimension, partitioned)?;
            }
        }
        Ok(())
    }

    fn read_entity(
        &mut self,
        scanner: &mut Scanner,
        encoding: Encoding,
        dimension: i64,
        partitioned: bool,
    ) -> Result<(), ReadError> {
        let tag = scanner.int(encoding, "the number of an entity")?;
        if partitioned {
            scanner.int(encoding, "the dimension of the parent entity")?;
            scanner.int(encoding, "the number of the parent entity")?;
            skip_numbers(scanner, encoding, "a partition")?;
        }
        // The coordinates of a point, a bounding box for other entities; unused, hence not validated.
        let reals = if dimension == 0 { 3 } else { 6 };
        for _ in 0..reals {
            scanner.real(encoding)?;
        }
        let count = scanner.size(encoding, "the number of physical groups")?;
        let mut physical = Physical::default();
        for position in 0..count {
            let group = scanner.int(encoding, "a physical group")?;
            if position == 0 {
                physical.first = group.saturating_abs();
            }
        }
        physical.several = count > 1;
        if dimension > 0 {
            skip_numbers(scanner, encoding, "a bounding entity")?;
        }
        self.0.insert((dimension, tag), physical);
        Ok(())
    }
}

/// Skips a count and as many integers.
fn skip_numbers(
    scanner: &mut Scanner,
    encoding: Encoding,
    what: &'static str,
) -> Result<(), ReadError> {
    let count = scanner.size(encoding, what)?;
    for _ in 0..count {
        scanner.int(encoding, what)?;
    }
    Ok(())
}

/// Reads the number of blocks and skips total, smallest, and largest tag, which are not relied upon.
fn read_block_count(scanner: &mut Scanner, encoding: Encoding) -> Result<u64, ReadError> {
    let blocks = scanner.size(encoding, "the number of blocks")?;
    scanner.size(encoding, "the total count")?;
    scanner.size(encoding, "the smallest number")?;
    scanner.size(encoding, "the largest number")?;
    Ok(blocks)
}

pub(super) fn read_nodes(
    scanner: &mut Scanner,
    encoding: Encoding,
    collected: &mut Collected,
) -> Result<(), ReadError> {
    let blocks = read_block_count(scanner, encoding)?;
    let mut tags = Vec::new();
    for _ in 0..blocks {
        let dimension = scanner.int(encoding, "the dimension of an entity")?;
        scanner.int(encoding, "the number of an entity")?;
        let parametric = scanner.int(encoding, "0 or 1 for parametric coordinates")?;
        let count = scanner.size(encoding, "the number of points in a block")?;
        tags.clear();
        for _ in 0..count {
            tags.push(scanner.size(encoding, "the number of a point")?);
        }
        let parameters = if parametric == 0 {
            0
        } else {
            dimension.clamp(0, 3)
        };
        for &tag in &tags {
            let place = scanner.place(encoding);
            let mut point = [0.0; 3];
            for coordinate in &mut point {
                *coordinate = scanner.coordinate(encoding)?;
            }
            for _ in 0..parameters {
                scanner.real(encoding)?;
            }
            collected.push_node(tag, point, place)?;
        }
    }
    Ok(())
}

pub(super) fn read_elements(
    scanner: &mut Scanner,
    encoding: Encoding,
    entities: &Entities,
    collected: &mut Collected,
) -> Result<(), ReadError> {
    let blocks = read_block_count(scanner, encoding)?;
    let mut nodes = Vec::new();
    for _ in 0..blocks {
        let place = scanner.place(encoding);
        let dimension = scanner.int(encoding, "the dimension of an entity")?;
        let entity = scanner.int(encoding, "the number of an entity")?;
        let kind = scanner.int(encoding, "the type of a block of elements")?;
        let count = scanner.size(encoding, "the number of elements in a block")?;
        let known = entities.0.get(&(dimension, entity));
        let physical = known.copied().unwrap_or_default();
        let Some(element_type) = ElementType::of(kind) else {
            if encoding != Encoding::Text {
                return Err(unknown_type(kind, place));
            }
            skip_element_lines(scanner, kind, count, &mut collected.report)?;
            continue;
        };
        for _ in 0..count {
            let start = scanner.place(encoding);
            scanner.size(encoding, "the number of an element")?;
            nodes.clear();
            for _ in 0..element_type.nodes {
                nodes.push(scanner.size(encoding, "the number of a point")?);
            }
            let place = match encoding {
                Encoding::Text => scanner.line_place(),
                _ => start,
            };
            collected.push_element(element_type.shape, &nodes, physical.first, place)?;
            collected.report.elements_in_several_groups += usize::from(physical.several);
        }
    }
    Ok(())
}

/// Skips elements of unknown type, one per line.
fn skip_element_lines(
    scanner: &mut Scanner,
    kind: i64,
    count: u64,
    report: &mut ReadReport,
) -> Result<(), ReadError> {
    scanner.line();
    for _ in 0..count {
        scanner.line().ok_or(ReadError::Truncated {
            expected: "an element",
            place: scanner.line_place(),
        })?;
    }
    report.skip(&format!("element of unknown type {kind}"), count);
    Ok(())
}
