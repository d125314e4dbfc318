//! Answers of earlier requests, addressed by everything that was sent. Only clean answers enter.

use crate::provider::{RawResponse, WireRequest};
use lydian_model::Sha256Hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// Version of what a key is made of; a change makes all older entries unreachable.
const KEY_SCHEMA: u32 = 1;
/// Version of an entry's form.
const SCHEMA: &str = "lydian/cache-entry@1";
/// Headers worth keeping: they name the request and nothing else.
const KEPT_HEADERS: [&str; 4] = ["x-request-id", "request-id", "x-goog-request-id", "x-trace-id"];

/// A folder of stored answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// What identifies a request: everything that is sent, where, and which sample of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheKey {
    sha256: Sha256Hex,
    document: Value,
}

/// A stored answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheEntry {
    /// Form of the entry.
    pub schema: String,
    /// Digest of `request`.
    pub key: Sha256Hex,
    /// What the key was made of.
    pub request: Value,
    /// Status of the response.
    pub status: u16,
    /// Headers that name the request.
    pub headers: Vec<(String, String)>,
    /// Body of the response.
    pub body: String,
    /// Digest of `body`.
    pub body_sha256: Sha256Hex,
    /// How long the request took.
    pub latency_ms: u64,
    /// RFC 3339 time at which the entry was stored.
    pub stored_at: String,
}

/// One entry as listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheListing {
    /// The key.
    pub key: String,
    /// Endpoint of the request.
    pub endpoint: String,
    /// Model of the request; empty for engines.
    pub model: String,
    /// When it was stored.
    pub stored_at: String,
    /// Size of the file.
    pub bytes: u64,
    /// What is wrong with the file, if anything.
    pub problem: Option<String>,
}

/// Why the cache could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cache {path}: {cause}")]
pub struct CacheError {
    /// The file or folder.
    pub path: PathBuf,
    /// What happened.
    pub cause: io::Error,
}

impl CacheKey {
    /// Makes the key of a request to an endpoint; `sample` tells repeats of one request apart.
    pub fn new(endpoint: &str, wire: &WireRequest, sample: u32) -> Self {
        let document = json!({
            "key_schema": KEY_SCHEMA,
            "endpoint": endpoint,
            "path": wire.path,
            "headers": wire.headers,
            "body": wire.body,
            "sample": sample,
        });
        Self {
            sha256: Sha256Hex::of_canonical(&document),
            document,
        }
    }

    /// Returns the digest.
    pub fn sha256(&self) -> &str {
        self.sha256.as_str()
    }
}

impl Cache {
    /// Uses `folder`, which is made when the first answer is stored.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(&sha256[..2]).join(format!("{sha256}.json"))
    }

    /// Returns the stored answer; an entry that is damaged or belongs to another request is no answer.
    pub fn get(&self, key: &CacheKey) -> Option<CacheEntry> {
        let bytes = std::fs::read(self.path(key.sha256())).ok()?;
        let entry: CacheEntry = serde_json::from_slice(&bytes).ok()?;
        (entry.problem().is_none() && entry.key == key.sha256).then_some(entry)
    }

    /// Stores a clean answer; the caller has made sure that it is one. Written aside and renamed, so that a reader
    /// sees the whole entry or none.
    pub fn put(
        &self,
        key: &CacheKey,
        response: &RawResponse,
        latency_ms: u64,
        stored_at: &str,
    ) -> Result<(), CacheError> {
        let Ok(body) = String::from_utf8(response.body.clone()) else {
            return Ok(());
        };
        let kept = |name: &str| KEPT_HEADERS.iter().any(|kept| name.eq_ignore_ascii_case(kept));
        let entry = CacheEntry {
            schema: SCHEMA.into(),
            key: key.sha256.clone(),
            request: key.document.clone(),
            status: response.status,
            headers: response
                .headers
                .iter()
                .filter(|(name, _)| kept(name))
                .cloned()
                .collect(),
            body_sha256: Sha256Hex::of(body.as_bytes()),
            body,
            latency_ms,
            stored_at: stored_at.to_owned(),
        };
        let path = self.path(key.sha256());
        let fail = |cause: io::Error| CacheError {
            path: path.clone(),
            cause,
        };
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(fail)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
        serde_json::to_writer(&mut file, &entry).map_err(|error| fail(error.into()))?;
        file.persist(&path).map_err(|error| fail(error.error))?;
        Ok(())
    }

    /// Lists every entry, sorted by key. Files that are no entries are listed with what is wrong.
    pub fn list(&self) -> Result<Vec<CacheListing>, CacheError> {
        let mut listing = Vec::new();
        for path in self.files()? {
            let bytes = std::fs::read(&path).map_err(|cause| CacheError {
                path: path.clone(),
                cause,
            })?;
            listing.push(describe(&path, &bytes));
        }
        listing.sort_by(|left, right| left.key.cmp(&right.key));
        Ok(listing)
    }

    /// Removes the entries that `unwanted` names; returns how many, and how many bytes.
    pub fn prune(&self, unwanted: impl Fn(&CacheListing) -> bool) -> Result<(u64, u64), CacheError> {
        let (mut count, mut size) = (0, 0);
        for path in self.files()? {
            let fail = |cause| CacheError {
                path: path.clone(),
                cause,
            };
            let listing = describe(&path, &std::fs::read(&path).map_err(fail)?);
            if unwanted(&listing) {
                std::fs::remove_file(&path).map_err(fail)?;
                count += 1;
                size += listing.bytes;
            }
        }
        Ok((count, size))
    }

    fn files(&self) -> Result<Vec<PathBuf>, CacheError> {
        let mut files = Vec::new();
        for folder in entries_of(&self.folder)? {
            // Only the folders this cache makes: two hexadecimal digits.
            let is_shard = folder
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit()));
            if is_shard && folder.is_dir() {
                files.extend(
                    entries_of(&folder)?
                        .into_iter()
                        .filter(|path| path.extension().is_some_and(|e| e == "json")),
                );
            }
        }
        Ok(files)
    }
}

impl CacheEntry {
    /// Returns the response as it was received.
    pub fn response(&self) -> RawResponse {
        RawResponse {
            status: self.status,
            headers: self.headers.clone(),
            body: self.body.clone().into_bytes(),
        }
    }

    /// Returns what is wrong with the entry, if anything.
    fn problem(&self) -> Option<&'static str> {
        if self.schema != SCHEMA {
            return Some("unknown form");
        }
        if Sha256Hex::of_canonical(&self.request) != self.key {
            return Some("the request does not give the key");
        }
        (Sha256Hex::of(self.body.as_bytes()) != self.body_sha256).then_some("the body was changed")
    }
}

fn entries_of(folder: &Path) -> Result<Vec<PathBuf>, CacheError> {
    let fail = |cause| CacheError {
        path: folder.to_owned(),
        cause,
    };
    match std::fs::read_dir(folder) {
        Ok(entries) => entries
            .map(|entry| entry.map(|entry| entry.path()).map_err(fail))
            .collect(),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(cause) => Err(fail(cause)),
    }
}

fn describe(path: &Path, bytes: &[u8]) -> CacheListing {
    let name = path
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut listing = CacheListing {
        key: name,
        endpoint: String::new(),
        model: String::new(),
        stored_at: String::new(),
        bytes: bytes.len() as u64,
        problem: None,
    };
    match serde_json::from_slice::<CacheEntry>(bytes) {
        Ok(entry) => {
            let text = |pointer: &str| {
                entry
                    .request
                    .pointer(pointer)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            listing.endpoint = text("/endpoint");
            listing.model = text("/body/model");
            listing.stored_at.clone_from(&entry.stored_at);
            listing.problem = entry.problem().map(str::to_owned);
            if entry.key.as_str() != listing.key {
                listing.problem = Some("the file is not named after its key".into());
            }
        }
        Err(error) => listing.problem = Some(format!("not a cache entry: {error}")),
    }
    listing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{Parameters, Prompt, ProviderKind, TranslationRequest, Turn};

    fn wire(model: &str, parameters: Parameters) -> WireRequest {
        let request = TranslationRequest {
            model: model.into(),
            source_language: "en".into(),
            target_language: "crk".into(),
            prompt: Prompt::Chat {
                system: "S".into(),
                turns: vec![Turn::User("dog".into())],
                tools: vec![],
            },
            parameters,
        };
        ProviderKind::OpenAi.wire_request(&request).unwrap()
    }

    fn key(model: &str, parameters: Parameters) -> CacheKey {
        CacheKey::new("http://a/v1", &wire(model, parameters), 0)
    }

    fn response() -> RawResponse {
        let headers = vec![
            ("x-request-id".into(), "r".into()),
            ("set-cookie".into(), "secret".into()),
        ];
        RawResponse {
            status: 200,
            headers,
            body: "{\"ok\": \"ê ᑭ \u{2028}\"}".into(),
        }
    }

    /// Cases 1 and 2: whatever changes the request changes the key.
    #[test]
    fn every_parameter_is_part_of_the_key() {
        let none = Parameters::default;
        let extra = json!({"provider": {"order": ["x"]}}).as_object().unwrap().clone();
        let variants = [
            key("a", none()),
            key("b", none()),
            key(
                "a",
                Parameters {
                    temperature: Some(0.0),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    temperature: Some(0.7),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    top_p: Some(0.7),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    seed: Some(1),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    seed: Some(2),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    max_output_tokens: Some(10),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    reasoning_effort: Some("low".into()),
                    ..none()
                },
            ),
            key(
                "a",
                Parameters {
                    stop: vec!["x".into()],
                    ..none()
                },
            ),
            key("a", Parameters { extra, ..none() }),
            CacheKey::new("http://b/v1", &wire("a", none()), 0),
            CacheKey::new("http://a/v1", &wire("a", none()), 1),
        ];
        let mut digests: Vec<&str> = variants.iter().map(CacheKey::sha256).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), variants.len());
    }

    /// Case 3: the same request has the same key, whatever the order in which it was put together.
    #[test]
    fn the_same_request_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("cache"));
        let one = key(
            "a",
            Parameters {
                temperature: Some(0.0),
                seed: Some(7),
                ..Parameters::default()
            },
        );
        let extra = json!({"seed": 7, "temperature": 0}).as_object().unwrap().clone();
        let two = key(
            "a",
            Parameters {
                extra,
                ..Parameters::default()
            },
        );
        assert!(cache.get(&one).is_none());
        cache.put(&one, &response(), 42, "2026-01-01T00:00:00Z").unwrap();
        let entry = cache.get(&two).unwrap();
        assert_eq!((entry.response().body, entry.latency_ms), (response().body, 42));
        assert_eq!(entry.headers, [("x-request-id".to_owned(), "r".to_owned())]);
    }

    #[test]
    fn damaged_entries_are_found_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let (one, two) = (key("a", Parameters::default()), key("b", Parameters::default()));
        cache.put(&one, &response(), 1, "2026-01-01T00:00:00Z").unwrap();
        cache.put(&two, &response(), 1, "2026-02-01T00:00:00Z").unwrap();
        let path = cache.path(one.sha256());
        let text = std::fs::read_to_string(&path).unwrap().replace("ok", "no");
        std::fs::write(&path, text).unwrap();
        assert!(cache.get(&one).is_none() && cache.get(&two).is_some());
        let problems: Vec<Option<String>> = cache
            .list()
            .unwrap()
            .into_iter()
            .map(|entry| entry.problem)
            .collect();
        assert_eq!(
            problems.iter().flatten().collect::<Vec<_>>(),
            ["the body was changed"]
        );
        let (count, _) = cache.prune(|entry| entry.problem.is_some()).unwrap();
        assert_eq!((count, cache.list().unwrap().len()), (1, 1));
    }

    #[test]
    fn an_entry_under_another_name_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned());
        let (one, two) = (key("a", Parameters::default()), key("b", Parameters::default()));
        cache.put(&one, &response(), 1, "2026-01-01T00:00:00Z").unwrap();
        let target = cache.path(two.sha256());
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::rename(cache.path(one.sha256()), target).unwrap();
        assert!(cache.get(&two).is_none());
        assert!(
            cache.list().unwrap()[0]
                .problem
                .as_ref()
                .unwrap()
                .contains("not named after")
        );
    }

    #[test]
    fn a_cache_that_does_not_exist_is_empty() {
        let cache = Cache::new(PathBuf::from("/nonexistent/lydian-cache"));
        assert_eq!(cache.list().unwrap(), []);
    }
}
