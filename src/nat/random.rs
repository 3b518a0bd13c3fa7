//! Random numbers, uniform over a width or below a bound.

use crate::ct::{Public, declassify};
use crate::error::{Error, Field};
use crate::limb::{LIMB_BITS, LIMB_BYTES, Limb, limbs_for};
use crate::limbs::{add, bytes};
#[cfg(feature = "alloc")]
use crate::nat::BoxedUint;
use crate::nat::{Nat, Uint};
use crate::storage::{Limbs, Storage};
use core::fmt;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// Why there is no random number below a bound.
///
/// ```
/// use tautochrone::{Error, Field, RandomError};
/// let refused = RandomError::<std::io::Error>::Bound(Error::TooSmall(Field::Bound));
/// assert_eq!(refused.to_string(), "bound is too small");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RandomError<E> {
    /// The bound is 0: [`Error::TooSmall`].
    Bound(Error),
    /// The generator failed.
    Rng(E),
}

impl<E> fmt::Display for RandomError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RandomError::Bound(error) => error.fmt(f),
            RandomError::Rng(_) => f.write_str("the random number generator failed"),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for RandomError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            RandomError::Bound(_) => None,
            RandomError::Rng(error) => Some(error),
        }
    }
}

/// z := a number uniform below B^n.
fn draw<R: TryCryptoRng + ?Sized>(z: &mut [Limb], rng: &mut R) -> Result<(), R::Error> {
    // A buffer of fixed size needs no allocator, and calls of whole blocks suit every generator.
    let mut buffer = Zeroizing::new([0; 64]);
    for z in z.chunks_mut(buffer.len() / LIMB_BYTES) {
        let drawn = &mut buffer[..z.len() * LIMB_BYTES];
        rng.try_fill_bytes(drawn)?;
        bytes::from_le_bytes(z, drawn);
    }
    Ok(())
}

/// z := z mod 2^`bits`. Leaks: `bits`.
fn keep_low(z: &mut [Limb], bits: u32) {
    if let Some([cut, above @ ..]) = z.get_mut((bits / LIMB_BITS) as usize..) {
        *cut &= Limb::wrapping_sub(1 << (bits % LIMB_BITS), 1);
        above.fill(0);
    }
}

impl<const N: usize> Uint<N> {
    /// A number uniform below 2^BITS.
    ///
    /// # Errors
    /// That of the generator.
    ///
    /// ```
    /// use tautochrone::{U256, rand_core::TryCryptoRng};
    /// fn two<R: TryCryptoRng>(rng: &mut R) -> Result<[U256; 2], R::Error> {
    ///     Ok([U256::random(rng)?, U256::random(rng)?])
    /// }
    #[doc = include_str!("random_example.md")]
    /// let [a, b] = two(&mut rng)?;
    /// assert_ne!(a.to_be_bytes(), b.to_be_bytes());
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    pub fn random<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut z = Self::ZERO;
        draw(z.as_mut_limbs(), rng)?;
        Ok(z)
    }
}

#[cfg(feature = "alloc")]
impl BoxedUint {
    /// A number uniform below 2^`bits`; its width is `bits`, rounded up to whole limbs.
    ///
    /// # Errors
    /// That of the generator.
    ///
    /// ```
    /// use tautochrone::BoxedUint;
    #[doc = include_str!("random_example.md")]
    /// let x = BoxedUint::random(&mut rng, 521)?;
    /// assert!(!bool::from(x.bit(521)));
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    pub fn random<R: TryCryptoRng + ?Sized>(rng: &mut R, bits: u32) -> Result<Self, R::Error> {
        let mut z = BoxedUint::zero(bits);
        draw(z.as_mut_limbs(), rng)?;
        keep_low(z.as_mut_limbs(), bits);
        Ok(z)
    }
}

/// Bits drawn beyond the width of a bound.
const EXCESS_BITS: u32 = 128;

impl<S: Storage> Nat<S> {
    /// A number below `bound`, of its width: 128 bits more than the width are drawn and reduced, so each value's
    /// probability differs from 1/bound by less than 2^−128 of it, and nothing is rejected.
    ///
    /// Leaks: whether the bound is 0.
    ///
    /// # Errors
    /// [`RandomError::Bound`] if `bound` is 0; [`RandomError::Rng`] if the generator fails.
    ///
    /// ```
    /// use tautochrone::{Nat, RandomError, U256, subtle::ConstantTimeLess};
    #[doc = include_str!("random_example.md")]
    /// let bound = U256::from_u64(1_000_000_007);
    /// let x = Nat::random_below(&mut rng, &bound)?;
    /// assert!(bool::from(x.ct_lt(&bound)));
    /// # Ok::<(), RandomError<std::convert::Infallible>>(())
    /// ```
    pub fn random_below<R: TryCryptoRng + ?Sized>(rng: &mut R, bound: &Self) -> Result<Self, RandomError<R::Error>> {
        refuse_zero(bound)?;
        let mut low = Uint::<{ limbs_for(EXCESS_BITS) }>::ZERO;
        let mut high = bound.zeros();
        draw(low.as_mut_limbs(), rng).map_err(RandomError::Rng)?;
        draw(high.as_mut_limbs(), rng).map_err(RandomError::Rng)?;
        // high·2^128 + low, by parts for which every width has room; the bound is not 0, so no default is used.
        let (high, _) = high.rem_or(bound, bound.zeros());
        let (low, _) = low.rem_or(bound, bound.zeros());
        Ok(high.shl_mod(EXCESS_BITS, bound).add_mod(&low, bound))
    }

    /// A number uniform below `bound`, of its width, by rejection.
    ///
    /// Leaks: the bound, and how many draws were rejected, which tells nothing of the result. It runs until the
    /// generator gives a number below the bound: two draws on average, or fewer.
    ///
    /// # Errors
    /// [`RandomError::Bound`] if `bound` is 0; [`RandomError::Rng`] if the generator fails.
    ///
    /// ```
    /// use tautochrone::{Nat, Public, RandomError, U256, subtle::ConstantTimeLess};
    #[doc = include_str!("random_example.md")]
    /// let bound = Public::<U256>::from_u64(1_000_000_007);
    /// let x = Nat::random_below_vartime(&mut rng, &bound)?;
    /// assert!(bool::from(x.ct_lt(&bound)));
    /// # Ok::<(), RandomError<std::convert::Infallible>>(())
    /// ```
    pub fn random_below_vartime<R: TryCryptoRng + ?Sized>(
        rng: &mut R,
        bound: &Public<Self>,
    ) -> Result<Self, RandomError<R::Error>> {
        refuse_zero(bound)?;
        let mut z = bound.zeros();
        let bits = bound.bits();
        let length = limbs_for(bits);
        loop {
            draw(&mut z.as_mut_limbs()[..length], rng).map_err(RandomError::Rng)?;
            keep_low(z.as_mut_limbs(), bits);
            let below = add::borrow(z.as_limbs(), bound.as_limbs());
            if declassify(below.choice(), "whether a random draw is rejected, independent of the one that is kept") {
                return Ok(z);
            }
        }
    }
}

fn refuse_zero<S: Limbs, E>(bound: &Nat<S>) -> Result<(), RandomError<E>> {
    match declassify(bound.is_zero(), "whether the bound of a random number is 0, told by the result") {
        true => Err(RandomError::Bound(Error::TooSmall(Field::Bound))),
        false => Ok(()),
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::limbs::testing::{Carries, big};
    use core::convert::Infallible;
    use num_bigint::BigUint;
    use rand_core::{TryCryptoRng, TryRng};
    use std::error::Error as _;
    use std::vec::Vec;

    /// Gives bytes of a stream, keeps them, and fails when there are no more.
    struct Recorded {
        stream: Carries,
        given: Vec<u8>,
        left: usize,
    }

    impl Recorded {
        fn new(left: usize) -> Recorded {
            Recorded { stream: Carries::new(), given: Vec::new(), left }
        }

        fn take(&mut self) -> BigUint {
            BigUint::from_bytes_le(&core::mem::take(&mut self.given))
        }
    }

    impl TryRng for Recorded {
        type Error = fmt::Error;
        fn try_next_u32(&mut self) -> Result<u32, fmt::Error> {
            unreachable!("only bytes are drawn")
        }
        fn try_next_u64(&mut self) -> Result<u64, fmt::Error> {
            unreachable!("only bytes are drawn")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fmt::Error> {
            self.left = self.left.checked_sub(out.len()).ok_or(fmt::Error)?;
            out.fill_with(|| (self.stream.word() >> 24) as u8);
            self.given.extend_from_slice(out);
            Ok(())
        }
    }
    impl TryCryptoRng for Recorded {}

    #[test]
    fn what_is_drawn_is_what_comes_out() {
        let mut carries = Carries::new();
        let mut rng = Recorded::new(usize::MAX);
        for n in 1..=70 {
            let width = n as u32 * LIMB_BITS;
            for bits in [width, width - 1, width - LIMB_BITS / 2, width - LIMB_BITS + 1] {
                let x = BoxedUint::random(&mut rng, bits).unwrap();
                assert_eq!(x.bits_precision(), width);
                assert_eq!(big(x.as_limbs()), rng.take() % (BigUint::from(1_u8) << bits));
            }
            for _ in 0..10 {
                let bound: BoxedUint = Nat::of(carries.limbs(n).into_boxed_slice());
                let modulus = big(bound.as_limbs());
                let x = Nat::random_below(&mut rng, &bound);
                if modulus == BigUint::ZERO {
                    assert_eq!(x.err(), Some(RandomError::Bound(Error::TooSmall(Field::Bound))));
                    let x = Nat::random_below_vartime(&mut rng, &Public::wrap(bound));
                    assert_eq!(x.err(), Some(RandomError::Bound(Error::TooSmall(Field::Bound))));
                    assert!(rng.given.is_empty());
                    continue;
                }
                assert_eq!(rng.given.len(), n * LIMB_BYTES + 16);
                assert_eq!(big(x.unwrap().as_limbs()), rng.take() % &modulus);
                let x = Nat::random_below_vartime(&mut rng, &Public::wrap(bound)).unwrap();
                assert!(big(x.as_limbs()) < modulus);
                rng.take();
            }
        }
        let x = Uint::<9>::random(&mut rng).unwrap();
        assert_eq!(big(x.as_limbs()), rng.take());
        let bound = Uint::<9>::from_u64(200);
        let x = Nat::random_below(&mut rng, &bound).unwrap();
        assert_eq!(big(x.as_limbs()), rng.take() % 200_u8);
    }

    #[test]
    fn every_value_below_a_small_bound_comes_about_equally_often() {
        let mut rng = Recorded::new(usize::MAX);
        for bound in [1_u64, 2, 5, 16, 17] {
            let limit = Public::wrap(BoxedUint::from_u64(bound, 2 * LIMB_BITS));
            let mut counts = [[0_u64; 17]; 2];
            let rounds = 2000 * bound;
            for _ in 0..rounds {
                for (counts, x) in counts.iter_mut().zip([
                    Nat::random_below(&mut rng, &limit).unwrap(),
                    Nat::random_below_vartime(&mut rng, &limit).unwrap(),
                ]) {
                    counts[x.as_limbs()[0] as usize] += 1;
                    assert_eq!(x.as_limbs()[1], 0);
                }
            }
            for counts in counts {
                // 2000 each, with a deviation of at most 45.
                assert!(counts[..bound as usize].iter().all(|c| c.abs_diff(2000) < 250), "{counts:?}");
                assert_eq!(counts.iter().sum::<u64>(), rounds);
            }
        }
    }

    #[test]
    fn a_failing_generator_is_passed_on() {
        let bound = BoxedUint::from_u64(97, 1024);
        for left in [0, 16, 64, 127] {
            assert_eq!(Uint::<128>::random(&mut Recorded::new(left)).err(), Some(fmt::Error));
            assert_eq!(BoxedUint::random(&mut Recorded::new(left), 1024).err(), Some(fmt::Error));
            let refused = Nat::random_below(&mut Recorded::new(left), &bound).err().unwrap();
            assert_eq!(refused, RandomError::Rng(fmt::Error));
            assert!(refused.source().is_some());
        }
        let refused = Nat::random_below_vartime(&mut Recorded::new(0), &Public::wrap(bound)).err();
        assert_eq!(refused, Some(RandomError::Rng(fmt::Error)));
        assert!(RandomError::<Infallible>::Bound(Error::TooSmall(Field::Bound)).source().is_none());
    }
}
