//! Sources of live PDM bitstreams: a file, a pipe, or UDP packets.
//!
//! Files and pipes carry the words of all microphones clock after clock, little-endian, without a header. A packet
//! starts with the offset of its first byte in the stream (8 bytes, little-endian), so that lost packets are detected
//! and counted; all packets of a stream have the same length, which divides a hop.

use std::io::Read;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::Duration;

use wavefield_holography::HopReader;

use wavefield_solver::display_path;

use crate::Error;

/// Bytes of the packet header, the stream offset.
pub const PACKET_HEAD: usize = 8;

/// Maximum packet length, bytes.
const LONGEST_PACKET: usize = 65_507;

/// Upper bound of stream offsets: a million microphones need half a million years to reach it.
const NO_PLACE: u64 = 1 << 62;

/// Silence on the network after which the stream is considered ended.
const SILENCE: Duration = Duration::from_secs(2);

/// Outcome of waiting for a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A complete hop.
    Whole {
        /// Number of hops lost before it.
        lost: u64,
    },
    /// End of the stream.
    End,
}

/// A PDM bitstream, hop by hop.
pub trait BitSource: Send {
    /// Waits for the next complete hop and writes its words.
    ///
    /// # Errors
    /// [`Error::runtime`] if the stream fails.
    fn next_hop(&mut self, words: &mut [u32]) -> Result<Arrival, Error>;
}

/// PDM bitstream from any byte reader: a file, standard input, or a pipe.
#[derive(Debug)]
pub struct ByteStream<R> {
    reader: R,
    name: String,
    bytes: Vec<u8>,
}

impl<R: Read + Send> ByteStream<R> {
    /// Creates the stream of a reader; `name` appears in messages.
    pub fn new(reader: R, name: &str) -> ByteStream<R> {
        ByteStream {
            reader,
            name: name.to_owned(),
            bytes: Vec::new(),
        }
    }
}

impl ByteStream<std::fs::File> {
    /// Opens the stream of a file.
    ///
    /// # Errors
    /// [`Error::input`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = std::fs::File::open(path).map_err(|error| Error::reading(path, &error))?;
        Ok(ByteStream::new(file, &display_path(path)))
    }
}

impl<R: Read + Send> BitSource for ByteStream<R> {
    fn next_hop(&mut self, words: &mut [u32]) -> Result<Arrival, Error> {
        self.bytes.resize(4 * words.len(), 0);
        match self.reader.read_exact(&mut self.bytes) {
            Ok(()) => {
                unpack(&self.bytes, words);
                Ok(Arrival::Whole { lost: 0 })
            }
            // An incomplete hop at the end of the stream is dropped.
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(Arrival::End),
            Err(error) => Err(Error::runtime(format!(
                "cannot read the PDM bitstream from {}: {error}",
                self.name
            ))),
        }
    }
}

/// PDM bitstream from UDP packets.
#[derive(Debug)]
pub struct PacketStream {
    socket: UdpSocket,
    packet: Vec<u8>,
    /// Payload of a packet, bytes; set by the first packet.
    payload: Option<usize>,
    /// Expected offset of the next packet in the stream, bytes.
    expected: u64,
}

impl PacketStream {
    /// Binds a UDP socket to a local address.
    ///
    /// # Errors
    /// [`Error::input`] if the address cannot be bound.
    pub fn listen(address: SocketAddr) -> Result<PacketStream, Error> {
        let failed = |error: std::io::Error| {
            Error::input(format!("cannot bind UDP socket {address}: {error}"))
        };
        let socket = UdpSocket::bind(address).map_err(failed)?;
        socket.set_read_timeout(Some(SILENCE)).map_err(failed)?;
        Ok(PacketStream {
            socket,
            packet: vec![0; LONGEST_PACKET],
            payload: None,
            expected: 0,
        })
    }

    /// Returns the address that packets are to be sent to.
    ///
    /// # Errors
    /// [`Error::runtime`] if the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, Error> {
        let failed = |error| {
            Error::runtime(format!(
                "cannot read the address of the UDP socket: {error}"
            ))
        };
        self.socket.local_addr().map_err(failed)
    }

    /// Receives a packet and returns its offset in the stream; `None` at the end of the stream.
    fn receive(&mut self, hop: usize) -> Result<Option<u64>, Error> {
        let length = match self.socket.recv(&mut self.packet) {
            Ok(length) => length,
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                return Ok(None);
            }
            Err(error) => {
                return Err(Error::runtime(format!("cannot receive packets: {error}")));
            }
        };
        let payload = length.saturating_sub(PACKET_HEAD);
        let known = *self.payload.get_or_insert(payload);
        let mut head = [0; PACKET_HEAD];
        if let Some(first) = self.packet.get(..PACKET_HEAD) {
            head.copy_from_slice(first);
        }
        let place = u64::from_le_bytes(head);
        let whole = payload > 0 && payload.is_multiple_of(4) && hop.is_multiple_of(payload);
        if payload != known || !whole {
            return Err(Error::runtime(format!(
                "invalid packet payload: {payload} bytes after the {PACKET_HEAD}-byte offset; all packets must have the same length, \
                 a multiple of 4 bytes that divides the {hop} bytes of a hop"
            )));
        }
        if place >= NO_PLACE {
            return Err(Error::runtime(format!(
                "packet offset {place} is out of range; send the offset as 8 bytes, \
                 little-endian"
            )));
        }
        if !place.is_multiple_of(payload as u64) {
            return Err(Error::runtime(format!(
                "packet offset {place} is not a multiple of the payload of {payload} bytes"
            )));
        }
        Ok(Some(place))
    }
}

impl BitSource for PacketStream {
    fn next_hop(&mut self, words: &mut [u32]) -> Result<Arrival, Error> {
        let hop = 4 * words.len();
        let size = hop as u64;
        let wanted = self.expected / size;
        let mut filling = wanted;
        loop {
            let Some(place) = self.receive(hop)? else {
                return Ok(Arrival::End);
            };
            // A late packet belongs to a hop that has been dropped.
            if place < self.expected {
                continue;
            }
            if place > self.expected {
                // The current hop has a gap; the next complete hop starts at a hop boundary.
                filling = place.div_ceil(size);
                self.expected = filling * size;
                if place != self.expected {
                    continue;
                }
            }
            let payload = self.payload.unwrap_or(hop);
            let at = (self.expected - filling * size) as usize;
            unpack(
                &self.packet[PACKET_HEAD..PACKET_HEAD + payload],
                &mut words[at / 4..(at + payload) / 4],
            );
            self.expected += payload as u64;
            if at + payload == hop {
                return Ok(Arrival::Whole {
                    lost: filling - wanted,
                });
            }
        }
    }
}

/// Writes the hops of a source into a ring until the stream ends; returns the number of complete hops.
///
/// # Errors
/// [`Error::runtime`] if the stream fails.
pub fn pump(source: &mut dyn BitSource, ring: &mut HopReader, words: usize) -> Result<u64, Error> {
    let mut hop = vec![0; words];
    let mut whole = 0;
    while let Arrival::Whole { lost } = source.next_hop(&mut hop)? {
        if lost > 0 {
            ring.skip(lost);
        }
        ring.put(&hop)?;
        whole += 1;
    }
    Ok(whole)
}

fn unpack(bytes: &[u8], words: &mut [u32]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn bytes(hops: usize) -> Vec<u8> {
        (0..hops * 32).map(|i| (i * 7 + i / 256) as u8).collect()
    }

    fn words_of(hop: usize) -> Vec<u32> {
        let mut words = vec![0; 8];
        unpack(&bytes(hop + 1)[hop * 32..], &mut words);
        words
    }

    #[test]
    fn a_stream_of_bytes_comes_hop_by_hop_and_ends() {
        let mut all = bytes(3);
        all.truncate(80);
        let mut source = ByteStream::new(&all[..], "memory");
        let mut words = vec![0; 8];
        for hop in 0..2 {
            let arrival = source.next_hop(&mut words).unwrap();
            assert_eq!(arrival, Arrival::Whole { lost: 0 });
            assert_eq!(words, words_of(hop));
        }
        assert_eq!(source.next_hop(&mut words).unwrap(), Arrival::End);
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let missing = ByteStream::open(Path::new("no/such.bits"));
        assert!(missing.unwrap_err().to_string().contains("such.bits"));
    }

    /// Returns the outcomes for packets of eight bytes with these numbers; a hop has four packets.
    fn arrivals(packets: &[u64]) -> Vec<(u64, Vec<u32>)> {
        let mut source = PacketStream::listen((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        source
            .socket
            .set_read_timeout(Some(Duration::from_millis(50)))
            .unwrap();
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let all = bytes(8);
        for &number in packets {
            let at = number as usize * 8;
            let mut packet = (8 * number).to_le_bytes().to_vec();
            packet.extend(&all[at..at + 8]);
            sender.send_to(&packet, source.address().unwrap()).unwrap();
        }
        let mut found = Vec::new();
        let mut words = vec![0; 8];
        while let Arrival::Whole { lost } = source.next_hop(&mut words).unwrap() {
            found.push((lost, words.clone()));
        }
        found
    }

    #[test]
    fn packets_make_hops() {
        let all: Vec<u64> = (0..12).collect();
        let wanted: Vec<_> = (0..3).map(|hop| (0, words_of(hop))).collect();
        assert_eq!(arrivals(&all), wanted);
    }

    #[test]
    fn a_hop_with_a_lost_packet_is_counted_and_left_out() {
        // The last packet of hop 1 and the first of hop 3 are lost; one is duplicated, one is late.
        let packets = [
            0, 1, 2, 3, 4, 5, 6, 8, 9, 9, 10, 11, 7, 13, 14, 15, 16, 17, 18, 19,
        ];
        let wanted = vec![(0, words_of(0)), (1, words_of(2)), (1, words_of(4))];
        assert_eq!(arrivals(&packets), wanted);
    }

    #[test]
    fn a_stream_may_be_joined_in_its_middle() {
        assert_eq!(arrivals(&[6, 7, 8, 9, 10, 11]), vec![(2, words_of(2))]);
    }

    /// Returns the error of a packet where a hop has 32 bytes.
    fn refusal(packet: &[u8]) -> String {
        let mut source = PacketStream::listen((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = source.address().unwrap();
        sender.send_to(packet, address).unwrap();
        source.next_hop(&mut [0; 8]).unwrap_err().to_string()
    }

    #[test]
    fn packets_that_make_no_hop_are_refused() {
        // Two bytes divide a hop but are not a whole word.
        for payload in [0, 2, 5] {
            let refused = refusal(&vec![0; PACKET_HEAD + payload]);
            assert!(refused.contains(&format!("{payload} bytes")), "{refused}");
        }
        assert!(refusal(&[]).contains("0 bytes"));
    }

    #[test]
    fn places_beyond_all_streams_are_refused() {
        for place in [NO_PLACE, u64::MAX - 7] {
            let mut packet = place.to_le_bytes().to_vec();
            packet.extend([0; 8]);
            let refused = refusal(&packet);
            assert!(refused.contains("out of range"), "{refused}");
        }
    }

    #[test]
    fn lost_hops_are_missing_behind_the_ring() {
        struct Holes(u64);
        impl BitSource for Holes {
            fn next_hop(&mut self, words: &mut [u32]) -> Result<Arrival, Error> {
                self.0 += 1;
                words.fill(self.0 as u32);
                Ok(match self.0 {
                    1 => Arrival::Whole { lost: 0 },
                    2 => Arrival::Whole { lost: 5 },
                    _ => Arrival::End,
                })
            }
        }
        let (mut reader, mut computer) = wavefield_holography::hop_ring(4, 2).unwrap();
        assert_eq!(pump(&mut Holes(0), &mut reader, 2).unwrap(), 2);
        let mut words = [0; 2];
        assert_eq!(computer.take(&mut words).unwrap().unwrap().missing, 0);
        assert_eq!(computer.take(&mut words).unwrap().unwrap().missing, 5);
        assert_eq!(computer.dropped(), 5);
    }
}
