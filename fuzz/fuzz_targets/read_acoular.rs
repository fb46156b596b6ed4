//! Whatever the bytes, `read_acoular` either refuses them or returns a recording of whole samples.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_holography::files::read_acoular;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(recording) = read_acoular(bytes, 4096) {
        let values = recording.frames() * recording.channels();
        assert_eq!(recording.samples().len(), values);
    }
});
