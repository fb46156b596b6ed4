//! Sections of MSH version 2.2.

use super::ReadError;
use super::msh_elements::{Collected, ElementType, unknown_type};
use super::scanner::{Encoding, Scanner, parse_int};

pub(super) fn read_nodes(
    scanner: &mut Scanner,
    encoding: Encoding,
    collected: &mut Collected,
) -> Result<(), ReadError> {
    let count = read_count(scanner)?;
    for _ in 0..count {
        let place = scanner.place(encoding);
        let tag = scanner.int(encoding, "the number of a point")?;
        let mut point = [0.0; 3];
        for coordinate in &mut point {
            *coordinate = scanner.coordinate(encoding)?;
        }
        let tag = u64::try_from(tag)
            .map_err(|_| ReadError::unexpected("a positive number", b"a negative one", place))?;
        collected.push_node(tag, point, place)?;
    }
    Ok(())
}

/// Reads lines of element number, type, number of tags, tags, and nodes.
pub(super) fn read_text_elements(
    scanner: &mut Scanner,
    collected: &mut Collected,
) -> Result<(), ReadError> {
    let text = Encoding::Text;
    let count = read_count(scanner)?;
    let mut nodes = Vec::new();
    for _ in 0..count {
        scanner.int(text, "the number of an element")?;
        let kind = scanner.int(text, "the type of an element")?;
        let tags = scanner.int(text, "the number of tags")?;
        let mut physical = 0;
        for position in 0..tags {
            let tag = scanner.int(text, "a tag")?;
            if position == 0 {
                physical = tag;
            }
        }
        let Some(element_type) = ElementType::of(kind) else {
            scanner.line();
            collected
                .report
                .skip(&format!("element of unknown type {kind}"), 1);
            continue;
        };
        read_node_tags(scanner, text, element_type.nodes, &mut nodes)?;
        let place = scanner.line_place();
        collected.push_element(element_type.shape, &nodes, physical.saturating_abs(), place)?;
    }
    Ok(())
}

/// Reads batches of one element type: a header of type, element count, and tag count, then number,
/// tags, and nodes of each element.
pub(super) fn read_binary_elements(
    scanner: &mut Scanner,
    encoding: Encoding,
    collected: &mut Collected,
) -> Result<(), ReadError> {
    let count = read_count(scanner)?;
    let mut read = 0;
    let mut nodes = Vec::new();
    while read < count {
        let place = scanner.place(encoding);
        let kind = scanner.int(encoding, "the type of a batch of elements")?;
        let batch = scanner.int(encoding, "the size of a batch of elements")?;
        let tags = scanner.int(encoding, "the number of tags")?;
        let element_type = ElementType::of(kind).ok_or_else(|| unknown_type(kind, place))?;
        for _ in 0..batch {
            let place = scanner.place(encoding);
            scanner.int(encoding, "the number of an element")?;
            let mut physical = 0;
            for position in 0..tags {
                let tag = scanner.int(encoding, "a tag")?;
                if position == 0 {
                    physical = tag;
                }
            }
            read_node_tags(scanner, encoding, element_type.nodes, &mut nodes)?;
            collected.push_element(element_type.shape, &nodes, physical.saturating_abs(), place)?;
        }
        read += u64::try_from(batch).unwrap_or(0);
    }
    Ok(())
}

/// Reads a count, which is text also in binary files.
fn read_count(scanner: &mut Scanner) -> Result<u64, ReadError> {
    let place = scanner.line_place();
    let line = scanner.line().unwrap_or_default().trim_ascii();
    let count = parse_int(line, "a count", place)?;
    u64::try_from(count).map_err(|_| ReadError::unexpected("a positive count", line, place))
}

fn read_node_tags(
    scanner: &mut Scanner,
    encoding: Encoding,
    count: usize,
    nodes: &mut Vec<u64>,
) -> Result<(), ReadError> {
    nodes.clear();
    for _ in 0..count {
        let tag = scanner.int(encoding, "the number of a point")?;
        // A negative number refers to no point and fails the range check.
        nodes.push(u64::try_from(tag).unwrap_or(u64::MAX));
    }
    Ok(())
}
