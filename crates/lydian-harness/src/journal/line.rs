//! One line of a journal: a record and a short checksum over its bytes.

use std::io::{self, BufRead, Read};

use lydian_model::Sha256Hex;

/// Hexadecimal digits of the checksum.
const CHECK_DIGITS: usize = 8;
const BEFORE_CHECK: &[u8] = b"{\"check\":\"";
const BEFORE_RECORD: &[u8] = b"\",\"record\":";
const AFTER_RECORD: &[u8] = b"}\n";
/// A response is at most 32 MiB, which JSON escapes can make six times as long.
const MAX_LINE: u64 = 256 * 1024 * 1024;

/// Returns the line that keeps `record`, which must be one JSON object without line feeds.
pub(super) fn framed(record: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(record.len() + 40);
    line.extend_from_slice(BEFORE_CHECK);
    line.extend_from_slice(checksum(record).as_bytes());
    line.extend_from_slice(BEFORE_RECORD);
    line.extend_from_slice(record);
    line.extend_from_slice(AFTER_RECORD);
    line
}

/// Returns the record of a whole line whose checksum holds, else `None`.
pub(super) fn unframed(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(BEFORE_CHECK)?;
    let (check, rest) = rest.split_at_checked(CHECK_DIGITS)?;
    let record = rest.strip_prefix(BEFORE_RECORD)?.strip_suffix(AFTER_RECORD)?;
    (check == checksum(record).as_bytes()).then_some(record)
}

/// Reads up to and with the next line feed into `line`; returns the bytes read, 0 at the end.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let read = Read::take(reader, MAX_LINE).read_until(b'\n', line)?;
    Ok(read as u64)
}

fn checksum(record: &[u8]) -> String {
    let mut digest = Sha256Hex::of(record).as_str().to_owned();
    digest.truncate(CHECK_DIGITS);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_record_reads_back_and_is_json() {
        let record = br#"{"type":"x","text":"\u2028 }"}"#;
        let line = framed(record);
        assert_eq!(unframed(&line), Some(record.as_slice()));
        assert!(serde_json::from_slice::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let line = framed(br#"{"type":"answer"}"#);
        for at in 0..line.len() {
            let mut changed = line.clone();
            changed[at] ^= 1;
            assert_eq!(unframed(&changed), None, "byte {at} changed");
            assert_eq!(unframed(&line[..at]), None, "cut at {at}");
        }
    }
}
