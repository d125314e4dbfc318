//! HTTP/1.1 over one connection, by hand, because a well-behaved server library cannot break off an answer.

use super::reply::Reply;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Largest request head.
const MAX_HEAD: usize = 64 * 1024;
/// Largest request body.
const MAX_BODY: usize = 64 * 1024 * 1024;

/// A connection from a client.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// A request as read.
#[derive(Debug)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl HttpRequest {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        // Answers are small; waiting to fill a packet would add 40 ms to each. Failing to set it only costs time.
        drop(stream.set_nodelay(true));
        Self {
            stream,
            buffer: Vec::new(),
        }
    }

    /// Reads the next request; `None` when the client has closed the connection between requests.
    pub(super) async fn read(&mut self) -> io::Result<Option<HttpRequest>> {
        let head_end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end;
            }
            if self.buffer.len() > MAX_HEAD {
                return Err(io::Error::other("the request head is too long"));
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return if self.buffer.is_empty() {
                    Ok(None)
                } else {
                    Err(io::ErrorKind::UnexpectedEof.into())
                };
            }
        };
        let head = String::from_utf8_lossy(&self.buffer[..head_end]).into_owned();
        let mut request = parse_head(&head).ok_or_else(|| io::Error::other("not an HTTP request"))?;
        let length: usize = request
            .header("content-length")
            .map_or(Ok(0), str::parse)
            .map_err(io::Error::other)?;
        if length > MAX_BODY {
            return Err(io::Error::other("the request body is too long"));
        }
        let body_start = head_end + 4;
        while self.buffer.len() < body_start + length {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        request.body = self.buffer[body_start..body_start + length].to_vec();
        self.buffer.drain(..body_start + length);
        Ok(Some(request))
    }

    pub(super) async fn write(&mut self, reply: &Reply) -> io::Result<()> {
        self.stream.write_all(&bytes(reply)).await
    }

    /// Sends the head and half of the body, then closes; returns that the connection is gone.
    pub(super) async fn cut(&mut self, reply: &Reply) -> bool {
        let bytes = bytes(reply);
        let half = bytes.len() - reply.body.len() / 2;
        // The client may be gone already, which is what a cut connection looks like anyway.
        drop(self.stream.write_all(&bytes[..half]).await);
        drop(self.stream.shutdown().await);
        false
    }

    /// Makes the coming close a reset instead of an orderly end.
    pub(super) fn reset(&self) {
        // If the option cannot be set the connection still closes without an answer.
        drop(self.stream.set_zero_linger());
    }

    /// Never answers; ends when the client gives up.
    pub(super) async fn hang(&mut self) {
        let mut byte = [0];
        // Whatever ends the wait, the connection is over.
        drop(tokio::time::timeout(Duration::from_secs(3600), self.stream.read(&mut byte)).await);
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn parse_head(head: &str) -> Option<HttpRequest> {
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?, first.next()?);
    if !first.next()?.starts_with("HTTP/1.") {
        return None;
    }
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Some(HttpRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        headers,
        body: Vec::new(),
    })
}

fn bytes(reply: &Reply) -> Vec<u8> {
    use std::fmt::Write;
    let mut head = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n",
        reply.status,
        reason(reply.status),
        reply.content_type,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        write!(head, "{name}: {value}\r\n").expect("writing to a string cannot fail");
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(reply.body.as_bytes());
    bytes
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_with_names_in_lower_case() {
        let request = parse_head("POST /v1/x HTTP/1.1\r\nHost: h\r\nContent-Length:  3").unwrap();
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("POST", "/v1/x")
        );
        assert_eq!(request.header("content-length"), Some("3"));
    }

    #[test]
    fn what_is_not_http_is_refused() {
        for head in ["", "GET", "GET /", "GET / FTP/1.0"] {
            assert!(parse_head(head).is_none(), "{head:?}");
        }
    }
}
