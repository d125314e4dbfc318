//! `lydian sweep`: plans, runs, what is made again and what is not, parts, and the same cards however they were made.

mod budget;
mod cost;
mod damage;
mod endings;
mod parts;
mod plan;
mod queue;
mod running;
mod stage;
mod verdict;
