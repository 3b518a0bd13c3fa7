//! Widths that follow the data cannot be brought in from outside.
use tautochrone::{Limb, Limbs, Storage};

#[derive(Clone)]
struct Mine(Vec<Limb>);

impl Limbs for Mine { //~ E0277
    fn as_limbs(&self) -> &[Limb] {
        &self.0
    }
    fn as_mut_limbs(&mut self) -> &mut [Limb] {
        &mut self.0
    }
    fn zeros(&self) -> Self {
        Mine(vec![0; self.0.len()])
    }
}

fn width<S: Storage>(x: S) -> usize {
    x.as_limbs().len()
}

fn main() {
    let _ = width([7, 1]);
    let _ = Mine(Vec::new()).0;
}
