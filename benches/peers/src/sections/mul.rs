//! Products and squares in Montgomery form, each waiting for the one before it.

use super::Run;
use crate::floors::Floors;
use crate::group::{CHECKED_CALLS, Group};
use crate::libraries::NumberOp;
use crate::operands::Operands;
use crate::report::Line;

pub fn measure(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    let operands = Operands::new(bits, 1);
    let products = operands.expect(|m, x, y, _| x * y.pow(CHECKED_CALLS) % m);
    let squares = operands.expect(|m, x, _, _| x.modpow(&(1u32 << CHECKED_CALLS).into(), m));
    let chain = |op, number_op, expected: &[u8], floor: fn(&Floors, u32) -> Option<f64>| {
        let mut group = Group::new(bits);
        let all = group.add_number(&run.libraries, number_op, &operands, CHECKED_CALLS, expected)?;
        let line = group.measure(&run.machine, run.rounds, 1).first_against_rest(op, run.backend, all);
        Ok::<_, String>(Line { floor_ns: floor(&run.floors, bits), ..line })
    };
    Ok(vec![
        chain("mont_mul", NumberOp::MontMul, &products, Floors::mont_mul)?,
        chain("mont_square", NumberOp::MontSquare, &squares, Floors::mont_square)?,
    ])
}
