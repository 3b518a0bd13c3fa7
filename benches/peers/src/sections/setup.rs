//! Contexts of moduli.

use super::Run;
use crate::group::Group;
use crate::libraries::NumberOp;
use crate::operands::Operands;
use crate::report::Line;

pub fn measure(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    let operands = Operands::new(bits, 1);
    let product = operands.expect(|m, x, y, _| x * y % m);
    let mut group = Group::new(bits);
    let secret = group.add_number(&run.libraries, NumberOp::SetupSecret, &operands, 1, &product)?;
    let public = group.add_number(&run.libraries, NumberOp::SetupPublic, &operands, 1, &product)?;
    let measured = group.measure(&run.machine, run.rounds, 1);
    let public_rivals = public.start + 1..public.end;
    Ok(vec![
        measured.first_against_rest("setup/secret", run.backend, secret.clone()),
        measured.line("setup/secret_vs_public", run.backend, secret.start, public_rivals),
        measured.first_against_rest("setup/public", run.backend, public),
    ])
}
