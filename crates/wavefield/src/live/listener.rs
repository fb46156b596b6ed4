//! One who looks on: pictures go out as they are made, wishes come in.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::End;
use super::picture::Shown;

/// How long a wish is waited for before the next picture.
const WISH: Duration = Duration::from_millis(5);

/// How long a picture is waited for before the next wish.
const PICTURE: Duration = Duration::from_millis(50);

/// Longest message that is taken, in bytes.
const LONGEST: usize = 4096;

/// Pictures that may be under way: one that is drawn, one that comes. A page that is slower misses pictures, which it
/// sees by their numbers, rather than falling behind.
const UNDER_WAY: u64 = 2;

/// A page that looks on.
pub(super) struct Listener<'a> {
    socket: WebSocket<TcpStream>,
    shown: &'a Shown,
    frequency: usize,
    paused: bool,
    /// Pictures that were sent and not yet seen.
    under_way: u64,
}

impl<'a> Listener<'a> {
    /// A socket whose hands were shaken; `rest` came behind the request.
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

    /// Sends pictures and takes wishes until one side has enough.
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
        // Both may already be gone.
        let _ = self.socket.close(None);
        let _ = self.socket.flush();
    }

    /// Takes in what has come; says whether the page is still there.
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

    /// `{"frequency": 1}`, `{"pause": true}`, `{"plane": 0.02}`, `{"seen": 1}` (so many pictures more), or several.
    fn wish(&mut self, text: &str) -> Result<(), String> {
        let wish: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let Some(wish) = wish.as_object() else {
            return Err("a wish is an object".to_owned());
        };
        for (name, value) in wish {
            match name.as_str() {
                "frequency" => {
                    let count = self.shown.frequencies();
                    let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
                    self.frequency = number
                        .filter(|number| *number < count)
                        .ok_or_else(|| format!("`frequency` counts from 0 to {}", count - 1))?;
                }
                "seen" => {
                    let seen = value.as_u64().ok_or("`seen` is a number of pictures")?;
                    self.under_way = self.under_way.saturating_sub(seen);
                }
                "pause" => {
                    self.paused = value.as_bool().ok_or("`pause` is true or false")?;
                }
                "plane" => {
                    let highest = self.shown.highest_plane;
                    let plane = value.as_f64().filter(|z| (0.0..=highest).contains(z));
                    let plane = plane.ok_or_else(|| {
                        format!("`plane` is a height from 0 to {highest}, in metres")
                    })?;
                    self.shown.want_plane(plane);
                }
                other => {
                    return Err(format!(
                        "`{other}` is no wish: frequency, pause, plane, seen"
                    ));
                }
            }
        }
        Ok(())
    }
}
