//! RSA private keys. They take no backend.

use super::Run;
use crate::group::Group;
use crate::keys;
use crate::libraries::KeyOp;
use crate::report::Line;

pub fn private(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    measure(run, bits, "rsa_private", KeyOp::Private)
}

pub fn load(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    measure(run, bits, "rsa_load", KeyOp::Load)
}

fn measure(run: &Run, bits: u32, name: &'static str, op: KeyOp) -> Result<Vec<Line>, String> {
    let key = keys::of(bits).expect("there is a key of each size of the section");
    let mut group = Group::new(bits);
    let all = group.add_key(&run.libraries, op, &key)?;
    Ok(vec![group.measure(&run.machine, run.rounds, 1).first_against_rest(name, run.default_backend, all)])
}
