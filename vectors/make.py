#!/usr/bin/env python3
"""Writes arithmetic.txt. Python 3 integers only; the seed is fixed, so a second run gives the same bytes.

Every record is computed twice, by the plain formula and by another one, before it is written.
"""

import random

from records import HERE, write

HEAD = """
Arithmetic of natural numbers and of numbers modulo m: operands and results.

Made by make.py with Python integers, fixed seed, each result confirmed by a second formula.
Again: `python3 vectors/make.py` (gives the same bytes). Check: `python3 vectors/check.py`.

Format: records of `key = value` lines, separated by blank lines. Numbers are lowercase hex without a prefix,
the counts k, bits and width are decimal. Keys by op:
  mul a b r                    r = a*b
  square a r                   r = a*a
  add_mod, sub_mod a b m r     a, b < m; m odd or even, 1 included
  shl_mod a k m r              r = a*2^k mod m; a < m; m odd or even, 1 included
  mod a m r                    r = a mod m; m odd or even
  divrem u v q r               u = q*v + r, r < v; estimate: what the record provokes, see below
  context m bits width one rr n0      m odd of `bits` bits; R = 2^width; one = R mod m; rr = R^2 mod m;
                                      n0 = -1/m mod 2^64 (for limbs of w < 64 bits: its low w bits)
  mont_mul a b m width r       r = a*b/R mod m with R = 2^width; a, b < m
  modexp a e m r               r = a^e mod m; m odd; a may be m or more
  modulus_error m reason       no modulus of Montgomery arithmetic: zero, one or even

`estimate` describes schoolbook division (Knuth's algorithm D) in the base named first, e.g. `b64 over1 addback`:
  over1, over2   the estimate from the top two limbs over the top limb is 1 or 2 too large in some step
  base           the top limbs are equal, so that the estimate reaches the base
  addback        the estimate that passed the test with the third limb is still 1 too large
"""

LIMBS = [0, 1, 2, 2**31, 2**32 - 1, 2**32, 2**63, 2**63 - 1, 2**64 - 2, 2**64 - 1]
rng = random.Random(0x7A7A0C420E)
records = []
ids = {}


def add(op, label, **values):
    """Appends a record; its id is op/label, with a running number where the label stands already."""
    base = f"{op}/{label}"
    ids[base] = ids.get(base, 0) + 1
    name = base if ids[base] == 1 else f"{base}/{ids[base]}"
    record = {"id": name, "op": op}
    for key, value in values.items():
        counts = key in ("k", "bits", "width")
        record[key] = str(value) if counts else value
    records.append(record)


def agree(first, second):
    if first != second:
        raise SystemExit("two formulas disagree")
    return first


def limb():
    return rng.choice(LIMBS) if rng.random() < 0.7 else rng.getrandbits(64)


def natural(bits):
    """A number below 2^bits with carry-prone limbs."""
    value = 0
    for _ in range((bits + 63) // 64):
        value = value << 64 | limb()
    return value & (2**bits - 1)


def exact(bits, odd=False):
    """A number of exactly `bits` bits with carry-prone limbs."""
    return natural(bits) | 1 << (bits - 1) | int(odd)


def below(m):
    """A number below m: carry-prone, or at one of the two ends."""
    kind = rng.random()
    if kind < 0.1:
        return m - 1 - rng.randrange(min(m, 4))
    if kind < 0.15:
        return rng.randrange(min(m, 4))
    value = natural(m.bit_length())
    return value if value < m else value % m


def round64(bits):
    return (bits + 63) // 64 * 64


# Products and squares


def mul(label, a, b):
    total, difference = a + b, abs(a - b)
    add("mul", label, a=a, b=b, r=agree(a * b, (total * total - difference * difference) >> 2))


def square(label, a):
    add("square", label, a=a, r=agree(a * a, (a + 1) * (a - 1) + 1 if a else 0))


SIZES = [64, 65, 127, 128, 192, 256, 320, 384, 448, 512, 521, 576, 768, 1024, 1025, 1088, 1536, 2048, 2112, 2240, 3072, 4096]


def products():
    for bits in SIZES:
        top = 2**bits - 1
        mul(f"{bits}/ones", top, top)
        square(f"{bits}/ones", top)
        for _ in range(2 if bits <= 1088 else 1):
            mul(f"{bits}", natural(bits), natural(bits))
            square(f"{bits}", natural(bits))
    for bits in (2112, 2240, 4096):
        square(f"{bits}/top", exact(bits))
        square(f"{bits}/sparse", 2 ** (bits - 1) + 2**64 - 1)
    for left, right in ((64, 4096), (521, 1024), (128, 2048), (1088, 64), (1024, 3072), (65, 127)):
        mul(f"{left}x{right}", exact(left), exact(right))
    for bits in (64, 521, 2048):
        mul(f"{bits}/zero", exact(bits), 0)
        mul(f"{bits}/one", 1, exact(bits))
    square("zero", 0)
    square("one", 1)
    for _ in range(30):
        mul("small", natural(rng.choice([64, 96, 128, 160, 256])), natural(rng.choice([64, 128, 192, 256])))
        square("small", natural(rng.choice([64, 96, 128, 160, 256])))


# Numbers modulo m


def add_mod(label, a, b, m):
    total = a + b
    add("add_mod", label, a=a, b=b, m=m, r=agree(total % m, total - m if total >= m else total))


def sub_mod(label, a, b, m):
    add("sub_mod", label, a=a, b=b, m=m, r=agree((a - b) % m, a - b if a >= b else a + m - b))


def sums():
    for bits in (64, 65, 127, 192, 256, 512, 521, 1024, 1025, 2048, 4096):
        for m in (2**bits - 1, exact(bits), exact(bits, odd=True)):
            a, b = below(m), below(m)
            add_mod(f"{bits}", a, b, m)
            sub_mod(f"{bits}", a, b, m)
        add_mod(f"{bits}/top", m - 1, m - 1, m)
        add_mod(f"{bits}/wraps_to_zero", m - 1, 1, m)
        sub_mod(f"{bits}/wraps_to_top", 0, 1, m)
        sub_mod(f"{bits}/equal", a, a, m)
        add_mod(f"{bits}/even_top", 2**bits - 3, 2**bits - 3, 2**bits - 2)
    for bits in (1, 2, 3, 31, 32, 33, 63):
        m = exact(bits)
        add_mod(f"{bits}", m - 1, m - 1, m)
        sub_mod(f"{bits}", 0, m - 1, m)


def shl_mod(label, a, k, m):
    doubled = a
    if k <= 8192:
        for _ in range(k):
            doubled += doubled
            if doubled >= m:
                doubled -= m
    else:  # halves of the exponent, from the top bit down
        power = 1 % m
        for bit in bin(k)[2:]:
            power = power * power * (1 + int(bit)) % m
        doubled = a * power % m
    add("shl_mod", label, a=a, k=k, m=m, r=agree(a * pow(2, k, m) % m, doubled))


def shifts():
    for bits in (64, 65, 127, 192, 256, 521, 1024, 2048):
        width = round64(bits)
        for m in (exact(bits, odd=True), exact(bits) & ~1):
            kind = "odd" if m & 1 else "even"
            for k in (0, 1, 7, 8, 63, 64, 65, 255, 256, 2 * width):
                if bits <= 521 or k in (0, 7, 64, 65, 2 * width):
                    shl_mod(f"{bits}/{kind}/{k}", below(m), k, m)
        for k in (width - 1, width, width + 1):
            shl_mod(f"{bits}/top/{k}", m - 1, k, m)
    for bits in (128, 521, 1025, 4096):
        for k in (2 * round64(bits), 65537, 1000003):
            m = exact(bits, odd=rng.random() < 0.5)
            shl_mod(f"{bits}/far/{k}", below(m), k, m)
    for bits in (64, 256, 521):
        m = exact(bits, odd=True)
        shl_mod(f"{bits}/limit", below(m), 2**32 - 1, m)
        shl_mod(f"{bits}/one", 1, 2 * round64(bits), 2**bits - 1)
        shl_mod(f"{bits}/one", 1, 2 * round64(bits), 2 ** (bits - 1) + 1)
        shl_mod(f"{bits}/power_of_two", 2 ** (bits - 1) - 1, 1, 2 ** (bits - 1))
    for m in (1, 2, 3, 4, 5, 6, 7, 8, 255, 256, 257, 2**32 - 1, 2**32, 2**63, 2**63 + 1, 2**64 - 1):
        for k in (0, 1, 65):
            shl_mod("small", below(m), k, m)
    m = exact(521) & ~1
    shl_mod("zero", 0, 65, m)


# Division


def knuth(u, v, base_bits):
    """Quotient, remainder and events of schoolbook division in base 2^base_bits."""
    base, mask = 1 << base_bits, (1 << base_bits) - 1
    n = -(-v.bit_length() // base_bits)
    shift = n * base_bits - v.bit_length()
    u, v = u << shift, v << shift
    top, second = v >> (n - 1) * base_bits, (v >> (n - 2) * base_bits) & mask if n > 1 else 0
    steps = -(-u.bit_length() // base_bits) - n
    quotient, events, remainder = 0, set(), u
    for step in range(max(steps, -1), -1, -1):
        head = remainder >> (step + n - 2) * base_bits if step + n >= 2 else remainder << base_bits
        two, third = head >> base_bits, head & mask
        if two >> base_bits == top:
            events.add("base")
        estimate = min(two // top, mask)
        true = (remainder >> step * base_bits) // v
        if two // top <= mask and estimate > true:
            events.add(f"over{estimate - true}")
        if n > 1:
            while estimate * second > ((two - estimate * top) << base_bits) + third:
                estimate -= 1
        remainder -= estimate * v << step * base_bits
        if remainder < 0:
            events.add("addback")
            remainder += v << step * base_bits
            estimate -= 1
        agree(estimate, true)
        quotient = quotient << base_bits | estimate
    return quotient, remainder >> shift, events


def divrem(label, u, v, base_bits=64):
    q, r = divmod(u, v)
    second_q, second_r, events = knuth(u, v, base_bits)
    agree((q, r), (second_q, second_r))
    values = {"u": u, "v": v, "q": q, "r": r}
    if events:
        values["estimate"] = " ".join([f"b{base_bits}", *sorted(events)])
    add("divrem", label, **values)
    return events


def provoke(base_bits, limbs, wanted):
    """A dividend and a divisor of `limbs` limbs whose division shows the event `wanted`."""
    base = 1 << base_bits
    while True:
        top = base >> 1 | rng.choice([0, 0, 1, rng.randrange(base >> 1)])
        rest = base_bits * (limbs - 1)
        low = rng.choice([2**rest - 1, rng.getrandbits(rest), 1, natural(rest)])
        v = top << rest | low
        q = rng.choice([base - 1, base - 2, base - 3, rng.randrange(base)])
        if rng.random() < 0.5:
            q = q << base_bits | rng.choice([base - 1, base - 2, 0, rng.randrange(base)])
        u = q * v + rng.choice([0, v - 1, v - 1 - rng.randrange(base), rng.randrange(v)])
        if u and wanted in knuth(u, v, base_bits)[2]:
            return u, v


def divisions():
    for base_bits in (8, 16, 32, 64):
        for wanted in ("over1", "over2", "base", "addback"):
            for limbs in (2, 3, 5, 9) if base_bits == 64 else (2, 3, 6):
                if wanted == "addback" and limbs == 2:
                    continue  # with two limbs the test sees the whole divisor
                u, v = provoke(base_bits, limbs, wanted)
                divrem(f"{wanted}/b{base_bits}/{limbs}", u, v, base_bits)
        half = 1 << (base_bits - 1)  # one add-back in the last step, everywhere else as small as it can be
        tower = half << 2 * base_bits | 1
        divrem(f"addback/b{base_bits}/sparse", ((half - 1) << base_bits | half) << 2 * base_bits, tower, base_bits)
    for limbs in (16, 32, 64):
        for wanted in ("over1", "over2", "base", "addback"):
            u, v = provoke(64, limbs, wanted)
            divrem(f"{wanted}/b64/{limbs}", u, v)
    for bits in (64, 65, 128, 192, 521, 1024, 2048):
        v = exact(bits)
        divrem(f"{bits}/twice", natural(2 * bits), v)
        divrem(f"{bits}/same_length", exact(bits), v)
        divrem(f"{bits}/wider_divisor", natural(bits // 2), v)
        divrem(f"{bits}/equal", v, v)
        divrem(f"{bits}/one_below", v - 1, v)
        divrem(f"{bits}/all_ones", 2 ** (2 * bits) - 1, v)
        divrem(f"{bits}/exact", v * natural(bits), v)
        divrem(f"{bits}/power", 2 ** (2 * bits - 1), 2 ** (bits - 1))
        divrem(f"{bits}/low_half_zero", exact(bits) << bits, exact(bits - bits // 2) << bits // 2)
        divrem(f"{bits}/short_divisor", exact(bits), exact(17))
    for v in (1, 2, 3, 2**32 - 1, 2**32, 2**63, 2**64 - 1):
        divrem("by_limb", exact(256), v)
        divrem("zero", 0, v)
    divrem("odd_lengths", exact(2112), exact(1025))
    divrem("odd_lengths", exact(4096), exact(127))
    divrem("odd_lengths", exact(2240), exact(2112))
    d, q = 2**4159 + 1, 2**4096 - 1
    divrem("largest_remainder", d * q + d - 1, d)
    divrem("largest_remainder", (2**64 + 1) * (2**64 - 1) + 2**64, 2**64 + 1)


def mod(label, a, m):
    add("mod", label, a=a, m=m, r=agree(a % m, knuth(a, m, 32)[1]))


def remainders():
    for bits in (64, 65, 127, 256, 521, 1024, 1025, 2048):
        m = exact(bits, odd=True)
        mod(f"{bits}/odd", natural(2 * bits), m)
        mod(f"{bits}/even", natural(2 * bits), m - 1)
        mod(f"{bits}/square", (m - 1) ** 2, m)
        mod(f"{bits}/multiple", m * natural(64), m)
        mod(f"{bits}/short", natural(bits - 1), m)
    mod("2048_by_1024_plus", natural(2048), exact(1152, odd=True))
    mod("4096_by_521", natural(4096), exact(521, odd=True))
    mod("64_by_4096", natural(64), exact(4096, odd=True))


# Montgomery arithmetic


def context(label, m, width):
    bits = m.bit_length()
    one = agree(2**width % m, 2**width - (2**width // m) * m)
    rr = agree(pow(2, 2 * width, m), one * one % m)
    inverse = m  # right modulo 2^3; each step doubles the number of right bits
    for _ in range(5):
        inverse = inverse * (2 - m * inverse) % 2**64
    n0 = agree(-pow(m, -1, 2**64) % 2**64, -inverse % 2**64)
    add("context", label, m=m, bits=bits, width=width, one=one, rr=rr, n0=n0)


def contexts():
    for bits in range(2, 131):
        context(f"{bits}_in_192", exact(bits, odd=True), 192)
    for width in (576, 1024, 4096):
        context(f"521_in_{width}", 2**521 - 1, width)
        context(f"521_in_{width}", exact(521, odd=True), width)
    for width in (64, 128, 1024, 4096):
        context(f"three_in_{width}", 3, width)
    for bits in (64, 65, 127, 128, 256, 512, 1024, 1025, 2048, 2112, 2240, 4096):
        context(f"{bits}/ones", 2**bits - 1, round64(bits))
        context(f"{bits}/low", 2 ** (bits - 1) + 1, round64(bits))
        context(f"{bits}/near", 2**bits - 3 - 2 * rng.randrange(30), round64(bits))
        context(f"{bits}", exact(bits, odd=True), round64(bits))
    for bits in (192, 320, 384, 1536, 3072):
        context(f"{bits}", exact(bits, odd=True), bits)
    context("2048_in_2112", exact(2048, odd=True), 2112)


def mont_mul(label, a, b, m, width):
    product = a * b
    factor = (-product * pow(m, -1, 2**width)) % 2**width  # the reduction itself: product + factor*m is a multiple of R
    reduced = (product + factor * m) >> width
    reduced -= m if reduced >= m else 0
    inverse = pow(pow(2, width, m), -1, m) if m > 1 else 0
    add("mont_mul", label, a=a, b=b, m=m, width=width, r=agree(product * inverse % m, reduced))


def near_powers():
    """m = 2^k - c and a = b = m - 1: the plain product modulo m is 1."""
    for bits in range(256, 4097, 64):
        m = 2**bits - (2 * rng.randrange(30) + 1)
        label = f"{bits}/minus_one"
        agree((m - 1) * (m - 1) % m, 1)
        if bits <= 1024 or bits % 512 == 0 or bits in (2112, 2240):
            add("modexp", label, a=m - 1, e=2, m=m, r=1)
        mont_mul(label, m - 1, m - 1, m, bits)


def montgomery():
    near_powers()
    for bits in SIZES:
        m = exact(bits, odd=True)
        mont_mul(f"{bits}", below(m), below(m), m, round64(bits))
        m = exact(bits, odd=True)
        root = below(m)
        mont_mul(f"{bits}/square", root, root, m, round64(bits))
    for width in (576, 1024, 4096):
        m = 2**521 - 1
        mont_mul(f"521_in_{width}", below(m), below(m), m, width)
        mont_mul(f"521_in_{width}/minus_one", m - 1, m - 1, m, width)
    for bits in (64, 192, 1024, 2048):
        m = exact(bits, odd=True)
        mont_mul(f"{bits}/zero", 0, below(m), m, bits)
        mont_mul(f"{bits}/to_plain", pow(2, bits, m), 1, m, bits)
    for left in (3, 5, 9):  # a*b is a multiple of m: the result must be 0, not m
        m = left * exact(253, odd=True)
        mont_mul("multiple", left * (2**64 - 1), m // left, m, round64(m.bit_length()))
    for m in (3, 5, 7, 255, 257, 2**31 - 1, 2**32 - 1, 2**32 + 1, 2**63 + 1, 2**64 - 1):
        mont_mul("small", below(m), m - 1, m, 64)
        mont_mul("small_wide", below(m), m - 1, m, 192)


def power(a, e, m):
    """Square and multiply from the low bit up."""
    result, base = 1 % m, a % m
    while e:
        if e & 1:
            result = result * base % m
        base = base * base % m
        e >>= 1
    return result


def modexp(label, a, e, m):
    add("modexp", label, a=a, e=e, m=m, r=agree(pow(a, e, m), power(a, e, m)))


def powers():
    for bits in (64, 65, 127, 192, 256, 384, 512, 521, 576, 1024, 1025, 1536, 2048):
        m = exact(bits, odd=True)
        modexp(f"{bits}", below(m), exact(bits), m)
        modexp(f"{bits}/ones", below(m), 2**bits - 1, m)
        modexp(f"{bits}/sparse", below(m), 2 ** (bits - 1), m)
        modexp(f"{bits}/public", below(m), 65537, m)
    for bits in (2112, 2240, 3072, 4096):
        m = exact(bits, odd=True)
        modexp(f"{bits}", below(m), exact(bits), m)
        modexp(f"{bits}/public", below(m), 65537, m)
    for m in (3, 5, 2**64 - 59, 2**127 - 1, exact(192, odd=True), 2**521 - 1):
        for name, a in (("zero", 0), ("one", 1), ("m", m), ("m_plus_one", m + 1), ("m_minus_one", m - 1), ("above", m * 5 + 2)):
            for e in (0, 1, 2, 3):
                if m < 2**128 or e < 2:
                    modexp(f"edge/{name}", a, e, m)
    m = exact(256, odd=True)
    for e in (2**64 - 1, 2**64, 2**64 + 1, 2**255, 2**256 - 1):
        modexp("exponent", below(m), e, m)
    modexp("long_exponent", below(m), exact(1024), m)
    modexp("long_base", exact(1024), 65537, m)
    root = exact(128, odd=True)  # powers that are multiples of m: the result must be 0
    modexp("nilpotent", root, 2, root * root)
    modexp("nilpotent", root * 2, 65537, root * root)


def refusals():
    for m in (0, 1, 2, 4, 2**64, 2**64 - 2, exact(521) & ~1, exact(2048) & ~1):
        add("modulus_error", "refused", m=m, reason="zero" if m == 0 else "one" if m == 1 else "even")


def main():
    for part in (products, sums, shifts, divisions, remainders, contexts, montgomery, powers, refusals):
        part()
    write(HERE / "arithmetic.txt", HEAD, records)


if __name__ == "__main__":
    main()
