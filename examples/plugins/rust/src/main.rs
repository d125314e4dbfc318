//! A plugin in Rust: every word backwards. Protocol 1 of Lydian's plugins, JSON Lines over standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let request = &message["req"];
        match message["type"].as_str() {
            Some("hello") => {
                let method = json!({"id": "backwards", "version": env!("CARGO_PKG_VERSION")});
                let capabilities =
                    json!({"max_batch": 64, "max_in_flight": 1, "order": "input", "deterministic": true});
                say(
                    &mut output,
                    &json!({"type": "hello", "protocol": 1, "method": method, "capabilities": capabilities}),
                )?;
            }
            Some("translate") => {
                for entry in message["entries"].as_array().into_iter().flatten() {
                    let backwards = translate(entry["source"].as_str().unwrap_or_default());
                    let usage = json!({"cost_usd": 0});
                    say(
                        &mut output,
                        &json!({"type": "result", "req": request, "id": entry["id"], "output": backwards, "usage": usage}),
                    )?;
                }
                say(&mut output, &json!({"type": "done", "req": request}))?;
            }
            Some("ping") => say(&mut output, &json!({"type": "pong", "req": request}))?,
            Some("shutdown") => return Ok(()),
            // Messages of later versions are none of this plugin's business.
            _ => {}
        }
    }
    Ok(())
}

fn translate(source: &str) -> String {
    source
        .split(' ')
        .map(|word| word.chars().rev().collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}

fn say(output: &mut impl Write, message: &Value) -> std::io::Result<()> {
    writeln!(output, "{message}")?;
    output.flush()
}
