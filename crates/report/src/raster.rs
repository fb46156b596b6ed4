//! Raster images inside a drawing: an indexed PNG in a data URL.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::color::Rgb;
use super::text::coordinate;

/// Cells from left to right and from top to bottom; each is empty or a color index.
pub(super) struct Raster {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) cells: Vec<Option<u8>>,
}

impl Raster {
    /// Returns the image stretched between two corners; empty without cells.
    pub(super) fn image(&self, colors: &[Rgb], from: (f64, f64), to: (f64, f64)) -> String {
        let Ok(bytes) = self.png(colors) else {
            return String::new();
        };
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        // Cells larger than a screen pixel keep their edges; smaller ones are interpolated.
        let large = width >= self.width as f64 && height >= self.height as f64;
        format!(
            "<image{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             href=\"data:image/png;base64,{}\"/>\n",
            if large { " class=\"wf-cells\"" } else { "" },
            coordinate(from.0),
            coordinate(from.1),
            coordinate(width),
            coordinate(height),
            STANDARD.encode(bytes)
        )
    }

    /// Color 0 of the file is transparent.
    fn png(&self, colors: &[Rgb]) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let (width, height) = (self.width as u32, self.height as u32);
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette([&[[0; 3]], colors].concat().concat());
        encoder.set_trns(vec![0]);
        let indices: Vec<u8> = self
            .cells
            .iter()
            .map(|cell| cell.map_or(0, |color| color + 1))
            .collect();
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&indices)?;
        writer.finish()?;
        Ok(bytes)
    }
}
