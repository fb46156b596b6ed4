//! Fuzz target `bit_stream`.

use wavefield::bit_source::{Arrival, BitSource, ByteStream};

/// Any bytes give every complete hop of the PDM bitstream and nothing else.
pub fn bit_stream(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    let mut words = vec![0; 1 + usize::from(first)];
    let mut source = ByteStream::new(bytes, "memory");
    let mut hops = bytes.chunks_exact(4 * words.len());
    while source.next_hop(&mut words).expect("memory does not break") != Arrival::End {
        let hop = hops.next().expect("no more hops than bytes");
        assert!(
            words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .eq(hop.iter().copied())
        );
    }
    assert!(hops.next().is_none());
}
