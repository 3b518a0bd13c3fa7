//! Requests to valgrind's memcheck, which does nothing but count when it is not there.

use std::arch::asm;

const MAKE_MEM_UNDEFINED: u64 = 0x4d43_0001;
const RUNNING_ON_VALGRIND: u64 = 0x1001;

fn request(code: u64, address: u64, length: u64) -> u64 {
    let block = [code, address, length, 0, 0, 0];
    let mut answer = 0_u64;
    // SAFETY: the rotations of rdi add up to 128 bits and the exchange is of a register with itself: no effect on the
    // CPU. Under valgrind the sequence is a request whose block is alive here and which changes shadow memory only.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") block.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// Whether this process runs under valgrind; without it no check means anything.
pub fn running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// From here on these bytes are secret: a branch or an address that depends on them is an error.
pub fn make_secret(bytes: &mut [u8]) {
    request(MAKE_MEM_UNDEFINED, bytes.as_mut_ptr() as u64, bytes.len() as u64);
}
