//! GMP, built for the CPU at hand: see `gmp.site`.

use super::{Library, NumberOp};
use crate::operands::{Operands, PUBLIC_EXPONENT, bytes, words};
use crate::task::Task;
use gmp_mpfr_sys::gmp;
use std::hint::black_box;
use std::mem::MaybeUninit;

pub struct Gmp;

unsafe extern "C" {
    /// z := t·B^−n mod m, or that plus m, with the carry as result; t is used up. Not in `gmp.h`, but what GMP's own
    /// exponentiations are made of.
    #[link_name = "__gmpn_redc_1"]
    fn mpn_redc_1(z: *mut u64, t: *mut u64, m: *const u64, n: i64, inverse: u64) -> u64;
}

/// GMP has no Montgomery contexts; this is what its exponentiations set up, made of its division.
struct Context {
    m: Vec<u64>,
    /// B^2n mod m
    square: Vec<u64>,
    /// −m⁻¹ mod B
    inverse: u64,
}

impl Context {
    fn new(m: Vec<u64>) -> Self {
        let n = m.len();
        let mut power = vec![0; 2 * n + 1];
        power[2 * n] = 1;
        let (mut quotient, mut square) = (vec![0; n + 2], vec![0; n]);
        // SAFETY: the sizes are those that the manual asks for: 2n + 1 and n limbs give a quotient of n + 2.
        unsafe {
            let n = n as i64;
            gmp::mpn_tdiv_qr(quotient.as_mut_ptr(), square.as_mut_ptr(), 0, power.as_ptr(), 2 * n + 1, m.as_ptr(), n);
        }
        // Each step of Newton doubles the bits that are right; an odd number is its own inverse in three of them.
        let inverse = (0..5).fold(m[0], |x, _| x.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(x))));
        Context { m, square, inverse: inverse.wrapping_neg() }
    }

    /// z := t·B^−n mod m, below B^n.
    fn reduce(&self, z: &mut [u64], t: &mut [u64]) {
        let n = self.m.len();
        assert!(z.len() == n && t.len() == 2 * n);
        // SAFETY: the sizes are as redc_1 and sub_n take them; a result of sub_n may be its operand.
        unsafe {
            let n = n as i64;
            if mpn_redc_1(z.as_mut_ptr(), t.as_mut_ptr(), self.m.as_ptr(), n, self.inverse) != 0 {
                gmp::mpn_sub_n(z.as_mut_ptr(), z.as_ptr(), self.m.as_ptr(), n);
            }
        }
    }

    /// z := z·b·B^−n mod m
    fn mul(&self, z: &mut [u64], b: &[u64], t: &mut [u64]) {
        let n = self.m.len();
        assert!(z.len() == n && b.len() == n && t.len() == 2 * n);
        // SAFETY: n limbs times n limbs are 2n.
        unsafe { gmp::mpn_mul_n(t.as_mut_ptr(), z.as_ptr(), b.as_ptr(), n as i64) };
        self.reduce(z, t);
    }

    /// z := z²·B^−n mod m
    fn square(&self, z: &mut [u64], t: &mut [u64]) {
        let n = self.m.len();
        assert!(z.len() == n && t.len() == 2 * n);
        // SAFETY: the square of n limbs has 2n.
        unsafe { gmp::mpn_sqr(t.as_mut_ptr(), z.as_ptr(), n as i64) };
        self.reduce(z, t);
    }

    /// The Montgomery form of x.
    fn enter(&self, x: &[u64]) -> Vec<u64> {
        let mut z = x.to_vec();
        self.mul(&mut z, &self.square, &mut vec![0; 2 * x.len()]);
        z
    }

    /// The number that z is the Montgomery form of, below m.
    fn leave(&self, z: &[u64]) -> Vec<u8> {
        let (mut t, mut z) = ([z, &vec![0; z.len()]].concat(), z.to_vec());
        self.reduce(&mut z, &mut t);
        // z is at most m, as t was below B^n.
        if z == self.m { Vec::new() } else { bytes(&z) }
    }
}

/// A context, the chain of products, its factor, and room for a product.
struct Chain {
    context: Context,
    z: Vec<u64>,
    factor: Vec<u64>,
    t: Vec<u64>,
}

impl Library for Gmp {
    fn name(&self) -> &'static str {
        "GMP"
    }

    fn offers(&self, op: NumberOp) -> bool {
        op != NumberOp::SetupPublic
    }

    fn number(&self, op: NumberOp, o: &Operands) -> Option<Task> {
        let n = o.bits.div_ceil(64) as usize;
        let [m, x, y, exponent] = [&o.modulus, &o.x, &o.y, &o.exponent].map(|number| words(number, n));
        match op {
            NumberOp::SetupSecret => None,
            NumberOp::SetupPublic => Some(Task::new(
                None,
                move |context| *context = Some(Context::new(black_box(&m).clone())),
                move |context| {
                    let context = context.as_ref().expect("a call went before");
                    let mut z = context.enter(&x);
                    context.mul(&mut z, &context.enter(&y), &mut vec![0; 2 * x.len()]);
                    context.leave(&z)
                },
            )),
            NumberOp::MontMul | NumberOp::MontSquare => {
                let context = Context::new(m);
                let (z, factor, t) = (context.enter(&x), context.enter(&y), vec![0; 2 * n]);
                let chain = Chain { context, z, factor, t };
                let result = |c: &Chain| c.context.leave(&c.z);
                Some(match op {
                    NumberOp::MontMul => {
                        Task::new(chain, |c| c.context.mul(&mut c.z, black_box(&c.factor), &mut c.t), result)
                    }
                    _ => Task::new(chain, |c| c.context.square(&mut c.z, &mut c.t), result),
                })
            }
            NumberOp::Pow => Some(secret_power(o.bits, m, x, exponent)),
            NumberOp::PowPublic => Some(public_power(m, x)),
        }
    }
}

/// By `mpn_sec_powm`, which sets up its context in each call.
fn secret_power(bits: u32, m: Vec<u64>, x: Vec<u64>, exponent: Vec<u64>) -> Task {
    let n = m.len();
    let size = n as i64;
    // SAFETY: no pointers.
    let itch = unsafe { gmp::mpn_sec_powm_itch(size, bits.into(), size) };
    let scratch = vec![0; itch as usize];
    Task::new(
        (vec![0; n], scratch),
        move |(z, scratch): &mut (Vec<u64>, Vec<u64>)| {
            let (m, x, exponent) = black_box((&m, &x, &exponent));
            // SAFETY: z, x and m have n limbs, the exponent has so many bits, and the scratch is as large as asked for.
            unsafe {
                gmp::mpn_sec_powm(
                    z.as_mut_ptr(),
                    x.as_ptr(),
                    size,
                    exponent.as_ptr(),
                    bits.into(),
                    m.as_ptr(),
                    size,
                    scratch.as_mut_ptr(),
                );
            }
        },
        |(z, _)| bytes(z),
    )
}

/// By `mpz_powm_ui`.
fn public_power(m: Vec<u64>, x: Vec<u64>) -> Task {
    let n = m.len();
    Task::new(
        Integer::new(),
        move |z| {
            let (mut mpz_x, mut mpz_m) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            // SAFETY: x and m outlive the views on them, whose top limbs are not zero.
            unsafe {
                let x = gmp::mpz_roinit_n(mpz_x.as_mut_ptr(), black_box(&x).as_ptr(), n as i64);
                let m = gmp::mpz_roinit_n(mpz_m.as_mut_ptr(), m.as_ptr(), n as i64);
                gmp::mpz_powm_ui(&mut z.0, x, PUBLIC_EXPONENT.into(), m);
            }
        },
        Integer::bytes,
    )
}

/// An mpz_t of our own.
struct Integer(gmp::mpz_t);

impl Integer {
    fn new() -> Self {
        let mut z = MaybeUninit::uninit();
        // SAFETY: mpz_init makes it whole.
        unsafe {
            gmp::mpz_init(z.as_mut_ptr());
            Integer(z.assume_init())
        }
    }

    fn bytes(&self) -> Vec<u8> {
        // SAFETY: so many limbs are there to be read.
        bytes(unsafe { std::slice::from_raw_parts(gmp::mpz_limbs_read(&self.0), gmp::mpz_size(&self.0)) })
    }
}

impl Drop for Integer {
    fn drop(&mut self) {
        // SAFETY: it was made by mpz_init and is dropped once.
        unsafe { gmp::mpz_clear(&mut self.0) }
    }
}
