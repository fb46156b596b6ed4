//! Fuzz target `packet_stream`.

use std::net::{Ipv4Addr, UdpSocket};

use wavefield::bit_source::{Arrival, BitSource, PacketStream};

/// Maximum number of packets per input, which the socket buffer holds.
const MAX: usize = 100;

/// Returns the byte at an offset of the stream.
fn byte(place: u64) -> u8 {
    (place.wrapping_mul(7) ^ (place >> 8)) as u8
}

/// Whatever packets arrive, complete hops hold the bytes of their offsets in the stream.
pub fn packet_stream(bytes: &[u8]) {
    let [words, payload, rest @ ..] = bytes else {
        return;
    };
    let mut words = vec![0; 1 + usize::from(words % 16)];
    let payload = u64::from(payload % 65);
    let here = (Ipv4Addr::LOCALHOST, 0);
    let mut source = PacketStream::listen(here.into()).expect("a socket");
    let sender = UdpSocket::bind(here).expect("a socket");
    sender
        .connect(source.address().expect("an address"))
        .expect("a connection");

    // A byte advances by this number of packets; 128 is followed by an offset, 129 by a packet length.
    let (mut place, mut rest) = (0_u64, rest);
    for _ in 0..MAX {
        let Some((&step, after)) = rest.split_first() else {
            break;
        };
        rest = after;
        let mut length = payload;
        match (step, rest) {
            (128, [a, b, c, d, e, f, g, h, after @ ..]) => {
                place = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
                rest = after;
            }
            (129, [other, after @ ..]) => {
                length = u64::from(*other);
                rest = after;
            }
            _ => {
                let packets = i64::from(step as i8);
                place = place.wrapping_add_signed(packets.wrapping_mul(payload as i64));
            }
        }
        let mut packet = place.to_le_bytes().to_vec();
        packet.extend((0..length).map(|offset| byte(place.wrapping_add(offset))));
        sender.send(&packet).expect("a packet is sent");
    }
    // A packet without payload ends the stream by an error, which takes no time.
    sender.send(&[]).expect("a packet is sent");

    let size = 4 * words.len() as u64;
    let mut next = 0;
    while let Ok(Arrival::Whole { lost }) = source.next_hop(&mut words) {
        let number = next + lost;
        let first = number * size;
        let sent = (first..first + size).map(byte);
        assert!(words.iter().flat_map(|word| word.to_le_bytes()).eq(sent));
        next = number + 1;
    }
}
