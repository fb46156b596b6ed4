//! Reader of Acoular's XML microphone geometry: `<MicArray><pos Name="…" x="…" y="…" z="…"/>…</MicArray>`, in meters.

use super::MAX_CHANNELS;
use super::error::{FileError, within};

/// Position of a microphone.
#[derive(Clone, Debug, PartialEq)]
pub struct MicrophonePlace {
    /// Name; empty if the file has none.
    pub name: String,
    /// Coordinates, m.
    pub position: [f64; 3],
}

/// Reads the microphone positions, in the channel order of the recording.
///
/// # Errors
/// Returns an error if the file is invalid.
pub fn read_microphones(bytes: &[u8]) -> Result<Vec<MicrophonePlace>, FileError> {
    Elements::read(bytes, "the number of microphones", |pos| {
        Ok(MicrophonePlace {
            name: pos.name(),
            position: [pos.number("x")?, pos.number("y")?, pos.number("z")?],
        })
    })
}

/// The `pos` elements of an Acoular XML file.
pub(super) struct Elements<'a> {
    node: roxmltree::Node<'a, 'a>,
}

impl Elements<'_> {
    /// Applies `read` to every `pos` element.
    pub(super) fn read<T>(
        bytes: &[u8],
        what: &'static str,
        read: impl Fn(&Elements<'_>) -> Result<T, FileError>,
    ) -> Result<Vec<T>, FileError> {
        let failed = |message: String| FileError::Xml { message };
        let text = std::str::from_utf8(bytes).map_err(|error| failed(error.to_string()))?;
        // A byte order mark has no meaning in UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document =
            roxmltree::Document::parse(text).map_err(|error| failed(error.to_string()))?;
        let positions: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("pos"))
            .collect();
        within(what, positions.len() as f64, 1.0, MAX_CHANNELS as f64)?;
        positions
            .into_iter()
            .map(|node| read(&Elements { node }))
            .collect()
    }

    fn name(&self) -> String {
        let name = self.node.attribute("Name");
        name.unwrap_or_default().to_owned()
    }

    pub(super) fn number(&self, attribute: &'static str) -> Result<f64, FileError> {
        let text = self.node.attribute(attribute).unwrap_or_default();
        let number = text.trim().parse::<f64>().ok();
        number
            .filter(|value| value.is_finite())
            .ok_or_else(|| FileError::Attribute {
                line: self
                    .node
                    .document()
                    .text_pos_at(self.node.range().start)
                    .row,
                element: "pos",
                attribute,
                found: text.chars().take(40).collect(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_in_order() {
        let text = r#"<?xml version="1.0" encoding="utf-8"?>
            <MicArray name="two">
              <pos Name="Point 1" x="0.1" y=" -2e-1 " z="0"/>
              <pos x="0.2" y="0" z="0"></pos>
            </MicArray>"#;
        let places = read_microphones(text.as_bytes()).unwrap();
        assert_eq!(places.len(), 2);
        assert_eq!(places[0].name, "Point 1");
        assert_eq!(places[0].position, [0.1, -0.2, 0.0]);
        assert_eq!(places[1].position, [0.2, 0.0, 0.0]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let text = "<MicArray>\n<pos x=\"0.1\" y=\"wide\" z=\"0\"/>\n</MicArray>";
        let error = read_microphones(text.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: attribute `y` of `pos` must be a number, not `wide`"
        );
        for bad in [
            "<MicArray/>",
            "<pos x=\"1\"",
            "",
            "<pos x=\"1\" y=\"inf\" z=\"0\"/>",
        ] {
            assert!(read_microphones(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(read_microphones(b"\xff\xfe<").is_err());
    }
}
