//! The dialect functions against the cases they were specified with.

mod cases;
mod gate;
mod items;
mod properties;
mod reports;
mod shared;
mod verdicts;
