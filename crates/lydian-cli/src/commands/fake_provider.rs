//! `lydian fake-provider`: a local server that speaks every provider's wire form and misbehaves on request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use lydian_harness::fake_provider::{FakeProvider, Script};

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Arguments of `lydian fake-provider`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Port to listen on; 0 picks a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Rules and translations, in TOML or JSON
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The first line on standard output is the base URL. It speaks OpenAI chat completions, Anthropic Messages, Gemini
generateContent, DeepL, Google Translate v2 and LibreTranslate; GET /__lydian/stats returns its own count.

The model's name says how it behaves, parts joined by +, a number after an error saying how often:
  m-ok  m-slow-200  m-jitter-200  m-rate-20  m-429-2  m-500  m-401  m-daily  m-quota  m-policy  m-err200-1
  m-choicesnull  m-nochoices  m-finisherr  m-html  m-reset  m-cut  m-hang  m-len  m-reasonout  m-filter-1
  m-refusal  m-empty  m-tool  m-nousage  m-cached  m-cost  m-upstreams  m-entities  m-batchshift
  m-batchskip  m-batchswap  m-batchtext
Engines that name no model behave like MODEL under BASE_URL/as/MODEL.

Examples:
  lydian fake-provider
  lydian fake-provider --port 8099 --script answers.toml
  lydian run corpus.json --method my-method --base-url http://127.0.0.1:8099 --out runs/try";

/// Serves until the process is ended.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let script = match &arguments.script {
        Some(path) => {
            let text = String::from_utf8(files::read(path)?)
                .map_err(|error| CommandError::from_error(Exit::InvalidDocument, error))?;
            Script::parse(&text).map_err(|error| {
                CommandError::from_error(Exit::InvalidDocument, error).context(path.display().to_string())
            })?
        }
        None => Script::default(),
    };
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port);
        let server = FakeProvider::start(address, script).await.map_err(|error| {
            CommandError::from(error)
                .context(format!("cannot listen on {address}"))
                .with_hint("--port 0 picks a free port")
        })?;
        context.print(&format!("{}\n", server.base_url()))?;
        tokio::select! {
            () = server.wait() => Ok(Exit::Done),
            signal = tokio::signal::ctrl_c() => signal.map(|()| Exit::Done).map_err(CommandError::from),
        }
    })
}
