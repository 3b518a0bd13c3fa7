//! The BN interface that AWS-LC and OpenSSL both have from their common ancestor, in owned types.

use super::{Library, NumberOp};
use crate::keys::TestKey;
use crate::libraries::KeyOp;
use crate::operands::{Operands, PUBLIC_EXPONENT};
use crate::task::Task;
use std::hint::black_box;
use std::ptr::NonNull;

/// What is called of such a library; the names are those of C.
///
/// # Safety
/// For implementations: a constructor gives what its `free` takes, or null.
/// For calls: pointers are live objects of this library, and what is written is not read by another argument, unless
/// the library's documentation allows it.
pub unsafe trait Bn: 'static {
    const NAME: &'static str;
    type Number;
    type Scratch;
    type Context;

    unsafe fn bin2bn(bytes: &[u8]) -> *mut Self::Number;
    unsafe fn bn2bin(a: *const Self::Number) -> Vec<u8>;
    unsafe fn free(a: *mut Self::Number);
    unsafe fn scratch_new() -> *mut Self::Scratch;
    unsafe fn scratch_free(scratch: *mut Self::Scratch);
    /// `secret`: by the path for moduli that are secret.
    unsafe fn context_new(n: *mut Self::Number, secret: bool, scratch: *mut Self::Scratch) -> *mut Self::Context;
    unsafe fn context_free(m: *mut Self::Context);
    unsafe fn to_montgomery(
        z: *mut Self::Number,
        a: *const Self::Number,
        m: *mut Self::Context,
        scratch: *mut Self::Scratch,
    ) -> i32;
    unsafe fn from_montgomery(
        z: *mut Self::Number,
        a: *const Self::Number,
        m: *mut Self::Context,
        scratch: *mut Self::Scratch,
    ) -> i32;
    unsafe fn mul(
        z: *mut Self::Number,
        a: *const Self::Number,
        b: *const Self::Number,
        m: *mut Self::Context,
        scratch: *mut Self::Scratch,
    ) -> i32;
    /// `secret`: the exponent is.
    unsafe fn pow(
        z: *mut Self::Number,
        a: *const Self::Number,
        e: *const Self::Number,
        n: *const Self::Number,
        m: *mut Self::Context,
        secret: bool,
        scratch: *mut Self::Scratch,
    ) -> i32;
    /// (z, a, e, n, m) twice.
    unsafe fn pow_x2(first: Power<Self>, second: Power<Self>, scratch: *mut Self::Scratch) -> i32;

    fn key(op: KeyOp, key: &TestKey) -> Option<Task>;
}

/// The arguments of one exponentiation.
pub struct Power<B: Bn + ?Sized> {
    pub z: *mut B::Number,
    pub a: *const B::Number,
    pub e: *const B::Number,
    pub n: *const B::Number,
    pub m: *mut B::Context,
}

/// The functions that both libraries have under one name and with arguments in one order, from module `$ffi`.
macro_rules! common {
    ($ffi:ident) => {
        unsafe fn free(a: *mut Self::Number) {
            unsafe { $ffi::BN_clear_free(a) }
        }
        unsafe fn scratch_new() -> *mut Self::Scratch {
            unsafe { $ffi::BN_CTX_new() }
        }
        unsafe fn scratch_free(scratch: *mut Self::Scratch) {
            unsafe { $ffi::BN_CTX_free(scratch) }
        }
        unsafe fn context_free(m: *mut Self::Context) {
            unsafe { $ffi::BN_MONT_CTX_free(m) }
        }
        unsafe fn to_montgomery(
            z: *mut Self::Number,
            a: *const Self::Number,
            m: *mut Self::Context,
            scratch: *mut Self::Scratch,
        ) -> i32 {
            unsafe { $ffi::BN_to_montgomery(z, a, m, scratch) }
        }
        unsafe fn from_montgomery(
            z: *mut Self::Number,
            a: *const Self::Number,
            m: *mut Self::Context,
            scratch: *mut Self::Scratch,
        ) -> i32 {
            unsafe { $ffi::BN_from_montgomery(z, a, m, scratch) }
        }
        unsafe fn mul(
            z: *mut Self::Number,
            a: *const Self::Number,
            b: *const Self::Number,
            m: *mut Self::Context,
            scratch: *mut Self::Scratch,
        ) -> i32 {
            unsafe { $ffi::BN_mod_mul_montgomery(z, a, b, m, scratch) }
        }
        unsafe fn pow(
            z: *mut Self::Number,
            a: *const Self::Number,
            e: *const Self::Number,
            n: *const Self::Number,
            m: *mut Self::Context,
            secret: bool,
            scratch: *mut Self::Scratch,
        ) -> i32 {
            let raise = if secret { $ffi::BN_mod_exp_mont_consttime } else { $ffi::BN_mod_exp_mont };
            unsafe { raise(z, a, e, n, scratch, m) }
        }
        unsafe fn pow_x2(first: Power<Self>, second: Power<Self>, scratch: *mut Self::Scratch) -> i32 {
            let (f, s) = (first, second);
            unsafe { $ffi::BN_mod_exp_mont_consttime_x2(f.z, f.a, f.e, f.n, f.m, s.z, s.a, s.e, s.n, s.m, scratch) }
        }
    };
}
pub(super) use common;

/// A BIGNUM.
struct Number<B: Bn>(NonNull<B::Number>);

impl<B: Bn> Number<B> {
    fn new(bytes: &[u8]) -> Self {
        // SAFETY: the slice is live.
        Number(NonNull::new(unsafe { B::bin2bn(bytes) }).expect("a BIGNUM is made"))
    }

    fn get(&self) -> *mut B::Number {
        self.0.as_ptr()
    }

    fn bytes(&self) -> Vec<u8> {
        // SAFETY: the number is live.
        unsafe { B::bn2bin(self.get()) }
    }
}

impl<B: Bn> Drop for Number<B> {
    fn drop(&mut self) {
        // SAFETY: it came from the library and is dropped once.
        unsafe { B::free(self.get()) }
    }
}

/// A BN_CTX, in which the library keeps its temporaries.
struct Scratch<B: Bn>(NonNull<B::Scratch>);

impl<B: Bn> Scratch<B> {
    fn new() -> Self {
        // SAFETY: no arguments.
        Scratch(NonNull::new(unsafe { B::scratch_new() }).expect("a BN_CTX is made"))
    }

    fn get(&self) -> *mut B::Scratch {
        self.0.as_ptr()
    }
}

impl<B: Bn> Drop for Scratch<B> {
    fn drop(&mut self) {
        // SAFETY: it came from the library and is dropped once.
        unsafe { B::scratch_free(self.get()) }
    }
}

/// A BN_MONT_CTX.
struct Context<B: Bn>(NonNull<B::Context>);

impl<B: Bn> Context<B> {
    fn new(n: &Number<B>, secret: bool, scratch: &Scratch<B>) -> Self {
        // SAFETY: both are live.
        Context(NonNull::new(unsafe { B::context_new(n.get(), secret, scratch.get()) }).expect("a BN_MONT_CTX is made"))
    }

    fn get(&self) -> *mut B::Context {
        self.0.as_ptr()
    }
}

impl<B: Bn> Drop for Context<B> {
    fn drop(&mut self) {
        // SAFETY: it came from the library and is dropped once.
        unsafe { B::context_free(self.get()) }
    }
}

/// Everything of one modulus. `z` is where results go, `form` has room for the Montgomery form of y.
struct Numbers<B: Bn> {
    n: Number<B>,
    x: Number<B>,
    y: Number<B>,
    z: Number<B>,
    form: Number<B>,
    exponent: Number<B>,
    context: Context<B>,
    scratch: Scratch<B>,
}

impl<B: Bn> Numbers<B> {
    fn new(o: &Operands) -> Self {
        let [n, x, y, z, form, exponent] =
            [&o.modulus, &o.x, &o.y, &o.x, &o.y, &o.exponent].map(|bytes| Number::new(bytes));
        let scratch = Scratch::new();
        let context = Context::new(&n, false, &scratch);
        Numbers { n, x, y, z, form, exponent, context, scratch }
    }

    /// z and form := the Montgomery forms of x and y.
    fn enter(&self) {
        let (m, scratch) = (self.context.get(), self.scratch.get());
        // SAFETY: all are live and different.
        check(unsafe { B::to_montgomery(self.z.get(), self.x.get(), m, scratch) });
        check(unsafe { B::to_montgomery(self.form.get(), self.y.get(), m, scratch) });
    }

    /// z := z·b in Montgomery form.
    fn mul(&self, b: &Number<B>) {
        // SAFETY: all are live; the result may be an operand.
        check(unsafe { B::mul(self.z.get(), self.z.get(), b.get(), self.context.get(), self.scratch.get()) });
    }

    /// The number of which z is the Montgomery form.
    fn leave(&self) -> Vec<u8> {
        let out = Number::<B>::new(&[0]);
        // SAFETY: all are live.
        check(unsafe { B::from_montgomery(out.get(), self.z.get(), self.context.get(), self.scratch.get()) });
        out.bytes()
    }

    fn power(&self) -> Power<B> {
        let Numbers { n, x, z, exponent, context, .. } = black_box(self);
        Power { z: z.get(), a: x.get(), e: exponent.get(), n: n.get(), m: context.get() }
    }

    /// z := x^exponent.
    fn raise(&self, secret: bool) {
        let Power { z, a, e, n, m } = self.power();
        // SAFETY: all are live and different.
        check(unsafe { B::pow(z, a, e, n, m, secret, self.scratch.get()) });
    }
}

fn check(status: i32) {
    assert_eq!(status, 1, "a BN function failed");
}

/// A library by its BN interface.
pub struct ByBn<B>(pub B);

impl<B: Bn> Library for ByBn<B> {
    fn name(&self) -> &'static str {
        B::NAME
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        let mut numbers = Numbers::<B>::new(o);
        Some(match op {
            NumberOp::SetupSecret => setup(numbers, true),
            NumberOp::SetupPublic => setup(numbers, false),
            NumberOp::MontMul => {
                numbers.enter();
                Task::new(numbers, |numbers| numbers.mul(&numbers.form), Numbers::leave)
            }
            NumberOp::MontSquare => {
                numbers.enter();
                Task::new(numbers, |numbers| numbers.mul(&numbers.z), Numbers::leave)
            }
            NumberOp::Pow => Task::new(numbers, |numbers| numbers.raise(true), |numbers| numbers.z.bytes()),
            NumberOp::PowPublic => {
                numbers.exponent = Number::new(&PUBLIC_EXPONENT.to_be_bytes());
                Task::new(numbers, |numbers| numbers.raise(false), |numbers| numbers.z.bytes())
            }
        })
    }

    fn pow_pair(&self, first: &Operands, second: &Operands) -> Option<Task> {
        Some(Task::new(
            [first, second].map(Numbers::<B>::new),
            // SAFETY: all are live and different.
            |[first, second]| check(unsafe { B::pow_x2(first.power(), second.power(), first.scratch.get()) }),
            |both| both.iter().flat_map(|numbers| numbers.z.bytes()).collect(),
        ))
    }

    fn key(&self, op: KeyOp, key: &TestKey) -> Option<Task> {
        B::key(op, key)
    }
}

fn setup<B: Bn>(numbers: Numbers<B>, secret: bool) -> Task {
    Task::new(
        numbers,
        move |numbers| numbers.context = Context::new(black_box(&numbers.n), secret, &numbers.scratch),
        |numbers| {
            numbers.enter();
            numbers.mul(&numbers.form);
            numbers.leave()
        },
    )
}
