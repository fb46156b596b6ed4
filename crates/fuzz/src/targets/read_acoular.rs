//! Fuzz target `read_acoular`.

use wavefield_holography::files;

/// Any bytes are rejected by `read_acoular`, or give a recording of whole samples.
pub fn read_acoular(bytes: &[u8]) {
    if let Ok(recording) = files::read_acoular(bytes, 4096) {
        let values = recording.frames() * recording.channels();
        assert_eq!(recording.samples().len(), values);
    }
}
