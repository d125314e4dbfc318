//! The verdicts on the words of a run, shared by its threads: each word is looked up once.
use super::Verdict;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts with a lock of their own, so that threads seldom wait for each other.
const PARTS: usize = 64;
/// Words of one part; one that is full begins anew.
const MOST_IN_PART: usize = 4096;

/// Verdicts by word. All checkers that share one have to have the same analyser, card and limits.
#[derive(Debug)]
pub struct WordCache {
    parts: Vec<Mutex<BTreeMap<String, Verdict>>>,
}

impl WordCache {
    /// Most words that are kept.
    pub const MOST: usize = PARTS * MOST_IN_PART;

    /// Returns the number of words that are kept.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| locked(part).len()).sum()
    }

    /// Returns whether no word is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn get(&self, word: &str) -> Option<Verdict> {
        locked(self.part(word)).get(word).cloned()
    }

    pub(super) fn keep(&self, word: String, verdict: Verdict) {
        let mut part = locked(self.part(&word));
        if part.len() >= MOST_IN_PART {
            part.clear();
        }
        part.insert(word, verdict);
    }

    fn part(&self, word: &str) -> &Mutex<BTreeMap<String, Verdict>> {
        // FNV-1a: the parts need not be equal, only the same for a word every time.
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        &self.parts[hash.to_be_bytes()[0] as usize % PARTS]
    }
}

impl Default for WordCache {
    fn default() -> Self {
        Self {
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
        }
    }
}

/// A thread that panicked leaves whole verdicts.
fn locked<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fst_check::{Fallback, Rejection};

    #[test]
    fn a_word_keeps_its_verdict_and_the_cache_its_bound() {
        let cache = WordCache::default();
        cache.keep("talo".to_owned(), Verdict::Accepted(Fallback::AsIs));
        assert_eq!(cache.get("talo"), Some(Verdict::Accepted(Fallback::AsIs)));
        assert_eq!(cache.get("talot"), None);
        for number in 0..WordCache::MOST * 2 {
            cache.keep(format!("sana{number}"), Verdict::Rejected(Rejection::NotFound));
        }
        assert!(cache.len() <= WordCache::MOST && cache.len() > WordCache::MOST / 4);
        let last = format!("sana{}", WordCache::MOST * 2 - 1);
        assert_eq!(cache.get(&last), Some(Verdict::Rejected(Rejection::NotFound)));
    }
}
