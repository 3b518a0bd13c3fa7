//! The modular left shift, whole words at a time, beside the two shapes that go bit by bit.

use super::Run;
use crate::group::Group;
use crate::operands::{Operands, trimmed, with_size};
use crate::report::Line;
use crate::task::Task;
use std::hint::black_box;
use tautochrone::{Uint, limbs_for, shapes};

pub fn measure(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    with_size!(bits, BITS => at::<{ limbs_for(BITS) }>(run, bits))
}

type Shape<const N: usize> = fn(&Uint<N>, u32, &Uint<N>) -> Uint<N>;

fn at<const N: usize>(run: &Run, bits: u32) -> Result<Vec<Line>, String> {
    let operands = Operands::new(bits, 1);
    // The shift that a Montgomery context with a word to spare asks for.
    let k = 64 * bits.div_ceil(64) + 64;
    let expected = operands.expect(|m, x, _, _| (x << k) % m);
    let number = |bytes: &[u8]| Uint::<N>::from_be_bytes(bytes).expect("the width holds it");
    let shapes: [(&str, Shape<N>); 3] =
        [("ours", Uint::<N>::shl_mod), ("lshift1", shapes::shl_mod_lshift1), ("doubling", shapes::shl_mod_doubling)];
    let mut group = Group::new(bits);
    for (name, shift) in shapes {
        let (m, x) = (number(&operands.modulus), number(&operands.x));
        let task =
            Task::new(x.clone(), move |z| *z = shift(black_box(&x), black_box(k), &m), |z| trimmed(&z.to_be_bytes()));
        group.add(name, task, 1, &expected)?;
    }
    let measured = group.measure(&run.machine, run.rounds, 1);
    Ok(vec![
        measured.line("shl_mod/lshift1", run.default_backend, 0, 1..2),
        measured.line("shl_mod/doubling", run.default_backend, 0, 2..3),
    ])
}
