//! WebSocket connection of a page: sends pictures, receives requests.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::End;
use super::picture::Shown;

/// Time to wait for a request before the next picture.
const WISH: Duration = Duration::from_millis(5);

/// Time to wait for a picture before the next request.
const PICTURE: Duration = Duration::from_millis(50);

/// Maximum message length, bytes.
const LONGEST: usize = 4096;

/// Maximum number of unacknowledged pictures: one being drawn, one in transit. A slower page skips pictures, as their
/// numbers show, and does not fall behind.
const UNDER_WAY: u64 = 2;

/// Connection of a page.
pub(super) struct Listener<'a> {
    socket: WebSocket<TcpStream>,
    shown: &'a Shown,
    frequency: usize,
    paused: bool,
    /// Pictures sent and not yet acknowledged.
    under_way: u64,
}

impl<'a> Listener<'a> {
    /// Creates the connection after the WebSocket handshake; `rest` holds bytes received after the request.
    pub(super) fn new(stream: TcpStream, rest: Vec<u8>, shown: &'a Shown) -> std::io::Result<Self> {
        stream.set_read_timeout(Some(WISH))?;
        let limits = WebSocketConfig::default()
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        Ok(Self {
            socket: WebSocket::from_partially_read(stream, rest, Role::Server, Some(limits)),
            shown,
            frequency: 0,
            paused: false,
            under_way: 0,
        })
    }

    /// Sends pictures and handles requests until one side closes.
    pub(super) fn look_on(mut self, end: &End<'_>) {
        let about = Message::text(self.shown.about().to_string());
        let mut number = 0;
        let mut going = self.socket.send(about).is_ok();
        while going && !end.reached() {
            going = self.wishes();
            if self.paused || self.under_way >= UNDER_WAY {
                continue;
            }
            if let Some(picture) = self.shown.newer_than(number, PICTURE) {
                number = picture.number;
                if let Some(bytes) = self.shown.packed(&picture, self.frequency) {
                    self.under_way += 1;
                    going &= self.socket.send(Message::binary(bytes)).is_ok();
                }
            }
        }
        // Both may be closed already.
        let _ = self.socket.close(None);
        let _ = self.socket.flush();
    }

    /// Handles received messages; returns whether the page is still connected.
    fn wishes(&mut self) -> bool {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let answer = self.wish(&text);
                    if let Err(wrong) = answer {
                        let message = json!({ "error": wrong }).to_string();
                        if self.socket.send(Message::text(message)).is_err() {
                            return false;
                        }
                    }
                }
                Ok(Message::Close(_)) => return false,
                Ok(_) => {}
                Err(Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    return true;
                }
                Err(_) => return false,
            }
        }
    }

    /// Handles `{"frequency": 1}`, `{"pause": true}`, `{"plane": 0.02}`, `{"seen": 1}` (number of pictures
    /// acknowledged), or several.
    fn wish(&mut self, text: &str) -> Result<(), String> {
        let wish: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Some(wish) = wish.as_object() else {
            return Err("a request must be a JSON object".to_owned());
        };
        for (name, value) in wish {
            match name.as_str() {
                "frequency" => {
                    let count = self.shown.frequencies();
                    let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
                    self.frequency = number
                        .filter(|number| *number < count)
                        .ok_or_else(|| format!("`frequency` must be 0 to {}", count - 1))?;
                }
                "seen" => {
                    let seen = value
                        .as_u64()
                        .ok_or("`seen` must be a number of pictures")?;
                    self.under_way = self.under_way.saturating_sub(seen);
                }
                "pause" => {
                    self.paused = value.as_bool().ok_or("`pause` must be true or false")?;
                }
                "plane" => {
                    let highest = self.shown.highest_plane;
                    let plane = value.as_f64().filter(|z| (0.0..=highest).contains(z));
                    let plane = plane
                        .ok_or_else(|| format!("`plane` must be a height of 0 to {highest} m"))?;
                    self.shown.want_plane(plane);
                }
                other => {
                    return Err(format!(
                        "unknown request `{other}`; use frequency, pause, plane, or seen"
                    ));
                }
            }
        }
        Ok(())
    }
}
