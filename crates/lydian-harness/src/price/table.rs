//! Price tables: the dated one that is shipped, and the user's own.

use super::{PerMillion, Price, PriceRow, Rates};
use lydian_model::Sha256Hex;
use lydian_model::calendar::is_day;
use lydian_model::prediction::CostSource;
use serde::Deserialize;

/// The table in the program.
const SHIPPED: &str = include_str!("../../data/prices/2026-11-30.toml");
/// Version of the table's form.
const SCHEMA: &str = "lydian/prices@1";

/// Prices by endpoint and model.
#[derive(Clone, Debug)]
pub struct PriceTable {
    source: CostSource,
    as_of: String,
    sha256: Sha256Hex,
    rows: Vec<(Key, Price)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    host: Option<String>,
    model: String,
}

/// Why a price table was refused.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// The file is not valid.
    #[error("the price table is not valid: {0}")]
    Syntax(String),
    /// The form is not known.
    #[error("the price table has schema {0:?}; known is \"lydian/prices@1\"")]
    Schema(String),
    /// The day is none.
    #[error("the price table's as_of {0:?} is no day of the calendar; write it as 2026-05-01")]
    Day(String),
    /// A row cannot be used.
    #[error("price of {model:?}: {problem}")]
    Row {
        /// The row's model.
        model: String,
        /// What is wrong.
        problem: &'static str,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    as_of: String,
    #[serde(rename = "price")]
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Host of the endpoint; any host when absent.
    host: Option<String>,
    model: String,
    input: Option<String>,
    cache_read: Option<String>,
    cache_write: Option<String>,
    output: Option<String>,
    reasoning: Option<String>,
    characters: Option<String>,
    /// True for a model that costs nothing because it runs on the user's own machine.
    #[serde(default)]
    local: bool,
    /// Above this many input tokens other prices hold, which makes them unknown here.
    up_to_input_tokens: Option<u64>,
    #[serde(default)]
    source_url: String,
}

impl PriceTable {
    /// Returns the shipped table.
    pub fn shipped() -> Self {
        Self::read(SHIPPED, CostSource::Table).expect("the shipped table is read in a test")
    }

    /// Reads the user's own table.
    pub fn user(text: &str) -> Result<Self, PriceError> {
        Self::read(text, CostSource::User)
    }

    fn read(text: &str, source: CostSource) -> Result<Self, PriceError> {
        let file: File = toml::from_str(text).map_err(|error| PriceError::Syntax(error.to_string()))?;
        if file.schema != SCHEMA {
            return Err(PriceError::Schema(file.schema));
        }
        if !is_day(&file.as_of) {
            return Err(PriceError::Day(file.as_of));
        }
        let rows = file
            .rows
            .into_iter()
            .map(|row| row.read(source, &file.as_of))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            source,
            as_of: file.as_of,
            sha256: Sha256Hex::of(text.as_bytes()),
            rows,
        })
    }

    /// Returns the price of a model at the endpoint with this identity (its base URL). The first matching row holds.
    pub fn price(&self, endpoint: &str, model: &str) -> Option<&Price> {
        let host = host_of(endpoint);
        self.rows
            .iter()
            .find(|(key, _)| key.model == model && key.host.as_deref().is_none_or(|of| Some(of) == host))
            .map(|(_, price)| price)
    }

    /// Returns the day the prices were read, `YYYY-MM-DD`.
    pub fn as_of(&self) -> &str {
        &self.as_of
    }

    /// Returns the digest of the table, which the card names.
    pub fn sha256(&self) -> &Sha256Hex {
        &self.sha256
    }

    /// Returns whether these are the user's prices.
    pub fn is_user(&self) -> bool {
        self.source == CostSource::User
    }
}

impl Row {
    fn read(self, source: CostSource, as_of: &str) -> Result<(Key, Price), PriceError> {
        let fail = |problem| PriceError::Row {
            model: self.model.clone(),
            problem,
        };
        let amount = |text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => per_million(text)
                .map(Some)
                .ok_or_else(|| fail("an amount is not a decimal number")),
        };
        let (input, output) = (amount(&self.input)?, amount(&self.output)?);
        let (cache_read, cache_write) = (amount(&self.cache_read)?, amount(&self.cache_write)?);
        let reasoning = amount(&self.reasoning)?;
        let rates = match (self.local, amount(&self.characters)?, input, output) {
            (true, None, None, None) => Rates::Free,
            (false, Some(rate), None, None) => Rates::Characters(rate),
            (false, None, Some(input), Some(output)) => Rates::Tokens {
                input,
                cache_read,
                cache_write,
                output,
                reasoning: reasoning.unwrap_or(output),
            },
            _ => {
                return Err(fail(
                    "a row needs input and output, or characters, or local = true",
                ));
            }
        };
        let source = if rates == Rates::Free {
            CostSource::Local
        } else {
            source
        };
        let row = PriceRow {
            model: self.model.clone(),
            source_url: self.source_url,
            as_of: as_of.to_owned(),
        };
        let key = Key {
            host: self.host,
            model: self.model,
        };
        Ok((
            key,
            Price {
                source,
                rates,
                up_to_input_tokens: self.up_to_input_tokens,
                row: Some(row),
            },
        ))
    }
}

/// Reads dollars as nano-dollars, exactly; up to nine decimals.
fn per_million(text: &str) -> Option<PerMillion> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > 9 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let nanos: u64 = format!("{fraction:0<9}").parse().ok()?;
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(nanos)
}

fn host_of(endpoint: &str) -> Option<&str> {
    let rest = endpoint.split_once("://")?.1;
    let authority = rest.split('/').next()?;
    Some(authority.rsplit_once(':').map_or(authority, |(host, _)| host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_valid_and_names_its_sources() {
        let table = PriceTable::shipped();
        assert!(table.rows.len() >= 30);
        for (key, price) in &table.rows {
            let row = price.row.as_ref().unwrap();
            assert!(row.source_url.starts_with("https://"), "{key:?}");
            assert_eq!(price.source, CostSource::Table);
        }
    }

    #[test]
    fn a_price_belongs_to_an_endpoint() {
        let table = PriceTable::shipped();
        let price = table.price("https://api.openai.com/v1", "gpt-4.1").unwrap();
        let Rates::Tokens {
            input,
            output,
            cache_read,
            ..
        } = price.rates
        else {
            panic!("{price:?}")
        };
        assert_eq!(
            (input, output, cache_read),
            (2_000_000_000, 8_000_000_000, Some(500_000_000))
        );
        assert!(table.price("http://localhost:8000/v1", "gpt-4.1").is_none());
        assert!(
            table
                .price("https://api.openai.com/v1", "gpt-4.1-unheard-of")
                .is_none()
        );
    }

    #[test]
    fn a_user_table_may_leave_the_endpoint_open() {
        let text =
            "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m\"\nlocal = true\n";
        let table = PriceTable::user(text).unwrap();
        let price = table.price("http://127.0.0.1:9/v1", "m").unwrap();
        assert_eq!((price.source, price.rates), (CostSource::Local, Rates::Free));
    }

    #[test]
    fn incomplete_rows_are_refused() {
        for row in [
            "input = \"1\"",
            "input = 1.0\noutput = \"1\"",
            "input = \"1e-3\"\noutput = \"1\"",
            "input = \"-1\"\noutput = \"1\"",
            "characters = \"1\"\nlocal = true",
            "",
        ] {
            let text = format!(
                "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m\"\n{row}\n"
            );
            assert!(PriceTable::user(&text).is_err(), "{row}");
        }
        assert!(matches!(
            PriceTable::user("schema = \"lydian/prices@2\"\nas_of = \"x\"\nprice = []"),
            Err(PriceError::Schema(_))
        ));
        assert!(matches!(
            PriceTable::user("schema = \"lydian/prices@1\"\nas_of = \"2026-02-30\"\nprice = []"),
            Err(PriceError::Day(_))
        ));
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(per_million("0.0375"), Some(37_500_000));
        assert_eq!(per_million("15"), Some(15_000_000_000));
        assert_eq!(per_million("0.000000001"), Some(1));
        for bad in [
            "",
            ".5",
            "1.",
            "1.0000000001",
            "a",
            "1,5",
            "+1",
            "99999999999999999999",
        ] {
            assert_eq!(per_million(bad).is_some(), bad == "1.", "{bad}");
        }
    }
}
