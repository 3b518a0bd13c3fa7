//! Exponentiations, from number to number, with contexts that are there already.

use super::Run;
use crate::group::Group;
use crate::libraries::NumberOp;
use crate::operands::{Operands, PUBLIC_EXPONENT};
use crate::report::Line;

pub fn measure(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    let (first, second) = (Operands::new(bits, 1), Operands::new(bits, 2));
    let power = |operands: &Operands| operands.expect(|m, x, _, e| x.modpow(e, m));
    let single = {
        let mut group = Group::new(bits);
        let all = group.add_number(&run.libraries, NumberOp::Pow, &first, 1, &power(&first))?;
        group.measure(&run.machine, run.rounds, 1).first_against_rest("pow", run.backend, all)
    };
    let pair = {
        let mut group = Group::new(bits);
        let expected = [power(&first), power(&second)].concat();
        let all = group.add_all(&run.libraries, |library| library.pow_pair(&first, &second), 1, &expected)?;
        group.measure(&run.machine, run.rounds, 2).first_against_rest("pow_pair", run.backend, all)
    };
    let public = {
        let mut group = Group::new(bits);
        let expected = first.expect(|m, x, _, _| x.modpow(&PUBLIC_EXPONENT.into(), m));
        let all = group.add_number(&run.libraries, NumberOp::PowPublic, &first, 1, &expected)?;
        group.measure(&run.machine, run.rounds, 1).first_against_rest("pow_public", run.backend, all)
    };
    let floor_ns = run.floors.pow(bits);
    Ok(vec![Line { floor_ns, ..single }, Line { floor_ns, ..pair }, public])
}
