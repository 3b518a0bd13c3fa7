//! Tables of powers, of which every row is read and one is kept.

use crate::limb::{Limb, Mask};

/// z := row `index` of `table`.
///
/// Sizes: a whole number of rows, each as wide as z. Requires: index below their number.
/// Leaks: nothing; all rows are read, in order.
pub(crate) fn gather(z: &mut [Limb], table: &[Limb], index: Limb) {
    assert_eq!(table.len() % z.len(), 0);
    z.fill(0);
    for (row, i) in table.chunks_exact(z.len()).zip(0..) {
        let mask = Mask::of_equal(i, index);
        for (z, row) in z.iter_mut().zip(row) {
            *z |= mask.keep(*row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let table: std::vec::Vec<Limb> = (1..=96).collect();
        for i in 0..32 {
            let mut z = [7; 3];
            gather(&mut z, &table, i as Limb);
            assert_eq!(z, table[3 * i..][..3]);
        }
    }
}
