//! The value barrier, and the mark that a taint checker understands. The only `asm!` outside the backends.
#![allow(unsafe_code)]

/// Hides the value of `x` from the optimiser, so that a mask made of it stays a mask.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "riscv32",
    target_arch = "riscv64",
    target_arch = "loongarch64"
))]
#[inline(always)]
pub(crate) fn barrier(mut x: usize) -> usize {
    // SAFETY: no instruction at all; the compiler must only forget what it knows of the register.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// The same where stable Rust has no inline assembly.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    target_arch = "arm",
    target_arch = "riscv32",
    target_arch = "riscv64",
    target_arch = "loongarch64"
)))]
#[inline(always)]
pub(crate) fn barrier(x: usize) -> usize {
    core::hint::black_box(x)
}

/// Tells a taint checker that the bytes at `value` are public from here on. Nothing in a normal build.
#[cfg(all(tautochrone_ct, target_arch = "x86_64"))]
pub(crate) fn mark_public(value: *mut u8, bytes: usize) {
    const MAKE_MEM_DEFINED: u64 = 0x4d43_0002;
    let request = [MAKE_MEM_DEFINED, value as u64, bytes as u64, 0, 0, 0];
    // SAFETY: the four rotations of rdi add up to 128 and the exchange is of a register with itself, so
    // outside valgrind nothing happens; inside it reads `request`, alive here, and changes its own shadow
    // of the bytes at `value`, never the bytes.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0_u64 => _,
            options(nostack),
        );
    }
}

#[cfg(not(all(tautochrone_ct, target_arch = "x86_64")))]
#[inline(always)]
pub(crate) fn mark_public(_value: *mut u8, _bytes: usize) {}
