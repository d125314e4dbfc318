//! Reading a journal: the setup, the accepted answers, and what was left open.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lydian_model::{EntryId, Finite, NanoUsd, Outcome, Prediction, RunSetup};
use serde_json::{Map, Value};

use super::error::JournalError;
use super::line::{read_line, unframed};
use super::record::{EndReason, Record, Response, SCHEMA};

/// Everything a journal says.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What was run.
    pub setup: RunSetup,
    /// Where the machine that began the run found corpus and method.
    pub inputs: Map<String, Value>,
    /// The accepted answers: the first one of each entry that is not `failed`.
    pub answers: BTreeMap<EntryId, Prediction>,
    /// The last failure of each entry without an accepted answer.
    pub failures: BTreeMap<EntryId, Prediction>,
    /// Requests that were sent and of which no answer is known: perhaps paid.
    pub in_flight: BTreeMap<u64, Vec<EntryId>>,
    /// Executions so far.
    pub executions: u32,
    /// How the last execution ended; `None` if it was killed or is still going on.
    pub end: Option<EndReason>,
    /// What made going on pointless, if the last execution was stopped.
    pub stop: Option<String>,
    /// Bytes after the last whole record, left by a killed process or a power cut.
    pub torn_bytes: u64,
    /// Responses of entries without an accepted answer, by entry and digest of the request.
    pub(super) received: BTreeMap<(EntryId, String), Arc<Received>>,
    pub(super) highest_number: u64,
    pub(super) good_bytes: u64,
    ledger: Ledger,
    active_ms: u64,
    execution_ms: u64,
}

/// A response that an interrupted execution got and perhaps did not use.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Number of its request.
    pub number: u64,
    /// Entries the request was for.
    pub entry_ids: Vec<EntryId>,
    /// Seconds the request took.
    pub seconds: Finite,
    /// The response.
    pub response: Response,
}

impl Contents {
    /// Reads the journal at `path`. A torn end is left out and counted; damage before the end is an error.
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        let file = File::open(path).map_err(JournalError::io("open", path))?;
        let mut lines = Lines {
            path: path.to_path_buf(),
            reader: BufReader::with_capacity(1 << 16, file),
            buffer: Vec::new(),
            line: 0,
            good_bytes: 0,
            torn_bytes: 0,
        };
        let Some(first) = lines.next()? else {
            return Err(JournalError::NoSetup { path: path.into() });
        };
        let (setup, inputs) = setup_of(first, path)?;
        let mut contents = Self::new(setup, inputs);
        while let Some(record) = lines.next()? {
            contents.take(record);
        }
        contents.good_bytes = lines.good_bytes;
        contents.torn_bytes = lines.torn_bytes;
        Ok(contents)
    }

    /// Returns the seconds the run was active: the sum over its executions of the time to their last record.
    pub fn active_seconds(&self) -> Finite {
        let milliseconds = self.active_ms.saturating_add(self.execution_ms);
        Finite::new(milliseconds as f64 / 1000.0).expect("an integer is finite")
    }

    /// Returns what is known of an entry: its accepted answer, else its last failure.
    pub fn prediction(&self, id: &EntryId) -> Option<&Prediction> {
        self.answers.get(id).or_else(|| self.failures.get(id))
    }

    /// Returns what is known of every selected entry. Requests are numbered anew in corpus order, because the numbers in
    /// the journal depend on what finished when, and a card must not (decision 25).
    pub fn predictions(&self) -> BTreeMap<EntryId, Prediction> {
        let mut numbers = BTreeMap::new();
        let mut predictions = BTreeMap::new();
        for id in &self.setup.selection.entry_ids {
            let Some(known) = self.prediction(id) else {
                continue;
            };
            let request_number = known.request_number.map(|number| {
                let next = numbers.len() as u64 + 1;
                *numbers.entry(number).or_insert(next)
            });
            let prediction = Prediction {
                request_number,
                ..known.clone()
            };
            predictions.insert(id.clone(), prediction);
        }
        predictions
    }

    /// Returns what the run is known to have paid so far; answers from a cache were paid by another run.
    pub fn spent(&self) -> NanoUsd {
        let paid = self.answers.values().chain(self.failures.values());
        paid.filter(|prediction| !prediction.cached)
            .filter_map(|prediction| prediction.cost_usd.or(prediction.known_cost_usd))
            .sum()
    }

    /// Returns how many answers may have cost something that nobody knows.
    pub fn unknown_costs(&self) -> u64 {
        let answers = self.answers.values();
        answers
            .filter(|answer| !answer.cached && answer.cost_usd.is_none())
            .count() as u64
    }

    /// Returns what counts against a budget: every request that was sent, with what it cost, or with the most it could cost where
    /// no answer is known. It is never below [`Contents::spent`].
    pub fn budgeted(&self) -> NanoUsd {
        // Journals of earlier versions, and methods that tell their costs themselves, have it with the answers alone.
        self.spent().max(self.ledger.total())
    }

    /// Returns the part of [`Contents::budgeted`] of which nobody knows whether it was paid.
    pub fn perhaps_paid(&self) -> NanoUsd {
        let known = self.spent().nanos();
        NanoUsd::new(self.budgeted().nanos().saturating_sub(known))
    }

    /// Returns the selected entries without an accepted answer, in corpus order.
    pub fn open_entries(&self) -> Vec<&EntryId> {
        let ids = self.setup.selection.entry_ids.iter();
        ids.filter(|id| !self.answers.contains_key(id)).collect()
    }

    /// Returns the entries whose requests were sent without a known answer, each once.
    pub fn possibly_paid(&self) -> Vec<EntryId> {
        let mut ids: Vec<EntryId> = self.in_flight.values().flatten().cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn new(setup: RunSetup, inputs: Map<String, Value>) -> Self {
        Self {
            setup,
            inputs,
            answers: BTreeMap::new(),
            failures: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            executions: 0,
            end: None,
            stop: None,
            torn_bytes: 0,
            received: BTreeMap::new(),
            highest_number: 0,
            good_bytes: 0,
            ledger: Ledger::default(),
            active_ms: 0,
            execution_ms: 0,
        }
    }

    fn take(&mut self, record: Record) {
        if let Some(at_ms) = record.at_ms() {
            self.execution_ms = self.execution_ms.max(at_ms);
        }
        self.ledger.take(&record);
        match record {
            Record::Setup { .. } => {}
            Record::Active { .. } => {
                self.active_ms = self.active_ms.saturating_add(self.execution_ms);
                self.execution_ms = 0;
                self.executions += 1;
                self.end = None;
                self.stop = None;
            }
            Record::Sent {
                number, entry_ids, ..
            } => {
                self.highest_number = self.highest_number.max(number);
                self.in_flight.insert(number, entry_ids);
            }
            Record::Received {
                number,
                entry_ids,
                request_sha256,
                seconds,
                response,
                ..
            } => {
                self.in_flight.remove(&number);
                let Some(response) = response else { return };
                let received = Arc::new(Received {
                    number,
                    entry_ids,
                    seconds,
                    response,
                });
                for id in &received.entry_ids {
                    let key = (id.clone(), request_sha256.clone());
                    self.received.insert(key, Arc::clone(&received));
                }
            }
            Record::Answer { prediction, .. } => self.take_answer(prediction),
            Record::Withdrawn { prediction, .. } => {
                self.answers.remove(&prediction.entry_id);
                self.failures.insert(prediction.entry_id.clone(), prediction);
            }
            Record::Ended { reason, stop, .. } => {
                self.end = Some(reason);
                self.stop = stop;
            }
        }
    }

    fn take_answer(&mut self, prediction: Prediction) {
        let id = &prediction.entry_id;
        if self.answers.contains_key(id) {
            return;
        }
        if prediction.outcome == Outcome::Failed {
            self.failures.insert(id.clone(), prediction);
        } else {
            let id = id.clone();
            self.failures.remove(&id);
            self.answers.insert(id.clone(), prediction);
            self.forget_used_responses(&id);
        }
    }

    /// Drops the responses of an entry, unless an entry of the same request is still open and may need them.
    fn forget_used_responses(&mut self, id: &EntryId) {
        let from = (id.clone(), String::new());
        let of_entry: Vec<_> = self
            .received
            .range(from..)
            .take_while(|((entry, _), _)| entry == id)
            .map(|((_, digest), received)| (digest.clone(), Arc::clone(received)))
            .collect();
        for (digest, received) in of_entry {
            if received
                .entry_ids
                .iter()
                .all(|one| self.answers.contains_key(one))
            {
                for one in &received.entry_ids {
                    self.received.remove(&(one.clone(), digest.clone()));
                }
            }
        }
    }
}

/// What the requests of a journal count against a budget.
#[derive(Clone, Debug, Default)]
struct Ledger {
    /// The most that requests in flight can cost, by number.
    reserved: BTreeMap<u64, NanoUsd>,
    settled: NanoUsd,
}

impl Ledger {
    fn take(&mut self, record: &Record) {
        match record {
            Record::Sent {
                number,
                budgeted_usd: Some(most),
                ..
            } => {
                self.reserved.insert(*number, *most);
            }
            Record::Received {
                number, budgeted_usd, ..
            } => {
                let most = self.reserved.remove(number);
                self.settled += budgeted_usd.or(most).unwrap_or_default();
            }
            _ => {}
        }
    }

    fn total(&self) -> NanoUsd {
        let reserved: NanoUsd = self.reserved.values().copied().sum();
        self.settled + reserved
    }
}

/// Returns what the whole lines of a journal count against a budget, whatever lies between them.
pub(super) fn legible_budgeted(path: &Path) -> NanoUsd {
    let Ok(file) = File::open(path) else {
        return NanoUsd::ZERO;
    };
    let (mut reader, mut line, mut ledger) = (BufReader::new(file), Vec::new(), Ledger::default());
    while let Ok(1..) = read_line(&mut reader, &mut line) {
        if let Some(Ok(record)) = unframed(&line).map(serde_json::from_slice) {
            ledger.take(&record);
        }
    }
    ledger.total()
}

fn setup_of(first: Record, path: &Path) -> Result<(RunSetup, Map<String, Value>), JournalError> {
    match first {
        Record::Setup {
            schema,
            setup,
            inputs,
        } if schema == SCHEMA => Ok((setup, inputs)),
        Record::Setup { schema, .. } => Err(JournalError::Schema {
            path: path.into(),
            found: schema,
        }),
        _ => Err(JournalError::NoSetup { path: path.into() }),
    }
}

/// The whole records of a journal, in order.
struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    line: u64,
    good_bytes: u64,
    torn_bytes: u64,
}

impl Lines {
    fn next(&mut self) -> Result<Option<Record>, JournalError> {
        let read = self.read()?;
        if read == 0 {
            return Ok(None);
        }
        let Some(payload) = unframed(&self.buffer) else {
            self.torn_bytes = read;
            self.only_rubbish_follows()?;
            return Ok(None);
        };
        let record = match serde_json::from_slice(payload) {
            Ok(record) => record,
            Err(error) => return Err(self.unreadable(payload, &error)),
        };
        self.good_bytes += read;
        Ok(Some(record))
    }

    /// A setup of another version fails to parse; its schema says so better than the parser.
    fn unreadable(&self, payload: &[u8], error: &serde_json::Error) -> JournalError {
        let value: Option<serde_json::Value> = serde_json::from_slice(payload).ok();
        let schema = value.as_ref().and_then(|value| value["schema"].as_str());
        match schema {
            Some(found) if found != SCHEMA => JournalError::Schema {
                path: self.path.clone(),
                found: found.to_owned(),
            },
            _ => JournalError::Unreadable {
                path: self.path.clone(),
                line: self.line,
                cause: error.to_string(),
            },
        }
    }

    /// A killed process or a power cut damages only the end of the file. A whole record behind the damage means that
    /// something else happened, and then nothing is cut off.
    fn only_rubbish_follows(&mut self) -> Result<(), JournalError> {
        let damaged = self.line;
        loop {
            let read = self.read()?;
            if read == 0 {
                return Ok(());
            }
            self.torn_bytes += read;
            if unframed(&self.buffer).is_some() {
                return Err(JournalError::Damaged {
                    path: self.path.clone(),
                    line: damaged,
                });
            }
        }
    }

    fn read(&mut self) -> Result<u64, JournalError> {
        let read = read_line(&mut self.reader, &mut self.buffer)
            .map_err(JournalError::io("read", self.path.as_path()))?;
        self.line += 1;
        Ok(read)
    }
}
