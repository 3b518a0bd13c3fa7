//! crypto-bigint, its numbers on the stack and those on the heap.

use super::{Library, NumberOp};
use crate::operands::{Operands, PUBLIC_EXPONENT, bytes, with_size, words};
use crate::task::Task;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams, FixedMontyForm, FixedMontyParams, Retrieve};
use crypto_bigint::{BoxedUint, Limb, MontyForm, MontyMultiplier, Odd, U64, Uint, UnsignedWithMontyForm};
use std::hint::black_box;

pub struct Fixed;
pub struct Boxed;

type Form<U> = <U as UnsignedWithMontyForm>::MontyForm;
type Params<U> = <Form<U> as MontyForm>::Params;

/// What the two kinds of numbers do not share by a trait.
struct Kind<U: UnsignedWithMontyForm> {
    number: fn(&[u64]) -> U,
    secret_params: fn(Odd<U>) -> Params<U>,
    pow: fn(&Form<U>, &U, u32) -> Form<U>,
    pow_public: fn(&Form<U>) -> Form<U>,
}

impl Library for Fixed {
    fn name(&self) -> &'static str {
        "crypto-bigint"
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        Some(with_size!(o.bits, BITS => task(op, o, &fixed::<{ BITS.div_ceil(64) as usize }>())))
    }
}

fn fixed<const N: usize>() -> Kind<Uint<N>> {
    Kind {
        number: |words| Uint::from_words(words.try_into().expect("the words are as many as the limbs")),
        secret_params: FixedMontyParams::new,
        pow: FixedMontyForm::pow_amm_bounded_exp,
        pow_public: |x| x.pow_vartime(&U64::from(PUBLIC_EXPONENT)),
    }
}

impl Library for Boxed {
    fn name(&self) -> &'static str {
        "crypto-bigint heap"
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        let kind = Kind {
            number: |words| BoxedUint::from_words(words.iter().copied()),
            secret_params: BoxedMontyParams::new,
            pow: BoxedMontyForm::pow_bounded_exp,
            pow_public: |x| {
                x.pow_bounded_exp(&BoxedUint::from(PUBLIC_EXPONENT), u32::BITS - PUBLIC_EXPONENT.leading_zeros())
            },
        };
        Some(task(op, o, &kind))
    }
}

fn out<U: AsRef<[Limb]>>(number: &U) -> Vec<u8> {
    bytes(&number.as_ref().iter().map(|limb| limb.0).collect::<Vec<_>>())
}

/// The operation, for both kinds of numbers.
fn task<U: UnsignedWithMontyForm>(op: NumberOp, o: &Operands, kind: &Kind<U>) -> Task {
    let number = |bytes: &[u8]| (kind.number)(&words(bytes, o.bits.div_ceil(64) as usize));
    let [n, x, y, exponent] = [&o.modulus, &o.x, &o.y, &o.exponent].map(|bytes| number(bytes));
    let n = Odd::new(n).expect("the modulus is odd");
    let params = (kind.secret_params)(n.clone());
    let (form, factor) = (Form::<U>::new(x.clone(), &params), Form::<U>::new(y.clone(), &params));
    let (bits, pow, pow_public) = (o.bits, kind.pow, kind.pow_public);
    match op {
        NumberOp::SetupSecret => setup(n, x, y, kind.secret_params),
        NumberOp::SetupPublic => setup(n, x, y, Form::<U>::new_params_vartime),
        // The multiplier spares each product an allocation.
        NumberOp::MontMul => Task::looping(
            form,
            move |form, calls| {
                let mut multiplier = <Form<U> as MontyForm>::Multiplier::from(&params);
                (0..calls).for_each(|_| multiplier.mul_assign(form, black_box(&factor)));
            },
            |form| out(&form.retrieve()),
        ),
        NumberOp::MontSquare => Task::looping(
            form,
            move |form, calls| {
                let mut multiplier = <Form<U> as MontyForm>::Multiplier::from(&params);
                (0..calls).for_each(|_| multiplier.square_assign(form));
            },
            |form| out(&form.retrieve()),
        ),
        NumberOp::Pow => power(params, x, move |x| pow(x, black_box(&exponent), bits)),
        NumberOp::PowPublic => power(params, x, pow_public),
    }
}

fn setup<U: UnsignedWithMontyForm>(n: Odd<U>, x: U, y: U, new: impl Fn(Odd<U>) -> Params<U> + 'static) -> Task {
    Task::new(
        None,
        move |params| *params = Some(new(black_box(&n).clone())),
        move |params| {
            let params = params.as_ref().expect("a call went before");
            let z = Form::<U>::new(x.clone(), params) * &Form::<U>::new(y.clone(), params);
            out(&z.retrieve())
        },
    )
}

fn power<U: UnsignedWithMontyForm>(params: Params<U>, x: U, raise: impl Fn(&Form<U>) -> Form<U> + 'static) -> Task {
    Task::new(x.clone(), move |z| *z = raise(&Form::<U>::new(black_box(&x).clone(), &params)).retrieve(), |z| out(z))
}
