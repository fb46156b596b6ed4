//! Fuzz target `read_acoular`.

use wavefield_holography::files;

/// Whatever the bytes, `read_acoular` either refuses them or returns a recording of whole samples.
pub fn read_acoular(bytes: &[u8]) {
    if let Ok(recording) = files::read_acoular(bytes, 4096) {
        let values = recording.frames() * recording.channels();
        assert_eq!(recording.samples().len(), values);
    }
}
