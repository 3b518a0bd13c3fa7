//! What quotient steps are made of: rows over a number that moves up, the upper columns of a short product, and
//! differences under a mask.
//!
//! The rules of [`super`] hold here too.

use crate::limb::Limb;
use core::arch::naked_asm;

/// (w, t, out) := w + a·b + (low + t·B⁴), where `low` and `out` share a place: w and b of four limbs, t and a of
/// len ≥ 4. See [`Rows::mul_add_shifted`](crate::limbs::rows::Rows::mul_add_shifted).
///
/// Four rows a turn, each with its own register of r12 … r15 for the limb that is to enter four rows later. Where len
/// is no multiple of four the first turn begins in its middle, with `low` turned round in these registers.
#[unsafe(naked)]
pub(in crate::backend::x86_64::adx) unsafe extern "sysv64" fn shifted_rows(
    t: *mut Limb,
    a: *const Limb,
    len: usize,
    b: *const Limb,
    low: *mut Limb,
    w: *mut Limb,
) {
    macro_rules! shifted {
        ($t:literal, $offset:literal) => {
            lines!(
                concat!("mov rdx, [rsi + ", $offset, "]"),
                row!(
                    "rcx + ",
                    concat!("adox rbp, ", $t),
                    concat!("mov ", $t, ", [rdi + ", $offset, "]\nmov [rdi + ", $offset, "], rbp"),
                    "r8" 0, "r9" 8, "r10" 16, "r11" 24
                ),
            )
        };
    }
    macro_rules! enter {
        ($back:literal; $first:literal $second:literal $third:literal $fourth:literal) => {
            lines!(
                concat!("mov ", $first, ", [r8]"),
                concat!("mov ", $second, ", [r8 + 8]"),
                concat!("mov ", $third, ", [r8 + 16]"),
                concat!("mov ", $fourth, ", [r8 + 24]"),
                concat!("sub rsi, ", $back),
                concat!("sub rdi, ", $back),
                "mov r8, [r9]",
                "mov r10, [r9 + 16]",
                "mov r11, [r9 + 24]",
                "mov r9, [r9 + 8]",
            )
        };
    }
    naked_asm!(
        save!(),
        "push r9",
        "push r8",
        "lea rbx, [rsi + 8 * rdx]",
        "test dl, 1",
        "jnz 6f",
        "test dl, 2",
        "jnz 5f",
        enter!(0; "r12" "r13" "r14" "r15"),
        "2:",
        shifted!("r12", 0),
        "3:",
        shifted!("r13", 8),
        "4:",
        shifted!("r14", 16),
        "7:",
        shifted!("r15", 24),
        "add rsi, 32",
        "add rdi, 32",
        "cmp rsi, rbx",
        "jne 2b",
        "pop rdx",
        "mov [rdx], r12",
        "mov [rdx + 8], r13",
        "mov [rdx + 16], r14",
        "mov [rdx + 24], r15",
        "pop rdx",
        "mov [rdx], r8",
        "mov [rdx + 8], r9",
        "mov [rdx + 16], r10",
        "mov [rdx + 24], r11",
        restore!(),
        "5:",
        enter!(16; "r14" "r15" "r12" "r13"),
        "jmp 4b",
        "6:",
        "test dl, 2",
        "jz 8f",
        enter!(8; "r13" "r14" "r15" "r12"),
        "jmp 3b",
        "8:",
        enter!(24; "r15" "r12" "r13" "r14"),
        "jmp 7b",
    )
}

/// (w, t, out) := w + a·b + (low + t·B⁸), as [`shifted_rows`] with w and b of eight limbs, t and a of len ≥ 1.
///
/// What is to enter eight rows later waits in a ring of eight limbs, whose place rbx goes round; b is beside it, so
/// that rcx is free. Both are overwritten in the end.
#[unsafe(naked)]
pub(in crate::backend::x86_64::adx) unsafe extern "sysv64" fn shifted_rows_8(
    t: *mut Limb,
    a: *const Limb,
    len: usize,
    b: *const Limb,
    low: *mut Limb,
    w: *mut Limb,
) {
    macro_rules! copy {
        ($from:literal $to:literal; $($offset:literal)*) => {
            lines!($(concat!("mov rax, [", $from, "+ ", $offset, "]\nmov [", $to, " + ", $offset, "], rax")),*)
        };
    }
    naked_asm!(
        save!(),
        "push r9",
        "push r8",
        "lea rax, [rsi + 8 * rdx]",
        "push rax",
        "sub rsp, 128",
        copy!("rcx" "rsp + 64"; 0 8 16 24 32 40 48 56),
        copy!("r8" "rsp"; 0 8 16 24 32 40 48 56),
        "xor ebx, ebx",
        "mov r8, [r9]",
        "mov r10, [r9 + 16]",
        "mov r11, [r9 + 24]",
        "mov r12, [r9 + 32]",
        "mov r13, [r9 + 40]",
        "mov r14, [r9 + 48]",
        "mov r15, [r9 + 56]",
        "mov r9, [r9 + 8]",
        "2:",
        "mov rcx, [rdi]",
        "mov rdx, [rsi]",
        row!(
            "rsp + 64 + ",
            "adox rbp, [rsp + rbx]",
            "mov [rsp + rbx], rcx\nmov [rdi], rbp",
            "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56
        ),
        "add ebx, 8",
        "and ebx, 63",
        "add rsi, 8",
        "add rdi, 8",
        "cmp rsi, [rsp + 128]",
        "jne 2b",
        "mov rdi, [rsp + 136]",
        "mov ecx, 8",
        "xor edx, edx",
        "3:",
        "mov rax, [rsp + rbx]",
        "mov [rdi], rax",
        "mov [rsp + rbx], rdx",
        "mov [rsp + 8 * rcx + 56], rdx",
        "add ebx, 8",
        "and ebx, 63",
        "add rdi, 8",
        "dec ecx",
        "jnz 3b",
        "mov rdx, [rsp + 144]",
        "mov [rdx], r8",
        "mov [rdx + 8], r9",
        "mov [rdx + 16], r10",
        "mov [rdx + 24], r11",
        "mov [rdx + 32], r12",
        "mov [rdx + 40], r13",
        "mov [rdx + 48], r14",
        "mov [rdx + 56], r15",
        "add rsp, 152",
        restore!(),
    )
}

/// Rows of the columns from nine on. Each has one product more than the one before it, at its low end, of which the low
/// half is left out: `$p` are the registers of the sum so far, `$rho` the offset of that product's factor and `$rhos`
/// of those above, which is where the last row ends.
macro_rules! upper_rows {
    (; $v:literal $($vs:literal)*; $($rho:literal)*; $new:literal $($news:literal)*; $($done:literal)*) => {
        lines!(
            concat!("mov rdx, [rcx + ", $v, "]"),
            concat!("mulx ", $new, ", rax, [rsi + 64]"),
            upper_rows!($new; $($vs)*; $($rho)*; $($news)*; 64),
        )
    };
    ($($p:literal)+; ; ; ; $($done:literal)*) => { "" };
    ($p:literal $($ps:literal)*; $v:literal $($vs:literal)*; $rho:literal $($rhos:literal)*; $new:literal $($news:literal)*; $($done:literal)*) => {
        lines!(
            concat!("mov rdx, [rcx + ", $v, "]"),
            "xor eax, eax",
            concat!("mov ", $new, ", rax"),
            concat!("mulx rbp, rax, [rsi + ", $rho, "]"),
            concat!("adox ", $p, ", rbp"),
            upper_products!($p $($ps)* $new; $($done)*),
            upper_rows!($p $($ps)* $new; $($vs)*; $($rhos)*; $($news)*; $rho $($done)*),
        )
    };
}

/// The columns behind the first one of a row.
macro_rules! upper_products {
    ($p:literal; ) => { lines!("mov eax, 0", concat!("adc ", $p, ", rax")) };
    ($p:literal $next:literal $($ps:literal)*; $offset:literal $($offsets:literal)*) => {
        lines!(
            concat!("mulx rbp, rax, [rsi + ", $offset, "]"),
            concat!("adcx ", $p, ", rax"),
            concat!("adox ", $next, ", rbp"),
            upper_products!($next $($ps)*; $($offsets)*),
        )
    };
}

/// [`upper_columns`](crate::limbs::rows::upper_columns) of nine limbs each for J = 8.
#[unsafe(naked)]
pub(in crate::backend::x86_64::adx) unsafe extern "sysv64" fn upper_columns_8(
    sum: *mut Limb,
    rho: *const Limb,
    v: *const Limb,
) {
    naked_asm!(
        save!(),
        "mov rcx, rdx",
        upper_rows!(
            ;
            0 8 16 24 32 40 48 56 64;
            56 48 40 32 24 16 8 0;
            "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx";
        ),
        "mov [rdi], r8",
        "mov [rdi + 8], r9",
        "mov [rdi + 16], r10",
        "mov [rdi + 24], r11",
        "mov [rdi + 32], r12",
        "mov [rdi + 40], r13",
        "mov [rdi + 48], r14",
        "mov [rdi + 56], r15",
        "mov [rdi + 64], rbx",
        restore!(),
    )
}

/// The body of z := x − bit·m with x at rsi, m at r9, the bit in rdx, len in rcx: masked by the multiplication, which
/// leaves the borrow alone. The flags of the loops' counters do not touch it either.
macro_rules! sub_scaled {
    () => {
        lines!(
            "mov r8, rcx",
            "and ecx, 3",
            "shr r8, 2",
            "xor eax, eax",
            "jrcxz 3f",
            "2:",
            sub_scaled!(0),
            "lea rdi, [rdi + 8]",
            "lea rsi, [rsi + 8]",
            "lea r9, [r9 + 8]",
            "dec ecx",
            "jnz 2b",
            "3:",
            "mov rcx, r8",
            "jrcxz 5f",
            "4:",
            sub_scaled!(0),
            sub_scaled!(8),
            sub_scaled!(16),
            sub_scaled!(24),
            "lea rdi, [rdi + 32]",
            "lea rsi, [rsi + 32]",
            "lea r9, [r9 + 32]",
            "dec rcx",
            "jnz 4b",
            "5:",
            "ret",
        )
    };
    ($offset:literal) => {
        lines!(
            concat!("mulx rax, r10, [r9 + ", $offset, "]"),
            concat!("mov r11, [rsi + ", $offset, "]"),
            "sbb r11, r10",
            concat!("mov [rdi + ", $offset, "], r11"),
        )
    };
}

/// z := x − bit·m mod B^len. Sizes: all of len limbs; z may be x. Requires: bit ≤ 1.
#[unsafe(naked)]
pub(in crate::backend::x86_64::adx) unsafe extern "sysv64" fn sub_scaled(
    z: *mut Limb,
    x: *const Limb,
    m: *const Limb,
    len: usize,
    bit: Limb,
) {
    naked_asm!("mov r9, rdx", "mov rdx, r8", sub_scaled!())
}

/// z := (carry·B^len + x) mod m. Sizes: all of len ≥ 1 limbs. Requires: carry·B^len + x < 2m, carry ≤ 1.
#[unsafe(naked)]
pub(in crate::backend::x86_64::adx) unsafe extern "sysv64" fn reduce_once(
    z: *mut Limb,
    x: *const Limb,
    m: *const Limb,
    len: usize,
    carry: Limb,
) {
    naked_asm!(
        "mov r9, rdx",
        "mov r11, rcx",
        "xor eax, eax",
        "6:",
        "mov r10, [rsi + 8 * rax]",
        "sbb r10, [r9 + 8 * rax]",
        "lea rax, [rax + 1]",
        "dec r11",
        "jnz 6b",
        // A borrow that no carry pays: x is below m.
        "sbb r8, 0",
        "mov edx, 0",
        "setnc dl",
        sub_scaled!(),
    )
}
