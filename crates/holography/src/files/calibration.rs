//! Reader of Acoular's XML calibration format: `<Calib><pos Name="…" factor="…"/>…</Calib>`, pascals per unit of the
//! recording.

use super::error::FileError;
use super::microphones::Elements;

/// Reads the calibration factors of all channels, in channel order.
///
/// # Errors
/// Returns an error if the file is invalid.
pub fn read_calibration(bytes: &[u8]) -> Result<Vec<f64>, FileError> {
    Elements::read(bytes, "the number of calibrated channels", |pos| {
        pos.number("factor")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read_in_order() {
        let text =
            r#"<Calib name="c"><pos Name="a" factor="1.5"/><pos Name="b" factor="-2"/></Calib>"#;
        assert_eq!(read_calibration(text.as_bytes()).unwrap(), [1.5, -2.0]);
        assert!(read_calibration(b"<Calib><pos Name=\"a\"/></Calib>").is_err());
    }
}
