//! The private operation.

use crate::ct::declassify;
use crate::error::Error;
use crate::limb::Limb;
use crate::limbs::add;
use crate::montgomery::{Residue, pow_pair};
use crate::nat::BoxedUint;
use crate::rsa::key::PrivateKey;
use crate::rsa::public::product;
use alloc::{boxed::Box, vec};
use subtle::{ConstantTimeEq, ConstantTimeLess};
use zeroize::Zeroizing;

type Half = Residue<Box<[Limb]>>;

impl PrivateKey {
    /// input^d mod n, both big-endian and [`size`](Self::size) bytes long: the operation without any padding.
    ///
    /// By the Chinese remainders, m₁ = c^dP mod p and m₂ = c^dQ mod q; then the result is raised to e and compared with
    /// the input, so that neither a fault nor a damaged key gives a result that is wrong: such a one would give away the
    /// primes (Boneh, DeMillo, Lipton 1997).
    ///
    /// # Leaks
    /// The lengths of n, p and q; e; whether the input is below n; whether the result was right.
    ///
    /// # Errors
    /// [`Error::Length`] unless the input has exactly [`size`](Self::size) bytes; [`Error::OutOfRange`] unless it is
    /// below n; [`Error::Fault`] where the result does not hold, of which then nothing is left.
    ///
    /// ```
    /// use tautochrone::rsa::PrivateKey;
    /// let pem = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa2048.pem"));
    /// let key = PrivateKey::from_pkcs8_pem(pem)?;
    /// let result = key.private_op(&[42; 256])?;
    /// assert_eq!(*key.public_key().public_op(&result)?, [42; 256]);
    /// # Ok::<(), tautochrone::Error>(())
    /// ```
    pub fn private_op(&self, input: &[u8]) -> Result<Zeroizing<Box<[u8]>>, Error> {
        self.private_op_with(input, |_, _| ())
    }

    /// The same, with a look at m₁ and m₂: what a test corrupts.
    fn private_op_with(
        &self,
        input: &[u8],
        tamper: impl FnOnce(&mut Half, &mut Half),
    ) -> Result<Zeroizing<Box<[u8]>>, Error> {
        let PrivateKey { public, p, q, dp, dq, .. } = self;
        let c = public.read_input(input)?;
        let (mut m1, mut m2) = pow_pair(p, &p.residue(&c), dp, q, &q.residue(&c), dq);
        tamper(&mut m1, &mut m2);
        let s = self.recombine(&m1, &m2);
        let holds = s.ct_lt(&public.n) & public.raise(&s).ct_eq(&c);
        if !declassify(holds, "whether a private operation holds, told by the result") {
            return Err(Error::Fault);
        }
        let mut out = Zeroizing::new(vec![0; self.size()].into_boxed_slice());
        s.write_be_bytes(&mut out)?;
        Ok(out)
    }

    /// m₂ + q·((m₁ − m₂)·qInv mod p), which is at most q − 1 + q·(p − 1) = n − 1.
    ///
    /// m₂ is reduced modulo p first, so that the order and the lengths of p and q do not matter.
    fn recombine(&self, m1: &Half, m2: &Half) -> BoxedUint {
        let PrivateKey { public, p, q, qinv, .. } = self;
        let m2 = q.nat(m2);
        let mut h = p.sub(m1, &p.residue(&m2));
        p.mul_assign(&mut h, qinv);
        let h = p.nat(&h);
        let mut s = product(&h, q.modulus());
        add::add_assign(s.as_mut_limbs(), m2.as_limbs());
        // bits(p) + bits(q) is not below bits(n): this only cuts off zeros.
        s.resize(public.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limb::LIMB_BITS;
    use std::vec::Vec;

    const KEYS: [&str; 3] = [
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa1024.pem")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa1128_unequal.pem")),
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/keys/rsa1128_unequal_swapped.pem")),
    ];

    fn flip(limbs: &mut [Limb], bit: u32) {
        limbs[(bit / LIMB_BITS) as usize] ^= 1 << (bit % LIMB_BITS);
    }

    /// The lowest bits, the highest ones, the ends of limbs, and a few in between.
    fn bits(limbs: &[Limb]) -> Vec<u32> {
        let width = limbs.len() as u32 * LIMB_BITS;
        let some = [0, 1, 2, LIMB_BITS - 1, LIMB_BITS, width / 3, width / 2, width - 2, width - 1];
        some.into_iter().filter(|bit| *bit < width).collect()
    }

    /// An input that is no multiple of p or q, and not 0, 1 or −1 modulo one of them.
    fn input(key: &PrivateKey) -> Vec<u8> {
        (0..key.size()).map(|i| if i == 0 { 1 } else { (7 * i) as u8 }).collect()
    }

    type Part = for<'a> fn(&'a mut PrivateKey) -> &'a mut [Limb];

    /// Every secret that the operation reads.
    const PARTS: [(&str, Part); 9] = [
        ("dp", |key| key.dp.as_mut_limbs()),
        ("dq", |key| key.dq.as_mut_limbs()),
        ("qinv", |key| key.qinv.form_mut()),
        ("n of p", |key| key.p.fields_mut().0),
        ("rr of p", |key| key.p.fields_mut().1),
        ("n0 of p", |key| key.p.fields_mut().2),
        ("n of q", |key| key.q.fields_mut().0),
        ("rr of q", |key| key.q.fields_mut().1),
        ("n0 of q", |key| key.q.fields_mut().2),
    ];

    #[test]
    fn a_flipped_bit_of_the_key_is_a_fault() {
        for pem in KEYS {
            let good = PrivateKey::from_pkcs8_pem(pem).unwrap();
            let input = input(&good);
            assert!(good.private_op(&input).is_ok());
            for (name, part) in PARTS {
                let mut key = good.clone();
                for bit in bits(part(&mut key)) {
                    flip(part(&mut key), bit);
                    assert_eq!(key.private_op(&input).err(), Some(Error::Fault), "bit {bit} of {name}");
                    flip(part(&mut key), bit);
                }
                assert!(key.private_op(&input).is_ok());
            }
        }
    }

    #[test]
    fn a_flipped_bit_of_a_half_is_a_fault() {
        for pem in KEYS {
            let key = PrivateKey::from_pkcs8_pem(pem).unwrap();
            let input = input(&key);
            for bit in bits(key.p.modulus().as_limbs()) {
                let result = key.private_op_with(&input, |m1, _| flip(m1.form_mut(), bit));
                assert_eq!(result.err(), Some(Error::Fault), "bit {bit} of m1");
            }
            for bit in bits(key.q.modulus().as_limbs()) {
                let result = key.private_op_with(&input, |_, m2| flip(m2.form_mut(), bit));
                assert_eq!(result.err(), Some(Error::Fault), "bit {bit} of m2");
            }
        }
    }

    /// Halves that agree give the same number whatever qInv is: h = 0.
    #[test]
    fn a_flip_without_an_effect_leaves_the_right_result() {
        let mut key = PrivateKey::from_pkcs8_pem(KEYS[0]).unwrap();
        flip(key.qinv.form_mut(), 5);
        let mut one = std::vec![0; key.size()];
        one[key.size() - 1] = 1;
        assert_eq!(key.private_op(&one).unwrap()[..], one[..]);
    }
}
