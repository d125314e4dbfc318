//! Reads the parts of a model file that cutting a text needs: protocol-buffer fields, unknown ones passed over.

use super::ModelError;

/// How a model cuts texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelType {
    /// The most likely sequence of pieces.
    Unigram,
    /// Pieces joined in the order they were learned in.
    Bpe,
}

impl ModelType {
    /// Returns the type with this number in the file format.
    pub(super) fn from_number(number: u64) -> Result<Self, ModelError> {
        match number {
            1 => Ok(Self::Unigram),
            2 => Ok(Self::Bpe),
            _ => Err(ModelError::UnsupportedType { number }),
        }
    }
}

/// A piece as the file has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a [u8],
    pub(super) score: f32,
    pub(super) kind: u64,
}

/// A whitespace option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
}

/// The contents of a model file.
#[derive(Debug)]
pub(super) struct Proto<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) model_type: u64,
    pub(super) byte_fallback: Switch,
    pub(super) whitespace_as_suffix: Switch,
    pub(super) replacements: &'a [u8],
    pub(super) dummy_prefix: Switch,
    pub(super) remove_extra_whitespace: Switch,
    pub(super) escape_whitespace: Switch,
}

impl<'a> Proto<'a> {
    /// Reads a file.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, ModelError> {
        let mut proto = Self {
            pieces: Vec::new(),
            model_type: 1,
            byte_fallback: Switch::Off,
            whitespace_as_suffix: Switch::Off,
            replacements: &[],
            dummy_prefix: Switch::On,
            remove_extra_whitespace: Switch::On,
            escape_whitespace: Switch::On,
        };
        let mut file = Fields {
            bytes,
            at: 0,
            base: 0,
        };
        while let Some((field, value)) = file.next()? {
            match (field, value) {
                (1, Value::Bytes(message)) => proto.pieces.push(read_piece(message)?),
                (2, Value::Bytes(message)) => proto.read_trainer(message)?,
                (3, Value::Bytes(message)) => proto.read_normalizer(message)?,
                _ => {}
            }
        }
        if proto.pieces.is_empty() {
            return Err(ModelError::NotAModel { byte: bytes.len() });
        }
        Ok(proto)
    }

    fn read_trainer(&mut self, mut message: Fields<'a>) -> Result<(), ModelError> {
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (3, Value::Number(number)) => self.model_type = number,
                (24, value) => self.whitespace_as_suffix = value.switch(self.whitespace_as_suffix),
                (35, value) => self.byte_fallback = value.switch(self.byte_fallback),
                _ => {}
            }
        }
        Ok(())
    }

    fn read_normalizer(&mut self, mut message: Fields<'a>) -> Result<(), ModelError> {
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (2, Value::Bytes(table)) => self.replacements = table.bytes,
                (3, value) => self.dummy_prefix = value.switch(self.dummy_prefix),
                (4, value) => self.remove_extra_whitespace = value.switch(self.remove_extra_whitespace),
                (5, value) => self.escape_whitespace = value.switch(self.escape_whitespace),
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_piece(mut message: Fields<'_>) -> Result<Piece<'_>, ModelError> {
    let mut piece = Piece {
        text: &[],
        score: 0.0,
        kind: 1,
    };
    while let Some((field, value)) = message.next()? {
        match (field, value) {
            (1, Value::Bytes(text)) => piece.text = text.bytes,
            (2, Value::Single(score)) => piece.score = score,
            (3, Value::Number(kind)) => piece.kind = kind,
            _ => {}
        }
    }
    Ok(piece)
}

/// The value of a field.
enum Value<'a> {
    Number(u64),
    Single(f32),
    Bytes(Fields<'a>),
    Other,
}

impl Value<'_> {
    fn switch(&self, otherwise: Switch) -> Switch {
        match self {
            Value::Number(0) => Switch::Off,
            Value::Number(_) => Switch::On,
            _ => otherwise,
        }
    }
}

/// The fields of a message.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the message begins in the file.
    base: usize,
}

impl<'a> Fields<'a> {
    fn error(&self) -> ModelError {
        ModelError::NotAModel {
            byte: self.base + self.at,
        }
    }

    /// Returns the number and the value of the next field.
    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, ModelError> {
        if self.at >= self.bytes.len() {
            return Ok(None);
        }
        let place = self.error();
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => {
                self.take(8)?;
                Value::Other
            }
            2 => {
                let length = usize::try_from(self.number()?).map_err(|_| self.error())?;
                let base = self.base + self.at;
                let bytes = self.take(length)?;
                Value::Bytes(Fields { bytes, at: 0, base })
            }
            5 => {
                let bytes = self.take(4)?;
                Value::Single(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            _ => return Err(place),
        };
        if key >> 3 == 0 {
            return Err(place);
        }
        Ok(Some((key >> 3, value)))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ModelError> {
        let end = self.at.checked_add(length).ok_or_else(|| self.error())?;
        let bytes = self.bytes.get(self.at..end).ok_or_else(|| self.error())?;
        self.at = end;
        Ok(bytes)
    }

    /// Reads a number of seven bits per byte.
    fn number(&mut self) -> Result<u64, ModelError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.error())?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_reported_with_its_place() {
        // A piece "a" with score 0.5, then a field cut short.
        let good = [0x0a, 0x08, 0x0a, 0x01, b'a', 0x15, 0, 0, 0, 0x3f];
        let proto = Proto::read(&good).unwrap();
        assert_eq!((proto.pieces[0].text, proto.pieces[0].score), (&b"a"[..], 0.5));
        let cut = [&good[..], &[0x0a, 0x05, 0x0a]].concat();
        assert_eq!(Proto::read(&cut).unwrap_err(), ModelError::NotAModel { byte: 12 });
        assert_eq!(Proto::read(&[]).unwrap_err(), ModelError::NotAModel { byte: 0 });
        // A number that never ends, a group, a field without number.
        for bad in [&[0x80; 11][..], &[0x0b], &[0x02, 0x00]] {
            assert!(
                matches!(Proto::read(bad), Err(ModelError::NotAModel { .. })),
                "{bad:?}"
            );
        }
    }
}
