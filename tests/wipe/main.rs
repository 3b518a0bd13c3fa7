//! No block of memory goes back to the allocator with a secret in it; and memory is asked for outside loops only.

#[path = "../common/mod.rs"]
mod common;
mod watch;

mod counts;
mod numbers;
#[cfg(feature = "rsa")]
mod rsa;

#[global_allocator]
static ALLOCATOR: watch::Checking = watch::Checking;
