//! HTTP server on the loopback address, one thread per connection.

use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread::Scope;
use std::time::{Duration, Instant};

use tungstenite::handshake::derive_accept_key;

use super::End;
use super::connections::Connections;
use super::listener::Listener;
use super::page::PAGE;
use super::picture::Shown;
use super::request::Request;
use crate::Error;

/// Maximum number of connections whose request is not complete, and of pages that are shown.
const MAX_CONNECTIONS: usize = 32;

/// Polling interval for connections and for the stop request.
const LOOK: Duration = Duration::from_millis(20);

/// Time that a client has to send its whole request head, and to take a response.
const PATIENCE: Duration = Duration::from_secs(2);

/// Content security policy: the page runs its own script and connects to its own server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Server on the loopback address.
pub(super) struct Server {
    listener: TcpListener,
    address: SocketAddr,
    /// Connections whose request is not complete.
    waiting: Connections,
    /// Pages that are shown.
    pages: Connections,
}

impl Server {
    pub(super) fn bind(port: u16) -> Result<Self, Error> {
        let failed = |error: std::io::Error| {
            Error::runtime(format!(
                "cannot bind port {port}: {error}; use `--port 0` for a free port"
            ))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            address,
            waiting: Connections::new(MAX_CONNECTIONS),
            pages: Connections::new(MAX_CONNECTIONS),
        })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the end.
    pub(super) fn run<'scope>(
        &'scope self,
        threads: &'scope Scope<'scope, '_>,
        shown: &'scope Shown,
        end: &'scope End<'_>,
    ) {
        while !end.reached() {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    threads.spawn(move || {
                        // A client that has disconnected is ignored.
                        let _ = self.answer(stream, shown, end);
                    });
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(LOOK),
                Err(error) => {
                    tracing::debug!("connection failed: {error}");
                    std::thread::sleep(LOOK);
                }
            }
        }
        self.waiting.close_all();
        self.pages.close_all();
    }

    fn answer(&self, mut stream: TcpStream, shown: &Shown, end: &End<'_>) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(LOOK))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let waiting = self.waiting.hold(&stream)?;
        let deadline = Instant::now() + PATIENCE;
        let going_on = || Instant::now() < deadline && !end.reached();
        let Some((request, rest)) = Request::read(&mut stream, going_on) else {
            return refuse(&mut stream, "400 Bad Request");
        };
        drop(waiting);
        let port = self.address.port();
        if !request.is_for(port) {
            return refuse(&mut stream, "403 Forbidden");
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => {
                let length = PAGE.len();
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
                     Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
                     Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{PAGE}",
                    PAGE = *PAGE
                )
            }
            ("GET", "/socket") => match request.socket_key() {
                _ if !request.is_from_own_page(port) => refuse(&mut stream, "403 Forbidden"),
                None => refuse(&mut stream, "426 Upgrade Required"),
                Some(key) => {
                    let _page = self.pages.hold(&stream)?;
                    let accept = derive_accept_key(key.as_bytes());
                    write!(
                        stream,
                        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                         Sec-WebSocket-Accept: {accept}\r\n\r\n"
                    )?;
                    Listener::new(stream, rest, shown)?.look_on(end);
                    Ok(())
                }
            },
            ("GET", _) => refuse(&mut stream, "404 Not Found"),
            _ => refuse(&mut stream, "405 Method Not Allowed"),
        }
    }
}

fn refuse(stream: &mut TcpStream, status: &str) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{status}",
        status.len()
    )
}
