//! The connection to the database, made anew when it breaks.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls};

use super::QueueError;
use super::schema::TABLES;

/// How long a broken connection is tried again before the work is given up.
const PATIENCE: Duration = Duration::from_secs(120);
/// First wait between two attempts; it doubles up to five seconds.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// A database that holds sweeps.
#[derive(Debug)]
pub struct Database {
    config: Config,
    client: Mutex<Option<Arc<Client>>>,
}

impl Database {
    /// Connects and creates the tables that are not there.
    pub async fn open(address: &str) -> Result<Arc<Self>, QueueError> {
        // The parser's message may repeat the address, and with it a password.
        let mut config: Config = address.parse().map_err(|_| {
            QueueError::Address("expected postgres://USER@HOST/DATABASE or key=value pairs".into())
        })?;
        if config.get_application_name().is_none() {
            config.application_name("lydian");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        let database = Arc::new(Self {
            config,
            client: Mutex::new(None),
        });
        let client = database.client().await?;
        // Two processes that create a table at the same time would meet in the catalogue.
        let statements = format!("BEGIN; SELECT pg_advisory_xact_lock(711031); {TABLES} COMMIT;");
        client
            .batch_execute(&statements)
            .await
            .map_err(|error| refused(&error))?;
        Ok(database)
    }

    /// Returns a connection that is not known to be broken.
    async fn client(&self) -> Result<Arc<Client>, QueueError> {
        let mut kept = self.client.lock().await;
        if let Some(client) = kept.as_ref().filter(|client| !client.is_closed()) {
            return Ok(Arc::clone(client));
        }
        let (client, connection) = self
            .config
            .connect(NoTls)
            .await
            .map_err(|error| QueueError::Unreachable(text_of(&error)))?;
        // The error reaches every statement that waits for the connection.
        tokio::spawn(async move { drop(connection.await) });
        let client = Arc::new(client);
        *kept = Some(Arc::clone(&client));
        Ok(client)
    }

    /// Runs `work`, again on a new connection when the old one breaks. What it does must come to the same when it is done
    /// twice, because a broken connection does not say whether the last statement took effect.
    pub(super) async fn run<T, W, F>(&self, work: W) -> Result<T, QueueError>
    where
        W: Fn(Arc<Client>) -> F,
        F: Future<Output = Result<T, tokio_postgres::Error>>,
    {
        let began = Instant::now();
        let mut wait = FIRST_WAIT;
        loop {
            let error = match self.client().await {
                Ok(client) => match work(client).await {
                    Ok(value) => return Ok(value),
                    Err(error) if is_broken(&error) => QueueError::Unreachable(text_of(&error)),
                    Err(error) => return Err(refused(&error)),
                },
                Err(error) => error,
            };
            if began.elapsed() > PATIENCE {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }
}

/// Says whether another connection may succeed.
fn is_broken(error: &tokio_postgres::Error) -> bool {
    let Some(code) = error.code() else {
        return true;
    };
    [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::T_R_SERIALIZATION_FAILURE,
    ]
    .contains(code)
        || code.code().starts_with("08")
}

fn refused(error: &tokio_postgres::Error) -> QueueError {
    QueueError::Refused(text_of(error))
}

fn text_of(error: &tokio_postgres::Error) -> String {
    if let Some(database) = error.as_db_error() {
        return format!("{} ({})", database.message(), database.code().code());
    }
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}
