//! tautochrone.

use super::{KeyOp, Library, NumberOp};
use crate::keys::TestKey;
use crate::operands::{Operands, PUBLIC_EXPONENT, trimmed, with_size};
use crate::task::Task;
use std::hint::black_box;
use tautochrone::rsa::PrivateKey;
use tautochrone::{Backend, BoxedUint, Limb, Modulus, Nat, Public, Residue, Storage, Uint, ct, limbs_for, pow_pair};

/// On one backend.
pub struct Ours(pub Backend);

/// What the crate takes when it is not told: of keys, always.
pub fn default_backend() -> Backend {
    Backend::available().next().expect("there is always portable code")
}

impl Library for Ours {
    fn name(&self) -> &'static str {
        "ours"
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        let backend = self.0;
        Some(match op {
            // On the heap, where rivals have their contexts too.
            NumberOp::SetupSecret => setup(o, move |n| Modulus::with_backend(n, backend)),
            NumberOp::SetupPublic => {
                setup(o, move |n| Modulus::with_backend_vartime(ct::declassify(n, "a bench has no secrets"), backend))
            }
            _ => with_size!(o.bits, BITS => arithmetic(op, o, Numbers::<[Limb; limbs_for(BITS)]>::new(o, backend))),
        })
    }

    fn pow_pair(&self, first: &Operands, second: &Operands) -> Option<Task> {
        Some(with_size!(first.bits, BITS => {
            let numbers = [first, second].map(|o| Numbers::<[Limb; limbs_for(BITS)]>::new(o, self.0));
            pair(numbers, [first, second].map(|o| heap(&o.exponent, o.bits)))
        }))
    }

    fn key(&self, op: KeyOp, key: &TestKey) -> Option<Task> {
        let (pkcs8, padded) = (key.pkcs8, key.padded.clone());
        let load = move || PrivateKey::from_pkcs8_der(black_box(pkcs8)).expect("the key is good");
        let sign = move |key: &PrivateKey| key.private_op(black_box(&padded)).expect("the operation succeeds");
        Some(match op {
            KeyOp::Private => Task::new(
                (load(), Vec::new()),
                move |(key, signature)| *signature = sign(key).to_vec(),
                |(_, signature)| trimmed(signature),
            ),
            KeyOp::Load => Task::new(None, move |key| *key = Some(load()), move |key| trimmed(&sign(ready(key)))),
        })
    }
}

/// What a call has left.
fn ready<T>(state: &Option<T>) -> &T {
    state.as_ref().expect("a call went before")
}

fn heap(bytes: &[u8], bits: u32) -> BoxedUint {
    BoxedUint::from_be_bytes(bytes, bits).expect("the width holds it")
}

type Heap = Box<[Limb]>;

fn setup(o: &Operands, new: impl Fn(BoxedUint) -> Result<Modulus<Heap>, tautochrone::Error> + 'static) -> Task {
    let (n, x, y) = (heap(&o.modulus, o.bits), heap(&o.x, o.bits), heap(&o.y, o.bits));
    Task::new(
        None,
        // A context keeps its modulus, so the copy belongs to it, as it does in the rivals.
        move |context| *context = Some(new(black_box(&n).clone()).expect("the modulus is odd")),
        move |context| {
            let m = ready(context);
            trimmed(&m.nat(&m.mul(&m.residue(&x), &m.residue(&y))).to_be_bytes())
        },
    )
}

/// A modulus and numbers below it.
struct Numbers<S: Storage> {
    m: Modulus<S>,
    x: Nat<S>,
    y: Nat<S>,
}

impl<const N: usize> Numbers<[Limb; N]> {
    fn new(o: &Operands, backend: Backend) -> Self {
        let number = |bytes: &[u8]| Uint::<N>::from_be_bytes(bytes).expect("the width holds it");
        let m = Modulus::with_backend(number(&o.modulus), backend).expect("the modulus is odd");
        Numbers { m, x: number(&o.x), y: number(&o.y) }
    }
}

fn power<S: Storage>(m: &Modulus<S>, x: &Nat<S>, raise: impl FnOnce(&Residue<S>) -> Residue<S>) -> Nat<S> {
    m.nat(&raise(&m.residue(black_box(x))))
}

fn arithmetic<S: Storage>(op: NumberOp, o: &Operands, numbers: Numbers<S>) -> Task {
    let Numbers { m, x, y } = numbers;
    let leave = |(m, x): &(Modulus<S>, Residue<S>)| trimmed(&m.nat(x).to_be_bytes());
    let last = |(_, _, last): &(Modulus<S>, Nat<S>, Nat<S>)| trimmed(&last.to_be_bytes());
    let (chain, y) = (m.residue(&x), m.residue(&y));
    let first = x.clone();
    match op {
        NumberOp::MontMul => Task::new((m, chain), move |(m, x)| m.mul_assign(x, black_box(&y)), leave),
        NumberOp::MontSquare => Task::new((m, chain), |(m, x)| m.square_assign(x), leave),
        NumberOp::Pow => {
            let (e, bits) = (heap(&o.exponent, o.bits), o.bits);
            let raise = move |m: &Modulus<S>, x: &Nat<S>| power(m, x, |x| m.pow_bounded(x, black_box(&e), bits));
            Task::new((m, x, first), move |(m, x, z)| *z = raise(m, x), last)
        }
        NumberOp::PowPublic => {
            let e = Public::<BoxedUint>::from_u64(PUBLIC_EXPONENT.into(), 64);
            let raise = move |m: &Modulus<S>, x: &Nat<S>| power(m, x, |x| m.pow_vartime(x, black_box(&e)));
            Task::new((m, x, first), move |(m, x, z)| *z = raise(m, x), last)
        }
        NumberOp::SetupSecret | NumberOp::SetupPublic => unreachable!("a set-up has no numbers yet"),
    }
}

fn pair<S: Storage>(numbers: [Numbers<S>; 2], exponents: [BoxedUint; 2]) -> Task {
    let [a, b] = numbers;
    let first = [a.x.clone(), b.x.clone()];
    Task::new(
        first,
        move |z| {
            let (x, y) = (a.m.residue(black_box(&a.x)), b.m.residue(black_box(&b.x)));
            let [e1, e2] = black_box(&exponents);
            let (x, y) = pow_pair(&a.m, &x, e1, &b.m, &y, e2);
            *z = [a.m.nat(&x), b.m.nat(&y)];
        },
        |z| z.iter().flat_map(|z| trimmed(&z.to_be_bytes())).collect(),
    )
}
