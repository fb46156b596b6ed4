//! Live view: loopback access only, streamed pictures, and requests of the page.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use wavefield::ErrorClass;
use wavefield::holography::{Files, Spec};
use wavefield::live::{Options, serve};
use wavefield_numerics::observe::Cancel;

const PROBLEM: &str = r#"
    frequency = ["1 kHz", "2.5 kHz"]
    hologram_z = "5 cm"
    reconstruction_z = "1 cm"
    frame = 256
    array = { rows = 16, columns = 16, pitch = "2 cm" }
    border = { padding = "edge" }
    [measurement]
    kind = "simulated"
    sources = [
        { kind = "monopole", center = ["-6 cm", "4 cm"], volume_velocity = 2e-4 },
        { kind = "monopole", center = ["7 cm", "-5 cm"], volume_velocity = 2e-4 },
    ]
"#;

fn spec() -> Spec {
    toml::from_str(PROBLEM).unwrap()
}

/// Serves a problem while `look` runs.
fn served(spec: &Spec, bits: Option<&[u8]>, once: bool, look: impl FnOnce(SocketAddr)) {
    let stop = Cancel::new();
    let files = Files {
        sound: bits,
        ..Files::default()
    };
    let options = Options {
        port: 0,
        title: "Two small sources".to_owned(),
        once,
    };
    let (ready, address) = mpsc::channel();
    std::thread::scope(|threads| {
        let serving = threads.spawn(|| {
            serve(spec, &files, &options, &stop, &mut |address| {
                ready.send(address).unwrap();
            })
        });
        let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            look(address.recv_timeout(Duration::from_secs(60)).unwrap());
        }));
        if !once {
            stop.request();
        }
        serving.join().unwrap().unwrap();
        looked.unwrap();
    });
}

/// Returns the response as received.
fn answer(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    // The server closes after its response, possibly before it has read everything.
    let _ = stream.read_to_string(&mut text);
    text
}

fn socket(address: SocketAddr) -> WebSocket<TcpStream> {
    let mut request = format!("ws://{address}/socket")
        .into_client_request()
        .unwrap();
    let origin = format!("http://{address}").parse().unwrap();
    request.headers_mut().insert("Origin", origin);
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    tungstenite::client(request, stream).unwrap().0
}

#[derive(Debug)]
struct Picture {
    number: u32,
    frequency: u32,
    plane: f32,
    highest: f32,
    levels: Vec<f32>,
}

fn picture(socket: &mut WebSocket<TcpStream>) -> Picture {
    loop {
        if let Message::Binary(bytes) = socket.read().unwrap() {
            let words: Vec<u32> = bytes
                .chunks_exact(4)
                .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .collect();
            assert_eq!(words[0], u32::from_le_bytes(*b"WFP1"));
            assert_eq!((words[3], words[4]), (16, 16));
            assert_eq!(words.len(), 10 + 256);
            wish(socket, r#"{"seen": 1}"#);
            return Picture {
                number: words[1],
                frequency: words[2],
                highest: f32::from_bits(words[5]),
                plane: f32::from_bits(words[6]),
                levels: words[10..].iter().map(|&w| f32::from_bits(w)).collect(),
            };
        }
    }
}

fn wish(socket: &mut WebSocket<TcpStream>, wish: &str) {
    socket.send(Message::text(wish.to_owned())).unwrap();
}

#[test]
fn pictures_move_and_wishes_are_granted() {
    served(&spec(), None, false, |address| {
        let mut socket = socket(address);
        let Message::Text(about) = socket.read().unwrap() else {
            panic!("first comes what is shown");
        };
        let about: serde_json::Value = serde_json::from_str(&about).unwrap();
        assert_eq!(about["title"], "Two small sources");
        assert_eq!(about["frequencies"].as_array().unwrap().len(), 2);

        let first = picture(&mut socket);
        assert_eq!(first.frequency, 0);
        let highest = first.levels.iter().copied().fold(f32::MIN, f32::max);
        assert_eq!(highest, first.highest);
        // A monopole of 2·10⁻⁴ m³/s at 1 kHz, one centimeter away, ρfQ/(2r): 12 Pa or 112 dB at most.
        assert!((90.0..114.0).contains(&highest), "{highest}");
        let began = Instant::now();
        let moved = loop {
            let next = picture(&mut socket);
            assert!(next.number > first.number);
            let most = next.levels.iter().zip(&first.levels);
            let most = most.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            if most > 1.0 {
                break most;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{most} dB");
        };
        println!("moved by {moved} dB");

        wish(&mut socket, r#"{"frequency": 1}"#);
        let began = Instant::now();
        while picture(&mut socket).frequency != 1 {
            assert!(began.elapsed() < Duration::from_secs(30));
        }
        wish(&mut socket, r#"{"plane": 0.04}"#);
        let began = Instant::now();
        while (picture(&mut socket).plane - 0.04).abs() > 1e-6 {
            assert!(began.elapsed() < Duration::from_secs(30));
        }

        wish(&mut socket, r#"{"pause": true}"#);
        socket
            .get_ref()
            .set_read_timeout(Some(Duration::from_millis(700)))
            .unwrap();
        // Pictures in transit may still arrive, then none.
        let mut last = 0;
        while let Ok(message) = socket.read() {
            if let Message::Binary(bytes) = message {
                wish(&mut socket, r#"{"seen": 1}"#);
                last = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
            }
        }
        socket
            .get_ref()
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        wish(&mut socket, r#"{"pause": false}"#);
        let after = picture(&mut socket);
        // At 40 per second some 28 were made meanwhile; a slow machine makes fewer.
        assert!(after.number > last + 2, "{} {last}", after.number);

        for wrong in [
            r#"{"frequency": 2}"#,
            r#"{"plane": 0.06}"#,
            r#"{"louder": 1}"#,
            "[]",
            "{",
        ] {
            wish(&mut socket, wrong);
            let began = Instant::now();
            loop {
                if let Message::Text(text) = socket.read().unwrap() {
                    assert!(text.contains("error"), "{text}");
                    break;
                }
                assert!(began.elapsed() < Duration::from_secs(30));
            }
        }
        assert_eq!(picture(&mut socket).frequency, 1);
    });
}

#[test]
fn a_page_that_draws_slowly_misses_pictures_instead_of_falling_behind() {
    served(&spec(), None, false, |address| {
        let mut socket = socket(address);
        let first = picture(&mut socket);
        // The page is busy: only pictures in transit arrive then.
        std::thread::sleep(Duration::from_millis(700));
        let next = [picture(&mut socket), picture(&mut socket)];
        let latest = picture(&mut socket);
        assert!(next[1].number <= first.number + 8, "{first:?} {next:?}");
        assert!(latest.number > next[1].number + 2, "{next:?} {latest:?}");
    });
}

#[test]
fn only_the_own_page_is_answered() {
    served(&spec(), None, false, |address| {
        let page = answer(
            address,
            &format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        );
        assert!(page.starts_with("HTTP/1.1 200 OK"), "{}", &page[..60]);
        assert!(page.contains("Content-Security-Policy: default-src 'none'"));
        assert!(page.contains("<canvas id=\"field\"") && page.ends_with("</html>\n"));
        assert!(!page.contains("{script}") && !page.contains("{style}"));
        let key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let port = address.port();
        for (request, status) in [
            (
                format!("GET / HTTP/1.1\r\nHost: example.org:{port}\r\n\r\n"),
                "403",
            ),
            ("GET / HTTP/1.1\r\n\r\n".to_owned(), "403"),
            (
                format!("GET /other HTTP/1.1\r\nHost: {address}\r\n\r\n"),
                "404",
            ),
            (format!("POST / HTTP/1.1\r\nHost: {address}\r\n\r\n"), "405"),
            ("nonsense\r\n\r\n".to_owned(), "400"),
            (
                format!("GET /socket HTTP/1.1\r\nHost: {address}\r\n{key}\r\n"),
                "403",
            ),
            (
                format!(
                    "GET /socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://example.org\r\n{key}\r\n"
                ),
                "403",
            ),
            (
                format!(
                    "GET /socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\r\n"
                ),
                "426",
            ),
        ] {
            let answer = answer(address, &request);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{request}: {answer}"
            );
        }
        assert!(address.ip().is_loopback());
    });
}

#[test]
fn a_recording_that_is_played_once_ends_by_itself() {
    use wavefield::holography::{MicrophoneArray, Packing};
    let mut spec = spec();
    spec.measurement = toml::from_str("kind = \"recorded\"\nfile = \"room.bits\"").unwrap();
    let packing = Packing::new(&MicrophoneArray::new(16, 16, 0.02).unwrap()).unwrap();
    // Half a second of silence: ones and zeros in turn.
    let clocks = 750_000;
    let words = (0..clocks * packing.words()).map(|i| [0, u32::MAX][i / packing.words() % 2]);
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let began = Instant::now();
    served(&spec, Some(&bytes), true, |address| {
        let mut socket = socket(address);
        let quiet = picture(&mut socket);
        assert!(quiet.highest < 40.0, "{}", quiet.highest);
    });
    assert!(began.elapsed() >= Duration::from_millis(400));
}

#[test]
fn what_is_not_computed_live_is_refused() {
    let mut spec = spec();
    spec.front_end = toml::from_str("method = \"nominal\"").unwrap();
    let refused = serve(
        &spec,
        &Files::default(),
        &Options::default(),
        &Cancel::new(),
        &mut |_| panic!("nothing is served"),
    );
    let error = refused.unwrap_err();
    assert_eq!(error.class(), ErrorClass::Input);
    assert!(error.to_string().contains("`front_end`"), "{error}");
}

#[test]
fn silent_and_slow_clients_lock_nobody_out() {
    let mut stopped = Instant::now();
    served(&spec(), None, false, |address| {
        let silent: Vec<TcpStream> = (0..80)
            .map(|_| TcpStream::connect(address).unwrap())
            .collect();
        let page = answer(
            address,
            &format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        );
        assert!(page.starts_with("HTTP/1.1 200 OK"));
        // A head that arrives byte by byte is ended by the deadline of the whole head.
        let mut slow = TcpStream::connect(address).unwrap();
        slow.set_read_timeout(Some(Duration::from_millis(100)))
            .unwrap();
        let start = Instant::now();
        let mut byte = [0];
        let ended = loop {
            let sent = slow.write_all(b"x");
            match slow.read(&mut byte) {
                Err(error) if sent.is_ok() && error.kind() == std::io::ErrorKind::WouldBlock => {}
                _ => break start.elapsed(),
            }
            assert!(start.elapsed() < Duration::from_secs(10));
        };
        assert!(ended < Duration::from_secs(5), "{ended:?}");
        // More pages than the limit: the oldest is closed, the newest is shown.
        let mut pages: Vec<_> = (0..40).map(|_| socket(address)).collect();
        assert!(pages.last_mut().unwrap().read().is_ok());
        drop(silent);
        let held = TcpStream::connect(address).unwrap();
        std::mem::forget(held);
        stopped = Instant::now();
    });
    let waited = stopped.elapsed();
    assert!(waited < Duration::from_secs(1), "{waited:?}");
}
