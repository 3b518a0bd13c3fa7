//! Tables of powers, of which every row is read and one is kept.

use crate::limb::{Limb, Mask};
use core::array;

/// z := row `index` of `table`.
///
/// Sizes: a whole number of rows, each as wide as z. Requires: index below their number.
/// Leaks: nothing; all rows are read, in order.
pub(crate) fn gather(z: &mut [Limb], table: &[Limb], index: Limb) {
    let width = z.len();
    assert_eq!(table.len() % width, 0);
    let (eights, rest) = z.as_chunks_mut::<8>();
    let (fours, rest) = rest.as_chunks_mut::<4>();
    let (twos, ones) = rest.as_chunks_mut::<2>();
    let mut at = 0;
    for z in eights {
        columns(z, table, width, &mut at, index);
    }
    for z in fours {
        columns(z, table, width, &mut at, index);
    }
    for z in twos {
        columns(z, table, width, &mut at, index);
    }
    for z in ones {
        columns(array::from_mut(z), table, width, &mut at, index);
    }
}

/// z := the columns of row `index` from `at` on, which moves up by their number: kept in registers over all rows.
#[inline(always)]
fn columns<const C: usize>(z: &mut [Limb; C], table: &[Limb], width: usize, at: &mut usize, index: Limb) {
    let mut sum = [0; C];
    for (row, i) in table.chunks_exact(width).zip(0..) {
        let mask = Mask::of_equal(i, index);
        for (sum, limb) in sum.iter_mut().zip(&row[*at..][..C]) {
            *sum |= mask.keep(*limb);
        }
    }
    *z = sum;
    *at += C;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let table: std::vec::Vec<Limb> = (1..=96).collect();
        // Every way to divide a row into columns.
        for width in [1, 2, 3, 6, 7, 8, 13, 16] {
            for (i, row) in table.chunks_exact(width).enumerate() {
                let mut z = std::vec![7; width];
                gather(&mut z, &table[..table.len() / width * width], i as Limb);
                assert_eq!(z, row);
            }
        }
    }
}
