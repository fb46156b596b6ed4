//! Fuzz target `read_microphones`.

use wavefield_holography::RegularGrid;
use wavefield_holography::files;

/// Whatever the bytes, `read_microphones` either refuses them or returns places, and these are a grid or refused.
pub fn read_microphones(bytes: &[u8]) {
    if let Ok(places) = files::read_microphones(bytes)
        && let Ok(grid) = RegularGrid::new(&places)
    {
        assert_eq!(grid.array.channels(), places.len());
        let mut channels = grid.channels;
        channels.sort_unstable();
        assert!(channels.into_iter().eq(0..places.len()));
    }
}
