//! A local server that speaks every provider's wire form and misbehaves on request, for users and tests.

mod asked;
mod behaviour;
mod connection;
mod embeddings;
mod reply;
mod script;
mod stats;

pub use behaviour::Behaviour;
pub use script::{Rule, Script, ScriptError};
pub use stats::Stats;

use asked::Asked;
use behaviour::Failing;
use connection::{Connection, HttpRequest};
use reply::Reply;
use stats::Counters;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// A running fake provider; it stops when dropped.
#[derive(Debug)]
pub struct FakeProvider {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    script: Script,
    counters: Counters,
}

impl FakeProvider {
    /// Starts a server on `address`; port 0 picks a free one.
    pub async fn start(address: SocketAddr, script: Script) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            script,
            counters: Counters::new(),
        });
        let task = tokio::spawn(accept(listener, Arc::clone(&state)));
        Ok(Self { address, state, task })
    }

    /// Returns the base URL. With `/as/MODEL` appended, requests that name no model behave like that one.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the server's own count of what it was asked and what it charged.
    pub fn stats(&self) -> Stats {
        self.state.counters.stats()
    }

    /// Waits until the server ends, which it does only if it is aborted.
    pub async fn wait(mut self) {
        // The accept loop has no end of its own; a join error means the runtime is shutting down.
        drop((&mut self.task).await);
    }
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&state)));
                }
                // Out of file descriptors, most likely: wait for connections to end.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
}

async fn serve(stream: TcpStream, state: Arc<State>) {
    let _open = state.counters.open_connection();
    let mut connection = Connection::new(stream);
    while let Ok(Some(request)) = connection.read().await {
        let _in_flight = state.counters.begin_request();
        if !answer(&state, &mut connection, &request).await {
            break;
        }
    }
}

/// Answers one request; returns whether the connection stays open.
async fn answer(state: &State, connection: &mut Connection, request: &HttpRequest) -> bool {
    if let Some(reply) = control(state, request) {
        return connection.write(&reply).await.is_ok();
    }
    if let Some(reply) = embeddings::answer(request) {
        return connection.write(&reply).await.is_ok();
    }
    let Some(asked) = Asked::read(request) else {
        let reply = Reply::json(404, r#"{"error":{"message":"no such endpoint","code":404}}"#);
        return connection.write(&reply).await.is_ok();
    };
    let seen = state.counters.seen(request);
    let rule = state.script.rule_for(&asked, seen.number);
    let behaviour = rule.map_or_else(|| Behaviour::of_model(&asked.model), script::Rule::behaviour);
    let wait = behaviour.delay(&request.body);
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    let limited = behaviour
        .per_second
        .is_some_and(|rate| !state.counters.bucket(&asked.model).take(rate));
    let failing = if limited {
        Some(Failing::Status {
            status: 429,
            retry_after: Some("1".into()),
        })
    } else if !state.script.accepts_key(&asked) {
        Some(Failing::Status {
            status: 401,
            retry_after: None,
        })
    } else {
        behaviour.failing(seen.same_before)
    };
    match failing {
        Some(Failing::Reset) => {
            state.counters.record(&asked, 0, None);
            connection.reset();
            return false;
        }
        Some(Failing::Hang) => {
            state.counters.record(&asked, 0, None);
            connection.hang().await;
            return false;
        }
        _ => {}
    }
    let cut = matches!(failing, Some(Failing::Cut));
    let reply = match failing {
        Some(Failing::Status { status, retry_after }) => asked.form.error(
            status,
            retry_after.as_deref(),
            &format!("the fake provider answers {status}"),
        ),
        Some(Failing::ErrorIn200 { status }) => asked.form.error_in_200(status),
        Some(Failing::Policy) => asked.form.policy_error(),
        Some(Failing::Quota) => asked.form.quota_error(),
        Some(Failing::Raw { status, body }) => Reply::text(status, &body),
        Some(Failing::Cut | Failing::Reset | Failing::Hang) | None => {
            let translation = state.script.translate(&asked, &behaviour);
            let answer = behaviour.answer(&asked, translation, seen.same_before);
            state.counters.record(&asked, 200, Some(&answer));
            let reply = asked.form.answer(&asked, &answer, seen.number);
            return if cut {
                connection.cut(&reply).await
            } else {
                connection.write(&reply).await.is_ok()
            };
        }
    };
    state.counters.record(&asked, reply.status, None);
    connection.write(&reply).await.is_ok()
}

fn control(state: &State, request: &HttpRequest) -> Option<Reply> {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/__lydian/stats") => {
            let stats = serde_json::to_string(&state.counters.stats()).expect("stats have string keys");
            Some(Reply::json(200, &stats))
        }
        ("POST", "/__lydian/reset") => {
            state.counters.reset();
            Some(Reply::json(200, "{}"))
        }
        ("GET", path) if path.ends_with("/models") => Some(Reply::json(
            200,
            r#"{"object":"list","data":[{"id":"m-ok","object":"model"}]}"#,
        )),
        _ => None,
    }
}
