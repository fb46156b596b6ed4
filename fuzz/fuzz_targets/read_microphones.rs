//! Whatever the bytes, `read_microphones` either refuses them or returns places, and these are a grid or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_holography::RegularGrid;
use wavefield_holography::files::read_microphones;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(places) = read_microphones(bytes) {
        if let Ok(grid) = RegularGrid::new(&places) {
            assert_eq!(grid.array.channels(), places.len());
            let mut channels = grid.channels;
            channels.sort_unstable();
            assert!(channels.into_iter().eq(0..places.len()));
        }
    }
});
