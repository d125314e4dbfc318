//! Runs everything outside the process: methods, plugins, engines; retry, limits, journal, cache, cost.
#![forbid(unsafe_code)]

pub mod budget;
pub mod cache;
pub mod checker;
pub mod endpoint;
pub mod fake_provider;
pub mod finite_file;
pub mod item_prompt;
pub mod journal;
pub mod limit;
pub mod line_process;
pub mod method;
pub mod method_digest;
pub mod method_install;
pub mod method_template;
pub mod plugin;
pub mod pool;
pub mod post_processing;
pub mod price;
pub mod prompt;
pub mod provider;
pub mod provider_method;
pub mod run;
pub mod secret;
pub mod semantic;
pub mod sweep;
pub mod tool;
pub mod translator;
pub mod transport;
