//! The one place that talks to the network.

use crate::provider::{Failure, FailureKind, KeyPlace, ProviderKind, RawResponse, WireRequest};
use crate::secret::Secret;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::error::Error;
use std::future::Future;
use std::time::Duration;

/// Largest response that is read.
const MAX_RESPONSE: usize = 32 * 1024 * 1024;

/// Sends one request and returns what came back. Tests simulate a provider with another one in virtual time.
pub trait Transport: Send + Sync {
    /// Sends the request once. An HTTP error status is a response; a failure is the absence of one.
    fn send(&self, request: &WireRequest) -> impl Future<Output = Result<RawResponse, Failure>> + Send;
}

/// How long to wait for a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection.
    pub connect: Duration,
    /// Between two pieces of the response.
    pub idle: Duration,
    /// For the whole exchange.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connect: seconds(10),
            idle: seconds(180),
            total: seconds(600),
        }
    }
}

/// An endpoint that cannot be used as written.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The base URL is not an http or https URL.
    #[error("base URL {0:?} is not an http or https URL")]
    BadUrl(String),
    /// The base URL holds a name and password.
    #[error("the base URL holds a user name or password; give the key as a reference instead")]
    CredentialsInUrl,
    /// A header name or value is not valid.
    #[error("header {0:?} is not valid")]
    BadHeader(String),
    /// The key holds characters that no header can carry.
    #[error("the key holds characters that cannot be sent in a header")]
    BadKey,
    /// The client could not be made.
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

/// HTTP over reqwest.
#[derive(Debug)]
pub struct HttpTransport {
    client: reqwest::Client,
    base_url: String,
    kind: ProviderKind,
    key: Option<Secret>,
    headers: HeaderMap,
}

impl HttpTransport {
    /// Prepares a client for one endpoint. `headers` are sent with every request.
    pub fn new(
        kind: ProviderKind,
        base_url: &str,
        key: Option<Secret>,
        headers: &[(String, String)],
        timeouts: Timeouts,
    ) -> Result<Self, TransportError> {
        let url = checked_url(base_url)?;
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let bad = || TransportError::BadHeader(name.clone());
            let header = HeaderName::try_from(name.as_str()).map_err(|_| bad())?;
            map.insert(header, HeaderValue::try_from(value.as_str()).map_err(|_| bad())?);
        }
        if let (Some(key), KeyPlace::Header { name, prefix }) = (&key, kind.key_place()) {
            let mut value = HeaderValue::try_from(format!("{prefix}{}", key.expose()))
                .map_err(|_| TransportError::BadKey)?;
            value.set_sensitive(true);
            map.insert(HeaderName::from_static(name), value);
        }
        // Fails only if a provider of cryptography is installed already, which then is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = reqwest::Client::builder()
            .connect_timeout(timeouts.connect)
            .read_timeout(timeouts.idle)
            .timeout(timeouts.total)
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(1024)
            .user_agent(concat!("lydian/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        let client = builder
            .build()
            .map_err(|error| TransportError::Client(error.to_string()))?;
        Ok(Self {
            client,
            base_url: base_url.trim_end_matches('/').to_owned(),
            kind,
            key,
            headers: map,
        })
    }

    async fn exchange(&self, request: &WireRequest) -> Result<RawResponse, reqwest::Error> {
        let mut body = request.body.clone();
        if let (Some(key), KeyPlace::BodyField(name)) = (&self.key, self.kind.key_place()) {
            body[name] = key.expose().into();
        }
        let mut builder = self
            .client
            .post(format!("{}{}", self.base_url, request.path))
            .headers(self.headers.clone())
            .json(&body);
        for (name, value) in &request.headers {
            builder = builder.header(*name, value);
        }
        let mut response = builder.send().await?;
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.as_str().to_owned(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_RESPONSE {
                body.truncate(MAX_RESPONSE);
                break;
            }
        }
        Ok(RawResponse {
            status,
            headers,
            body,
        })
    }

    /// Removes the key from a response that repeats it, so that it reaches no file.
    fn redacted(&self, mut response: RawResponse) -> RawResponse {
        if let Some(key) = &self.key {
            if let Some(redacted) = std::str::from_utf8(&response.body)
                .ok()
                .and_then(|text| key.redact_body(text))
            {
                response.body = redacted.into_bytes();
            }
            for (_, value) in &mut response.headers {
                *value = key.redact(value);
            }
        }
        response
    }
}

impl Transport for HttpTransport {
    async fn send(&self, request: &WireRequest) -> Result<RawResponse, Failure> {
        match self.exchange(request).await {
            Ok(response) => Ok(self.redacted(response)),
            Err(error) => Err(failure(&error)),
        }
    }
}

/// Returns the URL if it can be a base URL.
fn checked_url(base_url: &str) -> Result<Url, TransportError> {
    let bad = || TransportError::BadUrl(base_url.to_owned());
    let url = Url::parse(base_url).map_err(|_| bad())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(TransportError::CredentialsInUrl);
    }
    let usable =
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
    if usable { Ok(url) } else { Err(bad()) }
}

/// Returns the base URL as it stands in cards and cache keys: scheme and host in lower case, no slash at the end.
pub fn endpoint_identity(base_url: &str) -> Result<String, TransportError> {
    Ok(checked_url(base_url)?.as_str().trim_end_matches('/').to_owned())
}

/// Returns whether the endpoint is this machine, so that text sent to it does not leave.
pub fn is_local_endpoint(base_url: &str) -> bool {
    checked_url(base_url).is_ok_and(|url| is_loopback(&url))
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// Names the deepest cause, without the URL, which may be long and adds nothing.
fn failure(error: &reqwest::Error) -> Failure {
    let kind = if error.is_connect() {
        FailureKind::Unreachable
    } else if error.is_timeout() {
        FailureKind::Timeout
    } else {
        FailureKind::Connection
    };
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let what = if error.is_connect() {
        "no connection"
    } else if error.is_timeout() {
        "no answer in time"
    } else if error.is_body() || error.is_decode() {
        "the answer was cut off"
    } else {
        "the connection broke"
    };
    let deepest = if std::ptr::addr_eq(cause, std::ptr::from_ref(error)) {
        String::new()
    } else {
        format!(": {cause}")
    };
    Failure {
        kind,
        status: None,
        message: format!("{what}{deepest}"),
        retry_after: None,
        request_id: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_with_credentials_is_refused() {
        let error = endpoint_identity("https://user:secret@host/v1").unwrap_err();
        assert!(matches!(error, TransportError::CredentialsInUrl));
        assert!(!error.to_string().contains("secret"));
        for bad in [
            "host/v1",
            "ftp://host",
            "https://host/?key=1",
            "file:///etc/passwd",
            "",
        ] {
            assert!(
                matches!(endpoint_identity(bad), Err(TransportError::BadUrl(_))),
                "{bad}"
            );
        }
    }

    #[test]
    fn an_endpoint_has_one_name() {
        assert_eq!(
            endpoint_identity("HTTPS://Host.example/v1/").unwrap(),
            "https://host.example/v1"
        );
        assert_eq!(
            endpoint_identity("http://localhost:8080").unwrap(),
            "http://localhost:8080"
        );
    }

    #[test]
    fn only_this_machine_is_local() {
        for (url, local) in [
            ("http://127.0.0.1:8080/v1", true),
            ("http://localhost:11434/v1", true),
            ("http://[::1]:1/", true),
            ("https://api.example.org/v1", false),
            ("http://192.168.0.7/v1", false),
            ("http://localhost.example.org/", false),
        ] {
            assert_eq!(is_local_endpoint(url), local, "{url}");
        }
    }
}
