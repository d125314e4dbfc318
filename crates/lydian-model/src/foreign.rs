//! What a file is that is no text in UTF-8, in words that say how to go on.

/// A kind of file that somebody may take for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// What it is.
    pub(crate) what: &'static str,
    /// How its content gets into a file that can be read.
    pub(crate) remedy: &'static str,
}

const SPREADSHEET: &str =
    "open it, save it as an Excel workbook (.xlsx) or as CSV, then `lydian corpus import` reads it";
const DOCUMENT: &str = "copy the sentences into a spreadsheet with the columns source and reference, save it as .xlsx or CSV, \
                        then `lydian corpus import` reads it";
const ENCODING: &str =
    "save it again as UTF-8: editors offer the encoding where they ask for the file's name";
const PACKED: &str = "unpack it first";

const UTF_16: Foreign = Foreign {
    what: "text in UTF-16, as Windows programs write it",
    remedy: ENCODING,
};

/// Says what a file is, from its first bytes, when it cannot be UTF-8 text.
pub(crate) fn foreign(bytes: &[u8]) -> Option<Foreign> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    let (what, remedy) = if starts(b"\xFF\xFE") || starts(b"\xFE\xFF") {
        return Some(UTF_16);
    } else if starts(b"PK\x03\x04") {
        return Some(archive(bytes));
    } else if starts(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        ("a file of an old Office program (.xls or .doc)", SPREADSHEET)
    } else if starts(b"{\\rtf") {
        ("a document of a word processor (RTF)", DOCUMENT)
    } else if starts(b"%PDF") {
        ("a PDF document", DOCUMENT)
    } else if starts(b"\x1F\x8B") {
        ("compressed (gzip)", PACKED)
    } else if starts(b"\x28\xB5\x2F\xFD") {
        ("compressed (zstd)", PACKED)
    } else if bytes.len() >= 2 && bytes[..2].contains(&0) {
        ("text in UTF-16 or no text at all", ENCODING)
    } else {
        return None;
    };
    Some(Foreign { what, remedy })
}

/// Office programs pack their files; the names in the archive tell which.
fn archive(bytes: &[u8]) -> Foreign {
    let holds = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    let (what, remedy) = if holds(b"opendocument.spreadsheet") {
        ("an OpenDocument spreadsheet (.ods)", SPREADSHEET)
    } else if holds(b"opendocument.text") {
        ("a document of a word processor (.odt)", DOCUMENT)
    } else if holds(b"word/") {
        ("a document of a word processor (.docx)", DOCUMENT)
    } else if holds(b"xl/") {
        (
            "an Excel workbook (.xlsx)",
            "`lydian corpus import FILE.xlsx -o corpus.json` makes a corpus of it",
        )
    } else {
        ("a ZIP archive", PACKED)
    };
    Foreign { what, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_office_programs_are_called_by_their_names() {
        let zip = |content: &str| [&b"PK\x03\x04"[..], content.as_bytes()].concat();
        for (bytes, ending) in [
            (zip("[Content_Types].xml … word/document.xml"), ".docx"),
            (zip("[Content_Types].xml … xl/workbook.xml"), ".xlsx"),
            (
                zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
                ".ods",
            ),
            (zip("mimetypeapplication/vnd.oasis.opendocument.text"), ".odt"),
            (zip("photo.jpg"), "ZIP"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec(), ".xls"),
            (b"\xFF\xFE{\0".to_vec(), "UTF-16"),
        ] {
            let found = foreign(&bytes).unwrap();
            assert!(found.what.contains(ending), "{ending}: {found:?}");
            assert!(!found.remedy.is_empty());
        }
        assert_eq!(foreign(b"{\"id\": 1}"), None);
        assert_eq!(foreign(b""), None);
    }
}
