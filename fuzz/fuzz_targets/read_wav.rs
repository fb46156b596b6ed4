//! Whatever the bytes, `read_wav` either refuses them or returns a recording of whole samples.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_holography::files::read_wav;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(recording) = read_wav(bytes, 4096) {
        let values = recording.frames() * recording.channels();
        assert_eq!(recording.samples().len(), values);
        assert!(values <= bytes.len());
        // Samples may be no numbers; then no amplitude comes of them.
        if let Ok(amplitudes) = recording.amplitudes(0, 64, 5) {
            assert!(amplitudes.iter().all(|a| a.is_finite()));
        }
    }
});
