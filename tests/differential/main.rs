//! Every operation on numbers against `num-bigint`, at all widths from 1 to 70 limbs, with limbs that make carries run.

#[path = "../common/mod.rs"]
mod common;
mod draw;

mod division;
mod encodings;
mod lengths;
mod modular;
mod montgomery;
mod nat;
mod pow;
