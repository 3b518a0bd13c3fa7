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
//! and rbp by turns, rdi t, rsi a, rcx b; at the top of the stack the limit of rsi. A frame holds pointers
//! and M, which is overwritten before the return.

use crate::limb::Limb;
use core::arch::naked_asm;

type Product = unsafe extern "sysv64" fn(t: *mut Limb, a: *const Limb, len: usize, b: *const Limb);
type Triangle = unsafe extern "sysv64" fn(t: *mut Limb, a: *const Limb, len: usize);
type Reduction =
    unsafe extern "sysv64" fn(t: *mut Limb, n: *const Limb, len: usize, m0: Limb, m1: Limb, carry: Limb) -> Limb;
type Montgomery =
    unsafe extern "sysv64" fn(z: *mut Limb, b: *const Limb, n: *const Limb, m0: Limb, m1: Limb, t: *mut Limb);

/// The functions of one width W. M = m₁·B + m₀ = −N⁻¹ mod B².
pub(super) struct Kernels {
    /// t := a·b. Sizes: a of len ≥ 1 limbs, b of W, t of len + W.
    pub(super) mul_first: Product,
    /// t[..len] := t + a·b, with the W limbs above written. Sizes: as above.
    pub(super) mul_rows: Product,
    /// t := Σ aⱼ·aₖ·B^(j+k) over j < W, k > j. Sizes: a of len ≥ W limbs, t of len + W.
    pub(super) triangle_first: Triangle,
    /// t[..len] := t + that sum, with the W limbs above written. Sizes: as above.
    pub(super) triangle_rows: Triangle,
    /// Clears the W low limbs of t by adding q·N: q is left there. `carry`, 0 or 1, is added at limb len, and the new
    /// one returned. Sizes: N of len ≥ W limbs, t of len + W.
    pub(super) reduce_rows: Reduction,
    /// z := z·b·R⁻¹ mod N. Sizes: z, b, N of W limbs, the scratch t of 2W. Requires: z·b < R·N.
    pub(super) mont_mul: Montgomery,
    /// z := a²·R⁻¹ mod N. Sizes: as above; z may be a. Requires: a² < R·N.
    pub(super) mont_square: Montgomery,
}

/// Lines of assembly as one text.
macro_rules! lines {
    ($($part:expr),* $(,)?) => { concat!($($part, "\n"),*) };
}

/// The columns from the second one on; `$high` holds the high half of the one before.
macro_rules! columns {
    ($b:literal; $high:literal $free:literal; $w:literal $at:literal) => {
        // The top limb: the last high half and both carries.
        lines!(
            concat!("mov ", $w, ", 0"),
            concat!("adox ", $high, ", ", $w),
            concat!("adc ", $w, ", ", $high),
        )
    };
    ($b:literal; $high:literal $free:literal; $w:literal $at:literal, $next:literal $offset:literal $($rest:tt)*) => {
        lines!(
            concat!("mulx ", $free, ", ", $w, ", [", $b, $offset, "]"),
            concat!("adox ", $w, ", ", $high),
            concat!("adcx ", $w, ", ", $next),
            columns!($b; $free $high; $next $offset $($rest)*),
        )
    };
}

/// A row for x in rdx; `$t` adds t to the first column, `$out` stores that column's limb, both in rbp.
macro_rules! row {
    ($b:literal, $t:expr, $out:expr, $w:literal $at:literal $($rest:tt)*) => {
        lines!(
            // Clears both flags.
            "xor eax, eax",
            concat!("mulx rax, rbp, [", $b, "0]"),
            $t,
            concat!("adcx rbp, ", $w),
            $out,
            columns!($b; "rax" "rbp"; $w $at $($rest)*),
        )
    };
}

/// Rows with all limbs of a from rsi up to the limit at the top of the stack, at least one; two at a time, and where
/// their number is odd the first one is the second of such a pair.
macro_rules! rows {
    ($t:literal, $($w:tt)*) => {
        lines!(
            "mov rax, [rsp]",
            "sub rax, rsi",
            "test al, 8",
            "jz 2f",
            "sub rsi, 8",
            "sub rdi, 8",
            "jmp 5f",
            "2:",
            "mov rdx, [rsi]",
            row!("rcx + ", concat!($t, "]"), "mov [rdi], rbp", $($w)*),
            "5:",
            "mov rdx, [rsi + 8]",
            row!("rcx + ", concat!($t, "+ 8]"), "mov [rdi + 8], rbp", $($w)*),
            "add rsi, 16",
            "add rdi, 16",
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

/// The quotient rows: q to t, and (w + q·N)/B, up to the second limit, two at a time: (q₁, q₀) = (w₁, w₀)·M mod B², so
/// that q₁ need not wait for the row of q₀. A single one comes first where W is odd.
macro_rules! quotients {
    (odd; $w:literal $($rest:tt)*) => {
        lines!(
            "mov rdx, [rsp + 16]",
            concat!("imul rdx, ", $w),
            "mov [rdi], rdx",
            row!("rcx + ", "", "", $w $($rest)*),
            "add rdi, 8",
            quotients!(even; $w $($rest)*),
        )
    };
    (even; $w:literal $o:literal, $next:literal $($rest:tt)*) => {
        lines!(
            "3:",
            "mov rdx, [rsp + 16]",
            concat!("mov rsi, ", $next),
            "imul rsi, rdx",
            concat!("mulx rbp, rdx, ", $w),
            concat!("mov rax, ", $w),
            "imul rax, [rsp + 24]",
            "add rsi, rax",
            "add rsi, rbp",
            "mov [rdi], rdx",
            "mov [rdi + 8], rsi",
            row!("rcx + ", "", "", $w $o, $next $($rest)*),
            "mov rdx, rsi",
            row!("rcx + ", "", "", $w $o, $next $($rest)*),
            "add rdi, 16",
            "cmp rdi, [rsp + 8]",
            "jne 3b",
        )
    };
}

/// The frame of a whole Montgomery product: limits of a = z and of t, M, N, z.
macro_rules! frame {
    ($bytes:literal) => {
        lines!(
            "push rdi",
            "push rdx",
            "push r8",
            "push rcx",
            concat!("lea rax, [r9 + ", $bytes, "]"),
            "push rax",
            concat!("lea rax, [rdi + ", $bytes, "]"),
            "push rax",
        )
    };
}

/// z := t·R⁻¹ mod N behind [`frame`] for t of 2W limbs, rdi at its high half: quotients, the high half, and one
/// subtraction whose outcome is kept under cmov. The frame is taken down, M overwritten.
macro_rules! finish {
    ($bytes:literal; $parity:ident; $w0:literal $o0:literal, $($w:literal $o:literal),*) => {
        lines!(
            concat!("sub rdi, ", $bytes),
            "mov rcx, [rsp + 32]",
            concat!("mov ", $w0, ", [rdi]"),
            $(concat!("mov ", $w, ", [rdi + ", $o, "]"),)*
            quotients!($parity; $w0 $o0, $($w $o),*),
            "xor eax, eax",
            "mov [rsp + 16], rax",
            "mov [rsp + 24], rax",
            concat!("adc ", $w0, ", [rdi]"),
            concat!("mov [rdi], ", $w0),
            $(concat!("adc ", $w, ", [rdi + ", $o, "]\nmov [rdi + ", $o, "], ", $w),)*
            // −carry; behind the next borrow, a borrow that no carry pays: then the sum was below N.
            "sbb rax, rax",
            concat!("sub ", $w0, ", [rcx]"),
            $(concat!("sbb ", $w, ", [rcx + ", $o, "]"),)*
            "sbb rax, 0",
            concat!("cmovc ", $w0, ", [rdi]"),
            $(concat!("cmovc ", $w, ", [rdi + ", $o, "]"),)*
            "mov rcx, [rsp + 40]",
            concat!("mov [rcx], ", $w0),
            $(concat!("mov [rcx + ", $o, "], ", $w),)*
            "add rsp, 48",
        )
    };
}

mod steps;
pub(super) use steps::{reduce_once, shifted_rows, shifted_rows_8, sub_scaled, upper_columns_8};

macro_rules! kernels {
    (
        $bytes:literal $parity:ident;
        $($w:literal $o:literal),*;
        $first:literal $($others:literal)*;
        $($offset:literal)*
    ) => {{
        #[unsafe(naked)]
        unsafe extern "sysv64" fn mul_first(t: *mut Limb, a: *const Limb, len: usize, b: *const Limb) {
            naked_asm!(
                save!(),
                "lea rdx, [rsi + 8 * rdx]",
                "push rdx",
                $(concat!("xor ", $w, ", ", $w),)*
                rows!("#", $($w $o),*),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn mul_rows(t: *mut Limb, a: *const Limb, len: usize, b: *const Limb) {
            naked_asm!(
                save!(),
                "lea rdx, [rsi + 8 * rdx]",
                "push rdx",
                $(concat!("xor ", $w, ", ", $w),)*
                rows!("adox rbp, [rdi", $($w $o),*),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn triangle_first(t: *mut Limb, a: *const Limb, len: usize) {
            naked_asm!(
                save!(),
                "lea rdx, [rsi + 8 * rdx]",
                "push rdx",
                "mov rcx, rsi",
                $(concat!("xor ", $w, ", ", $w),)*
                concat!("mov [rdi], ", $first),
                triangle!($($others)*; 0 $($offset)*; $first $($others)*; $($offset)*),
                concat!("add rdi, ", $bytes),
                concat!("add rsi, ", $bytes),
                "cmp rsi, [rsp]",
                "je 4f",
                rows!("#", $($w $o),*),
                "4:",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
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
                rows!("adox rbp, [rdi", $($w $o),*),
                "4:",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "pop rdx",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn reduce_rows(
            t: *mut Limb,
            n: *const Limb,
            len: usize,
            m0: Limb,
            m1: Limb,
            carry: Limb,
        ) -> Limb {
            naked_asm!(
                save!(),
                "push r9",
                "push r8",
                "push rcx",
                concat!("lea rax, [rdi + ", $bytes, "]"),
                "push rax",
                "lea rax, [rsi + 8 * rdx]",
                "push rax",
                "mov rcx, rsi",
                $(concat!("mov ", $w, ", [rdi + ", $o, "]"),)*
                quotients!($parity; $($w $o),*),
                concat!("lea rsi, [rcx + ", $bytes, "]"),
                concat!("lea rcx, [rdi - ", $bytes, "]"),
                "cmp rsi, [rsp]",
                "je 4f",
                rows!("adox rbp, [rdi", $($w $o),*),
                "4:",
                // The carry as the flag; M is overwritten.
                "xor eax, eax",
                "mov [rsp + 16], rax",
                "mov [rsp + 24], rax",
                "mov rax, [rsp + 32]",
                "add rax, -1",
                $(concat!("adc ", $w, ", [rdi + ", $o, "]"),)*
                "setc al",
                "movzx eax, al",
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "add rsp, 40",
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn mont_mul(
            z: *mut Limb,
            b: *const Limb,
            n: *const Limb,
            m0: Limb,
            m1: Limb,
            t: *mut Limb,
        ) {
            naked_asm!(
                save!(),
                frame!($bytes),
                "mov rcx, rsi",
                "mov rsi, rdi",
                "mov rdi, r9",
                $(concat!("xor ", $w, ", ", $w),)*
                rows!("#", $($w $o),*),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                finish!($bytes; $parity; $($w $o),*),
                restore!(),
            )
        }

        #[unsafe(naked)]
        unsafe extern "sysv64" fn mont_square(
            z: *mut Limb,
            a: *const Limb,
            n: *const Limb,
            m0: Limb,
            m1: Limb,
            t: *mut Limb,
        ) {
            naked_asm!(
                save!(),
                frame!($bytes),
                "mov rcx, rsi",
                "mov rdi, r9",
                $(concat!("xor ", $w, ", ", $w),)*
                concat!("mov [rdi], ", $first),
                triangle!($($others)*; 0 $($offset)*; $first $($others)*; $($offset)*),
                concat!("add rdi, ", $bytes),
                $(concat!("mov [rdi + ", $o, "], ", $w),)*
                "xor eax, eax",
                $(concat!(
                    "mov rdx, [rcx + ", $o, "]\n",
                    "mulx rbp, rax, rdx\n",
                    "mov r8, [rdi - ", $bytes, " + 2 * ", $o, "]\n",
                    "mov r9, [rdi - ", $bytes, " + 2 * ", $o, " + 8]\n",
                    "adcx r8, r8\n",
                    "adox r8, rax\n",
                    "adcx r9, r9\n",
                    "adox r9, rbp\n",
                    "mov [rdi - ", $bytes, " + 2 * ", $o, "], r8\n",
                    "mov [rdi - ", $bytes, " + 2 * ", $o, " + 8], r9",
                ),)*
                finish!($bytes; $parity; $($w $o),*),
                restore!(),
            )
        }

        Kernels { mul_first, mul_rows, triangle_first, triangle_rows, reduce_rows, mont_mul, mont_square }
    }};
}

/// The widths, from the least one on.
pub(super) static KERNELS: [Kernels; 6] = [
    kernels!(32 even; "r8" 0, "r9" 8, "r10" 16, "r11" 24; "r8" "r9" "r10" "r11"; 8 16 24),
    kernels!(40 odd; "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32; "r8" "r9" "r10" "r11" "r12"; 8 16 24 32),
    kernels!(
        48 even;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40;
        "r8" "r9" "r10" "r11" "r12" "r13";
        8 16 24 32 40
    ),
    kernels!(
        56 odd;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48;
        "r8" "r9" "r10" "r11" "r12" "r13" "r14";
        8 16 24 32 40 48
    ),
    kernels!(
        64 even;
        "r8" 0, "r9" 8, "r10" 16, "r11" 24, "r12" 32, "r13" 40, "r14" 48, "r15" 56;
        "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15";
        8 16 24 32 40 48 56
    ),
    kernels!(
        72 odd;
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
