//! Parsing and authorization of HTTP request heads.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;

/// Maximum length of a head: browsers send less than one kilobyte.
const LONGEST: usize = 8192;

/// Head of an HTTP request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    host: Option<String>,
    origin: Option<String>,
    upgrade: Option<String>,
    version: Option<String>,
    key: Option<String>,
}

impl Request {
    /// Parses a head and returns it with the bytes after it; `None` for anything that is not a request, or not complete
    /// while `going_on`.
    pub(super) fn read(
        stream: &mut TcpStream,
        going_on: impl Fn() -> bool,
    ) -> Option<(Self, Vec<u8>)> {
        let mut bytes = Vec::new();
        let mut part = [0; 1024];
        loop {
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                let rest = bytes.split_off(end + 4);
                return Some((Self::parse(std::str::from_utf8(&bytes).ok()?)?, rest));
            }
            if bytes.len() >= LONGEST || !going_on() {
                return None;
            }
            match stream.read(&mut part) {
                Ok(0) => return None,
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut
                    ) => {}
                Err(_) => return None,
            }
        }
    }

    fn parse(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let mut request = Self {
            method: first.next()?.to_owned(),
            path: first.next()?.to_owned(),
            ..Self::default()
        };
        if !first.next()?.starts_with("HTTP/1.") {
            return None;
        }
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            let field = match name.to_ascii_lowercase().as_str() {
                "host" => &mut request.host,
                "origin" => &mut request.origin,
                "upgrade" => &mut request.upgrade,
                "sec-websocket-version" => &mut request.version,
                "sec-websocket-key" => &mut request.key,
                _ => continue,
            };
            // Browsers do not send a header twice.
            if field.replace(value.trim().to_owned()).is_some() {
                return None;
            }
        }
        Some(request)
    }

    /// Returns whether the request is for this server: a foreign host name that resolves to it is rejected.
    pub(super) fn is_for(&self, port: u16) -> bool {
        let host = self.host.as_deref();
        ours(port).iter().any(|name| host == Some(name))
    }

    /// Returns whether a page of this server sent the request.
    pub(super) fn is_from_own_page(&self, port: u16) -> bool {
        let origin = self
            .origin
            .as_deref()
            .and_then(|origin| origin.strip_prefix("http://"));
        ours(port).iter().any(|name| origin == Some(name))
    }

    /// Returns the key of a WebSocket handshake.
    pub(super) fn socket_key(&self) -> Option<&str> {
        let upgrade = self.upgrade.as_deref()?;
        let is_socket = upgrade.eq_ignore_ascii_case("websocket");
        (is_socket && self.version.as_deref() == Some("13"))
            .then_some(self.key.as_deref())
            .flatten()
    }
}

/// Returns the names under which a browser on this machine addresses the server.
fn ours(port: u16) -> [String; 2] {
    [format!("127.0.0.1:{port}"), format!("localhost:{port}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lines: &str) -> Option<Request> {
        Request::parse(&format!("GET /socket HTTP/1.1\r\n{lines}\r\n\r\n"))
    }

    #[test]
    fn only_the_own_name_and_page_are_answered() {
        let own = request("Host: localhost:8080\r\nOrigin: http://localhost:8080").unwrap();
        assert!(own.is_for(8080) && own.is_from_own_page(8080));
        assert!(!own.is_for(8081) && !own.is_from_own_page(80));
        for lines in [
            "Host: evil.example:8080\r\nOrigin: http://evil.example:8080",
            "Host: 127.0.0.1\r\nOrigin: null",
            "Accept: */*",
        ] {
            let other = request(lines).unwrap();
            assert!(
                !other.is_for(8080) && !other.is_from_own_page(8080),
                "{lines}"
            );
        }
        // A script of another site, sent to the correct host name.
        let other = request("Host: 127.0.0.1:8080\r\nOrigin: https://127.0.0.1:8080").unwrap();
        assert!(other.is_for(8080) && !other.is_from_own_page(8080));
    }

    #[test]
    fn a_socket_needs_its_key_and_version() {
        let good = "Upgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc=";
        assert_eq!(request(good).unwrap().socket_key(), Some("abc="));
        let old = good.replace("13", "8");
        assert_eq!(request(&old).unwrap().socket_key(), None);
        assert_eq!(request("Upgrade: h2c").unwrap().socket_key(), None);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for head in [
            "",
            "GET",
            "GET / SPDY/3\r\n\r\n",
            "GET / HTTP/1.1\r\nhost\r\n\r\n",
        ] {
            assert_eq!(Request::parse(head), None, "{head}");
        }
        assert_eq!(request("Host: a\r\nHost: b"), None);
    }
}
