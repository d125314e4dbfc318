//! One entry: ask, let the model use its tools, check, hand back what was rejected.

use super::ConnectedMethod;
use super::prediction::Tally;
use crate::checker::Verdict;
use crate::endpoint::CallResult;
use crate::post_processing::post_process;
use crate::prompt::RejectedAnswer;
use crate::provider::{Answer, Prompt, Turn};
use crate::translator::{CallLog, Stop};
use crate::transport::Transport;
use lydian_model::{Outcome, Prediction, SourceEntry};
use tokio::time::Instant;

/// An answer with what the checks said.
struct Candidate {
    result: CallResult,
    rejections: usize,
}

impl<T: Transport> ConnectedMethod<T> {
    /// Translates one entry.
    pub(super) async fn translate_one(
        &self,
        entry: &SourceEntry,
        log: &dyn CallLog,
    ) -> Result<Prediction, Stop> {
        self.converse(entry, log, Tally::new()).await
    }

    /// Translates one entry for which `tally` was spent already.
    pub(super) async fn converse(
        &self,
        entry: &SourceEntry,
        log: &dyn CallLog,
        mut tally: Tally,
    ) -> Result<Prediction, Stop> {
        let method = &self.method;
        let mut prompt = method.opening(entry);
        let mut best: Option<Candidate> = None;
        for round in 0..=method.parameters.max_retries {
            let result = self.ask(entry, &mut prompt, log, &mut tally).await?;
            if !method.checkers_of(entry).is_empty() {
                tally.call_step(if round == 0 { "translate" } else { "repair" }, &result);
            }
            let Some(text) = scored_text(&result) else {
                // A repair that brings nothing leaves what was there before.
                best = best.or(Some(Candidate {
                    result,
                    rejections: usize::MAX,
                }));
                break;
            };
            let verdict = self.check(entry, &text, &mut tally).await;
            let rejections = if verdict.accepted() {
                0
            } else {
                verdict.rejected.len().max(1)
            };
            if best.as_ref().is_none_or(|best| rejections <= best.rejections) {
                best = Some(Candidate { result, rejections });
            }
            if verdict.accepted() || round == method.parameters.max_retries {
                break;
            }
            let Prompt::Chat { turns, .. } = &mut prompt else {
                break;
            };
            let rejection = RejectedAnswer {
                answer: &text,
                rejected: &verdict.rejected,
                message: &verdict.message,
            };
            let question = method.prompt.repair(method.values(), entry, &rejection);
            turns.push(Turn::Assistant {
                text,
                tool_calls: Vec::new(),
            });
            turns.push(Turn::User(question));
        }
        let accepted = best.expect("every round leaves a candidate");
        Ok(tally.prediction(
            entry.id.clone(),
            &entry.source,
            &accepted.result,
            method.post_processing_of(entry),
        ))
    }

    /// Asks until the model answers with something other than tool calls.
    async fn ask(
        &self,
        entry: &SourceEntry,
        prompt: &mut Prompt,
        log: &dyn CallLog,
        tally: &mut Tally,
    ) -> Result<CallResult, Stop> {
        let ids = std::slice::from_ref(&entry.id);
        let characters = entry.source.chars().count() as u64;
        let mut rounds = 0;
        loop {
            let result = self.call(ids, prompt.clone(), characters, log).await?;
            tally.add(&result);
            let calls = match &result.answer {
                Ok(answer) if !answer.tool_calls.is_empty() => answer.tool_calls.clone(),
                _ => return Ok(result),
            };
            let Prompt::Chat { turns, .. } = prompt else {
                return Ok(result);
            };
            if rounds == self.method.parameters.max_tool_rounds {
                return Ok(without_text(result));
            }
            rounds += 1;
            let text = result
                .answer
                .as_ref()
                .ok()
                .and_then(|answer| answer.text.clone())
                .unwrap_or_default();
            turns.push(Turn::Assistant {
                text,
                tool_calls: calls.clone(),
            });
            for call in calls {
                let start = Instant::now();
                let outcome = self.method.tools.call(&call).await;
                tally.tool_calls += 1;
                let detail = format!("{}({})", call.name, call.arguments);
                tally.step("tool", outcome.is_ok(), start.elapsed(), Some(detail));
                let content = outcome.unwrap_or_else(|problem| format!("error: {problem}"));
                turns.push(Turn::Tool {
                    call_id: call.id,
                    name: call.name,
                    content,
                });
            }
        }
    }

    /// Asks every checker; what they reject is put together. A check that cannot be made is noted and rejects nothing.
    async fn check(&self, entry: &SourceEntry, text: &str, tally: &mut Tally) -> Verdict {
        let output = post_process(self.method.post_processing_of(entry), &entry.source, text);
        let mut together = Verdict::default();
        for checker in self.method.checkers_of(entry) {
            let start = Instant::now();
            let name = format!("check {}", checker.name());
            match checker.check(&entry.source, &output).await {
                Ok(verdict) => {
                    let accepted = verdict.accepted();
                    let detail =
                        (!accepted).then(|| format!("{} {}", verdict.rejected.join(", "), verdict.message));
                    tally.step(
                        &name,
                        accepted,
                        start.elapsed(),
                        detail.map(|text| text.trim().to_owned()),
                    );
                    together.rejected.extend(verdict.rejected);
                    if !verdict.message.is_empty() {
                        let separator = if together.message.is_empty() { "" } else { "\n" };
                        together.message = format!("{}{separator}{}", together.message, verdict.message);
                    }
                }
                Err(error) => tally.step(&name, false, start.elapsed(), Some(error.to_string())),
            }
        }
        together
    }
}

fn scored_text(result: &CallResult) -> Option<String> {
    let answer = result.answer.as_ref().ok()?;
    answer.text.clone().filter(|_| answer.outcome.text_is_scored())
}

/// Turns an answer that only asks for tools, again and again, into one from which nothing could be read.
fn without_text(result: CallResult) -> CallResult {
    let answer = result.answer.map(|answer| Answer {
        outcome: Outcome::Unparsable,
        refusal: Some("the model went on calling tools and gave no translation".into()),
        ..answer
    });
    CallResult { answer, ..result }
}
