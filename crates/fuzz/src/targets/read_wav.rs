//! Fuzz target `read_wav`.

use wavefield_holography::files;

/// Any bytes are rejected by `read_wav`, or give a recording of whole samples.
pub fn read_wav(bytes: &[u8]) {
    if let Ok(recording) = files::read_wav(bytes, 4096) {
        let values = recording.frames() * recording.channels();
        assert_eq!(recording.samples().len(), values);
        assert!(values <= bytes.len());
        // Samples may be NaN; then amplitudes are not evaluated.
        if let Ok(amplitudes) = recording.amplitudes(0, 64, 5) {
            assert!(amplitudes.iter().all(|a| a.is_finite()));
        }
    }
}
