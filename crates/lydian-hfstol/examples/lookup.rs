//! Looks up the words on standard input, one a line: `lookup FILE [accept]`.
#![expect(clippy::print_stdout, reason = "an example program prints its result")]
use lydian_hfstol::{Acceptance, Transducer, acceptor, is_archive};
use std::io::{BufRead, BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: lookup FILE [accept]")?;
    let mut bytes = std::fs::read(file)?;
    if is_archive(&bytes) {
        bytes = acceptor(&bytes)?;
    }
    let transducer = Transducer::new(bytes)?;
    let mut searcher = transducer.searcher();
    if arguments.next().is_some() {
        let mut accepted = 0;
        for word in std::io::stdin().lock().lines() {
            accepted += usize::from(searcher.accepts(&word?) == Acceptance::Accepted);
        }
        println!("{accepted}");
        return Ok(());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for word in std::io::stdin().lock().lines() {
        let word = word?;
        let found = searcher.lookup(&word);
        for analysis in &found.analyses {
            writeln!(out, "{word}\t{}\t{:.6}", analysis.text(), analysis.weight())?;
        }
        if found.analyses.is_empty() {
            writeln!(out, "{word}\t+?\tinf")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
