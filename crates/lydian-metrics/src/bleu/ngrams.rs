//! Counting the word n-grams that a hypothesis shares with its references.

/// Returns how many n-grams of the hypothesis occur in the references, each clipped by the most often any
/// one reference has it.
pub(super) fn clipped_matches(hypothesis: &[&str], references: &[Vec<&str>], n: usize) -> u64 {
    let mut ours: Vec<&[&str]> = hypothesis.windows(n).collect();
    ours.sort_unstable();
    let mut theirs: Vec<Vec<&[&str]>> = references
        .iter()
        .map(|reference| reference.windows(n).collect())
        .collect();
    for reference in &mut theirs {
        reference.sort_unstable();
    }
    let mut matches = 0;
    for group in ours.chunk_by(|a, b| a == b) {
        let most = theirs
            .iter()
            .map(|reference| occurrences(reference, group[0]))
            .max()
            .unwrap_or(0);
        matches += group.len().min(most) as u64;
    }
    matches
}

fn occurrences(sorted: &[&[&str]], ngram: &[&str]) -> usize {
    let start = sorted.partition_point(|other| *other < ngram);
    sorted[start..]
        .iter()
        .take_while(|other| **other == ngram)
        .count()
}
