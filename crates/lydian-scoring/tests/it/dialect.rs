//! The dialect functions against the cases they were specified with.

mod cases;
mod gate;
mod shared;
