//! The one row, and what is made of it, for widths of 4 to 9 limbs.
//!
//! A row is (w, t) := w + x·b + t with the window w and b of W limbs, x and t of one: t takes the lowest limb of the
//! sum and w the W above it. Bound: (B^W − 1) + (B − 1)(B^W − 1) + (B − 1) = B^(W+1) − 1. Column k adds the high half
//! of the product before it (the overflow flag's chain) and limb k of w (the carry flag's chain) to the low half of
//! x·bₖ, and stands where limb k − 1 of w stood before: the window moves in place, and plain loops make all the rest.
//! No flag lives from one row to the next.
//!
//! All functions here follow the System V convention on every target, touch no memory but what they are given and
//! their frame, and branch on lengths alone. Registers: the window in r8 … r15 and rbx, x in rdx, high halves in rax
//! and rbp by turns, rdi t, rsi a,
//! rcx b; at the top of the stack the limit of rsi.

use crate::limb::Limb;
use core::arch::naked_asm;

/// The functions of one width W.
pub(super) struct Kernels {
    /// (t, len): t[..len] := t + a·b, with the W limbs above written. Sizes: a of len ≥ 1 limbs, b of W, t of len + W.
    pub(super) mul_rows: unsafe extern "sysv64" fn(t: *mut Limb, a: *const Limb, len: usize, b: *const Limb),
    /// Clears the W low limbs of t by adding q·N: q is left there. `carry`, 0 or 1, is added at limb len, and the new
    /// one returned. Sizes: N of len ≥ W limbs, t of len + W.
    pub(super) reduce_rows:
        unsafe extern "sysv64" fn(t: *mut Limb, n: *const Limb, len: usize, n0: Limb, carry: Limb) -> Limb,
    /// t := t + Σ aⱼ·aₖ·B^(j+k) over j < W, k > j; the top W limbs are written. Sizes: a of len ≥ W limbs, t of len + W.
    pub(super) triangle_rows: unsafe extern "sysv64" fn(t: *mut Limb, a: *const Limb, len: usize),
    /// t := a·b + q·N with the low half cleared (q is left there); returns the carry. Sizes: a, b, N of W limbs, t of
    /// 2W. [`mul_rows`](Self::mul_rows) and [`reduce_rows`](Self::reduce_rows) in one.
    pub(super) mont_mul:
        unsafe extern "sysv64" fn(t: *mut Limb, a: *const Limb, b: *const Limb, n: *const Limb, n0: Limb) -> Limb,
}

/// Lines of assembly as one text.
macro_rules! lines {
    ($($part:expr),* $(,)?) => { concat!($($part, "\n"),*) };
}

/// The columns from the second one on; `$high` holds the high half of the one before.
macro_rules! columns {
    ($high:literal $free:literal; $w:literal $at:literal) => {
        // The top limb: the last high half and both carries.
        lines!(
            concat!("mov ", $w, ", 0"),
            concat!("adox ", $high, ", ", $w),
            concat!("adc ", $w, ", ", $high),
        )
    };
    ($high:literal $free:literal; $w:literal $at:literal, $next:literal $offset:literal $($rest:tt)*) => {
        lines!(
            concat!("mulx ", $free, ", ", $w, ", [rcx + ", $offset, "]"),
            concat!("adox ", $w, ", ", $high),
            concat!("adcx ", $w, ", ", $next),
            columns!($free $high; $next $offset $($rest)*),
        )
    };
}

/// A row for x in rdx; `$t` adds t to the first column, `$out` stores that column's limb, both in rbp.
macro_rules! row {
    ($t:literal, $out:literal, $w:literal $at:literal $($rest:tt)*) => {
        lines!(
            // Clears both flags.
            "xor eax, eax",
            "mulx rax, rbp, [rcx]",
            $t,
            concat!("adcx rbp, ", $w),
            $out,
            columns!("rax" "rbp"; $w $at $($rest)*),
        )
    };
}

/// Rows with all limbs of a from rsi up to the limit at the top of the stack, at least one.
macro_rules! rows {
    ($t:literal, $($w:tt)*) => {
        lines!(
            "2:",
            "mov rdx, [rsi]",
            row!($t, "mov [rdi], rbp", $($w)*),
            "add rsi, 8",
            "add rdi, 8",
            "cmp rsi, [rsp]",
            "jne 2b",
        )
    };
}

macro_rules! save {
    () => {
        lines!("push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15")
    };
}

macro_rules! restore {
    () => {
        lines!("pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx", "ret")
    };
}

/// One row of the triangle, x = aⱼ: `$p` are the registers of limbs 2j + 1 to j + W, the last one new, `$offset` the
/// offsets of what x is multiplied with. Here the chains add low halves and high halves.
macro_rules! triangle_products {
    ($p:literal; ) => { lines!("mov eax, 0", concat!("adc ", $p, ", rax")) };
    ($p:literal $next:literal $($ps:literal)*; $offset:literal $($offsets:literal)*) => {
        lines!(
            concat!("mulx rbp, rax, [rcx + ", $offset, "]"),
            concat!("adcx ", $p, ", rax"),
            concat!("adox ", $next, ", rbp"),
            triangle_products!($next $($ps)*; $($offsets)*),
        )
    };
}

/// The rows of the triangle from this one on: registers of its limbs, offsets of x and of what it is multiplied with,
/// registers of the new limbs, offsets of what is complete and belongs to t.
macro_rules! triangle {
    (; $last:literal; $new:literal; ) => { concat!("mov ", $new, ", 0\n") };
    ($($p:literal)+; $x:literal $($offset:literal)*; $new:literal $($news:literal)*; $($done:literal)*) => {
        lines!(
            concat!("mov rdx, [rcx + ", $x, "]"),
            "xor eax, eax",
            concat!("mov ", $new, ", rax"),
            triangle_products!($($p)+ $new; $($offset)*),
            triangle!(@ $($p)+ $new; $($offset)*; $($news)*; $($done)*),
        )
    };
    // Two limbs are complete after each row. Those from W on stay where they are: they are the window.
    (@ $p:literal $q:literal $($ps:literal)*; $($offset:literal)*; $($new:literal)*; $($done:literal)*) => {
        lines!(
            triangle!(@@ $p $q; $($done)*),
            triangle!(@@@ $($ps)*; $($offset)*; $($new)*; $($done)*),
        )
    };
    (@@ $p:literal $q:literal; ) => { "" };
    (@@ $p:literal $q:literal; $done:literal) => { concat!("mov [rdi + ", $done, "], ", $p) };
    (@@ $p:literal $q:literal; $done:literal $next:literal $($rest:literal)*) => {
        lines!(concat!("mov [rdi + ", $done, "], ", $p), concat!("mov [rdi + ", $next, "], ", $q))
    };
    (@@@ $($p:literal)*; $($offset:literal)*; $($new:literal)*; $done:literal $next:literal $($rest:literal)*) => {
        triangle!($($p)*; $($offset)*; $($new)*; $($rest)*)
    };
    (@@@ $($p:literal)*; $($offset:literal)*; $($new:literal)*; $($done:literal)?) => {
        triangle!($($p)*; $($offset)*; $($new)*; )
    };
}

/// The quotient rows: q = w₀·n₀ to t, and w + q·N without its lowest limb, which is zero. Up to the second limit.
macro_rules! quotients {
    ($w:literal $($rest:tt)*) => {
        lines!(
            "3:",
            "mov rdx, [rsp + 16]",
            concat!("imul rdx, ", $w),
            "mov [rdi], rdx",
            row!("", "", $w $($rest)*),
            "add rdi, 8",
            "cmp rdi, [rsp + 8]",
            "jne 3b",
        )
    };
}

macro_rules! kernels {
    ($bytes:literal; $($w:literal $o:literal),*; $first:literal $($others:literal)*; $($offset:literal)*) => {{
        #[unsafe(naked)]
        unsafe extern "sysv64" fn mul_rows(t: *mut Limb, a: *const Limb, len: usize, b: *const Limb) {
            naked_asm!(
                save!(),
                "lea rdx, [rsi + 8 * rdx]",
                "push rdx",
                $(concat!("xor ", $w, ", ", $w),)*
                rows!("adox rbp, [rdi]", $($w $o),*),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn reduce_rows(t: *mut Limb, n: *const Limb, len: usize, n0: Limb, carry: Limb) -> Limb {
            naked_asm!(
                save!(),
                "push r8",
                "push rcx",
                concat!("lea rax, [rdi + ", $bytes, "]"),
                "push rax",
                "lea rax, [rsi + 8 * rdx]",
                "push rax",
                "mov rcx, rsi",
                $(concat!("mov ", $w, ", [rdi + ", $o, "]"),)*
                quotients!($($w $o),*),
                concat!("lea rcx, [rdi - ", $bytes, "]"),
                concat!("add rsi, ", $bytes),
                "cmp rsi, [rsp]",
                "je 4f",
                rows!("adox rbp, [rdi]", $($w $o),*),
                "4:",
                // The carry as the flag.
                "mov rax, [rsp + 24]",
                "add rax, -1",
                $(concat!("adc ", $w, ", [rdi + ", $o, "]"),)*
                "setc al",
                "movzx eax, al",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "add rsp, 32",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn triangle_rows(t: *mut Limb, a: *const Limb, len: usize) {
            naked_asm!(
                save!(),
                "lea rdx, [rsi + 8 * rdx]",
                "push rdx",
                "mov rcx, rsi",
                $(concat!("mov ", $w, ", [rdi + ", $o, "]"),)*
                triangle!($($others)*; 0 $($offset)*; $first $($others)*; $($offset)*),
                concat!("add rdi, ", $bytes),
                concat!("add rsi, ", $bytes),
                "cmp rsi, [rsp]",
                "je 4f",
                rows!("adox rbp, [rdi]", $($w $o),*),
                "4:",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn mont_mul(
            t: *mut Limb,
            a: *const Limb,
            b: *const Limb,
            n: *const Limb,
            n0: Limb,
        ) -> Limb {
            naked_asm!(
                save!(),
                "push rcx",
                "push r8",
                concat!("lea rax, [rdi + ", $bytes, "]"),
                "push rax",
                concat!("lea rax, [rsi + ", $bytes, "]"),
                "push rax",
                "mov rcx, rdx",
                $(concat!("xor ", $w, ", ", $w),)*
                rows!("", $($w $o),*),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                concat!("sub rdi, ", $bytes),
                "mov rcx, [rsp + 24]",
                $(concat!("mov ", $w, ", [rdi + ", $o, "]"),)*
                quotients!($($w $o),*),
                "xor eax, eax",
                $(concat!("adc ", $w, ", [rdi + ", $o, "]"),)*
                "setc al",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "add rsp, 32",
                restore!(),
            )
        }

        Kernels { mul_rows, reduce_rows, triangle_rows, mont_mul }
    }};
}

/// The widths, from the least one on.
pub(super) static KERNELS: [Kernels; 6] = [
    kernels!(32; "r8" 0, "r9" 8, "r10" 16, "r11" 24; "r8" "r9" "r10" "r11"; 8 16 24),
    kernels!(40; "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32; "r8" "r9" "r10" "r11" "r12"; 8 16 24 32),
    kernels!(
        48;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40;
        "r8" "r9" "r10" "r11" "r12" "r13";
        8 16 24 32 40
    ),
    kernels!(
        56;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48;
        "r8" "r9" "r10" "r11" "r12" "r13" "r14";
        8 16 24 32 40 48
    ),
    kernels!(
        64;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56;
        "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15";
        8 16 24 32 40 48 56
    ),
    kernels!(
        72;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56, "rbx" 64;
        "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15" "rbx";
        8 16 24 32 40 48 56 64
    ),
];

/// z := 2z + Σ aₖ²·B^(2k), where the sum fits z. Sizes: z twice as long as a, a of len ≥ 1 limbs.
///
/// The doubling goes through the carry flag, the squares through the overflow flag, and the loop leaves both alone.
#[unsafe(naked)]
pub(super) unsafe extern "sysv64" fn double_and_add_squares(z: *mut Limb, a: *const Limb, len: usize) {
    naked_asm!(
        "mov rcx, rdx",
        "xor eax, eax",
        "2:",
        "mov rdx, [rsi]",
        "mulx r8, rax, rdx",
        "mov r9, [rdi]",
        "mov r10, [rdi + 8]",
        "adcx r9, r9",
        "adcx r10, r10",
        "adox r9, rax",
        "adox r10, r8",
        "mov [rdi], r9",
        "mov [rdi + 8], r10",
        "lea rsi, [rsi + 8]",
        "lea rdi, [rdi + 16]",
        "lea rcx, [rcx - 1]",
        "jrcxz 3f",
        "jmp 2b",
        "3:",
        "ret",
    )
}
