//! Reads one JSON string per line and writes its pieces under a SentencePiece model as a JSON list per line.
//! `scripts/metrics-sentencepiece.py` compares them with the library's.
//!
//! Usage: `list-pieces MODEL < texts.jsonl`

use std::io::{self, BufRead, Write};

use lydian_metrics::sentencepiece::SentencePiece;

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let model = SentencePiece::from_bytes("model", &std::fs::read(path)?).map_err(io::Error::other)?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        writeln!(output, "{}", serde_json::to_string(&model.pieces(&text))?)?;
    }
    output.flush()
}
