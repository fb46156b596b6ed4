//! Fuzz target `read_microphones`.

use wavefield_holography::RegularGrid;
use wavefield_holography::files;

/// Any bytes are rejected by `read_microphones`, or give positions, which form a grid or are rejected.
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
