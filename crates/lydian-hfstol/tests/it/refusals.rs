//! Files that are not optimised-lookup transducers are refused with what to do instead.
use crate::fixtures::read;
use lydian_hfstol::{ReadError, Transducer, acceptor};

fn refusal(bytes: &[u8]) -> String {
    Transducer::new(bytes).unwrap_err().to_string()
}

#[test]
fn other_formats_are_named_with_the_way_out() {
    for (bytes, format, instead) in [
        (read("tok.pmhfst"), "pmatch", "the analyser (.hfstol)"),
        (read("bad-not-optimized.hfst"), "not optimised", "hfst-fst2fst"),
        (
            b"\xffBOX\x01rest of a box archive".to_vec(),
            "box archive (.bhfst)",
            ".zhfst or .hfstol",
        ),
        (b"\x1f\x8b\x08\x00gzip".to_vec(), "gzip", "unpack"),
        (b"##foma-net 1.0##\n##props##\n".to_vec(), "foma", "hfst-fst2fst"),
        (b"0\t1\ta\tb\t0.000000\n1\t0.0\n".to_vec(), "ATT", "hfst-txt2fst"),
    ] {
        let text = refusal(&bytes);
        assert!(text.contains(format) && text.contains(instead), "{text}");
    }
}

#[test]
fn a_speller_archive_is_not_read_as_a_transducer() {
    assert_eq!(
        Transducer::new(read("toy.zhfst")).unwrap_err(),
        ReadError::SpellerArchive
    );
}

#[test]
fn a_cut_file_says_which_part_is_missing() {
    assert_eq!(
        refusal(&read("bad-truncated.hfstol")),
        "the file ends early: the transition table needs 864 bytes and 91 are left"
    );
    let whole = read("plain.olw.hfstol");
    assert!(refusal(&whole[..60]).contains("the header"));
    assert!(refusal(&whole[..120]).contains("the table of counts"));
    assert!(refusal(&whole[..200]).contains("the symbol table"));
}

#[test]
fn anything_else_is_not_recognised() {
    for bytes in [
        &b""[..],
        b"HFST",
        b"hello world, this is a text file of some length that means nothing at all",
    ] {
        assert_eq!(Transducer::new(bytes).unwrap_err(), ReadError::Unrecognised);
    }
}

#[test]
fn targets_outside_the_tables_are_damage() {
    let mut bytes = read("plain.olw.hfstol");
    let end = bytes.len();
    // The last row is padding; the one before holds an arc or a final state: any row with a target will do.
    for row in (0..20).map(|n| end - 12 * (n + 1)) {
        if bytes[row..row + 2] != [0xff, 0xff] {
            bytes[row + 4..row + 8].copy_from_slice(&0x7fff_ffffu32.to_le_bytes());
            assert!(refusal(&bytes).starts_with("damaged transducer: row "));
            return;
        }
    }
    panic!("no arc among the last rows");
}

#[test]
fn a_file_of_two_transducers_is_refused() {
    let mut bytes = read("plain.olw.hfstol");
    bytes.extend(read("weighted.olw.hfstol"));
    assert!(refusal(&bytes).contains("hfst-split"));
    let mut padded = read("plain.olw.hfstol");
    padded.extend([0; 3]);
    assert!(refusal(&padded).contains("3 bytes follow"));
}

#[test]
fn an_archive_without_acceptor_or_with_a_broken_directory_is_refused() {
    assert!(matches!(
        acceptor(b"PK\x03\x04broken"),
        Err(ReadError::Archive(_))
    ));
    let mut archive = read("toy.zhfst");
    // The names stand in the local headers and in the directory.
    for at in 0..archive.len() - 9 {
        if &archive[at..at + 9] == b"acceptor." {
            archive[at] = b'x';
        }
    }
    assert_eq!(
        acceptor(&archive).unwrap_err().to_string(),
        "speller archive: it holds no acceptor.*.hfst"
    );
}
