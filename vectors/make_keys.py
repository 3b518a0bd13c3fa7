#!/usr/bin/env python3
"""Writes keys/ and bad/: RSA private keys in their encodings, and files that a loader must refuse.

Needs the Python standard library and the `openssl` command line (3.0 or later). The keys are random, so each run makes
other files; `python3 vectors/check.py` verifies whatever stands there. The keys are public: never use one.
"""

import base64
import math
import secrets
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from records import HERE, write

KEYS, BAD = HERE / "keys", HERE / "bad"
MESSAGE = b"The curve of equal descent: wherever it starts, the bead arrives after the same time.\n"

KEYS_HEAD = """
The private operation of the keys in this folder: r = c^d mod n.

Made by make_keys.py with Python integers and confirmed by the openssl command line; the keys are random, so another
run gives other files. Again: `python3 vectors/make_keys.py`. Check: `python3 vectors/check.py`.

Format as in arithmetic.txt; c, r, message and signature are byte strings (two digits a byte). Keys by op:
  rsa_private_op key c r          key is a file stem; c and r have the byte length of n
  rsa_private_op_error key c reason     refused: out_of_range (c is n or more), length (c is not as long as n)
  rsa_pkcs1v15_sha256 key message signature     the contents of message.txt and rsa2048.sig
"""
BAD_HEAD = """
Key files that a loader must refuse, with the reason.

Made by make_keys.py from random keys; another run gives other files. Again: `python3 vectors/make_keys.py`.
Check: `python3 vectors/check.py`, whose own strict loader must come to the same reason and field.

Format as in arithmetic.txt. Every record is one file:
  file      its name in this folder
  form      how to read it: pkcs1_der, pkcs8_der, pkcs1_pem, pkcs8_pem
  reason    truncated, trailing, malformed, algorithm, encrypted, public_key, multi_prime, even, too_small, too_long,
            out_of_range, inconsistent, too_large, not_a_key
  field     what is wrong: document (the file as a whole), version, algorithm, n, e, d, p, q, dp, dq, qinv
  also      other fields that a loader may blame, because the fault shows there too or the order of its checks differs
  what      the fault, for people
Limits behind the reasons: n has 512 to 16384 bits; e is odd, 3 or more, of 256 bits at most.
"""


# Encodings


def der(tag, *parts):
    body = b"".join(parts)
    size = len(body)
    if size < 128:
        return bytes([tag, size]) + body
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 128 | len(octets)]) + octets + body


def integer(value):
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def sequence(*parts):
    return der(0x30, *parts)


NULL = der(5)
RSA_OID = der(6, bytes.fromhex("2a864886f70d010101"))
RSA = sequence(RSA_OID, NULL)
FIELDS = ("n", "e", "d", "p", "q", "dp", "dq", "qinv")


def pem(label, data):
    text = base64.b64encode(data).decode()
    lines = [text[start : start + 64] for start in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode()


@dataclass
class Key:
    n: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @staticmethod
    def of(p, q, e, group=None):
        d = pow(e, -1, group or (p - 1) * (q - 1))
        return Key(p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))

    def pkcs1(self, **raw):
        """RSAPrivateKey; `raw` replaces the encoding of a field."""
        return sequence(raw.get("version", integer(0)), *(raw.get(f, integer(getattr(self, f))) for f in FIELDS))

    def pkcs8(self, algorithm=RSA):
        return pkcs8(self.pkcs1(), algorithm)

    def public(self):
        return sequence(integer(self.n), integer(self.e))

    def spki(self):
        return sequence(RSA, der(3, b"\0", self.public()))

    def size(self):
        return (self.n.bit_length() + 7) // 8


def pkcs8(inner, algorithm=RSA):
    return sequence(integer(0), algorithm, der(4, inner))


# Keys


def openssl(*arguments, data=None):
    run = subprocess.run(["openssl", *arguments], input=data, capture_output=True)
    if run.returncode:
        raise SystemExit(f"openssl {' '.join(arguments)}: {run.stderr.decode()}")
    return run.stdout


def prime(bits, e):
    """A random prime of exactly `bits` bits, the top two of them set, with e invertible modulo prime - 1."""
    while True:
        value = int(openssl("prime", "-generate", "-bits", str(bits), "-hex").strip(), 16)
        if value.bit_length() == bits and math.gcd(e, value - 1) == 1:
            return value


def generate(p_bits, q_bits, e=65537):
    while True:
        p, q = prime(p_bits, e), prime(q_bits, e)
        if p_bits == q_bits:
            p, q = max(p, q), min(p, q)
        if p != q:
            return Key.of(p, q, e)


def order_lambda(key):
    return math.lcm(key.p - 1, key.q - 1)


def generate_base():
    """1024 bits, with room for d + j*lambda >= n and dp + p - 1 in the lengths of n and p."""
    while True:
        key = generate(512, 512)
        if long_d(key).bit_length() <= 1024 and (key.dp + key.p - 1).bit_length() <= 512:
            return key


def long_d(key):
    """The smallest number congruent to d modulo lambda(n) that is not below n."""
    order = order_lambda(key)
    return key.d + -(-(key.n - key.d) // order) * order


def generate_lambda():
    while True:
        key = generate(1024, 1024)
        short = pow(key.e, -1, order_lambda(key))
        if short != key.d:
            return replace(key, d=short)


def all_keys():
    e33, e256 = 2**32 + 15, 2**255 + secrets.randbits(255) | 1
    mersenne = 2**521 - 1, 2**607 - 1
    plain = generate(1024, 1024)
    less = generate(1024, 1024)
    return {
        "rsa1024": generate_base(),
        "rsa1536": generate(768, 768),
        "rsa2048": plain,
        "rsa3072": generate(1536, 1536),
        "rsa4096": generate(2048, 2048),
        "rsa2048_p_lt_q": Key.of(less.q, less.p, less.e),
        "rsa2048_unequal": generate(1152, 896),
        "rsa1128_unequal": Key.of(*mersenne, 65537),
        "rsa1128_unequal_swapped": Key.of(*reversed(mersenne), 65537),
        "rsa2048_e3": generate(1024, 1024, 3),
        "rsa2048_e33": generate(1024, 1024, e33),
        "rsa2048_e256": generate(1024, 1024, e256),
        "rsa2048_lambda": generate_lambda(),
        "rsa2047": generate(1024, 1023),
        "rsa2049": generate(1025, 1024),
    }


def write_key(name, key):
    assert len({key.p, key.q}) == 2 and key.p * key.q == key.n
    (KEYS / f"{name}.pem").write_bytes(pem("PRIVATE KEY", key.pkcs8()))
    (KEYS / f"{name}.pkcs1.der").write_bytes(key.pkcs1())
    (KEYS / f"{name}.pub.pem").write_bytes(pem("PUBLIC KEY", key.spki()))
    if name in ("rsa1024", "rsa1536", "rsa2048", "rsa3072", "rsa4096"):
        (KEYS / f"{name}.der").write_bytes(key.pkcs8())
        (KEYS / f"{name}.pkcs1.pem").write_bytes(pem("RSA PRIVATE KEY", key.pkcs1()))
    if name == "rsa2048":
        (KEYS / f"{name}.pub.pkcs1.pem").write_bytes(pem("RSA PUBLIC KEY", key.public()))


def private_ops(name, key):
    """Records of the private operation, each confirmed by openssl."""
    size, n = key.size(), key.n
    cases = {"zero": 0, "one": 1, "two": 2, "minus_one": n - 1, "p": key.p, "q": key.q}
    cases["multiple_of_q"] = key.q * 2
    cases["gives_two"] = pow(2, key.e, n)
    cases["gives_short"] = pow(secrets.randbits(n.bit_length() - 20) | 1, key.e, n)
    cases["random"] = secrets.randbelow(n)
    cases["random_2"] = secrets.randbelow(n)
    for label, c in cases.items():
        r = pow(c, key.d, n)
        octets, result = c.to_bytes(size, "big"), r.to_bytes(size, "big")
        raw = openssl("pkeyutl", "-decrypt", "-inkey", str(KEYS / f"{name}.pem"), "-pkeyopt", "rsa_padding_mode:none", data=octets)
        if raw != result or pow(r, key.e, n) != c:
            raise SystemExit(f"{name}/{label}: openssl disagrees")
        yield {"id": f"{name}/{label}", "op": "rsa_private_op", "key": name, "c": octets.hex(), "r": result.hex()}
    sample = secrets.randbelow(n >> 8)  # its top byte is zero
    refused = [
        ("n", n.to_bytes(size, "big"), "out_of_range"),
        ("n_plus_one", (n + 1).to_bytes(size, "big"), "out_of_range"),
        ("all_ones", b"\xff" * size, "out_of_range"),
        ("zero_in_front", b"\0" + sample.to_bytes(size, "big"), "length"),
        ("one_short", sample.to_bytes(size, "big")[1:], "length"),
    ]
    for label, octets, reason in refused:
        yield {"id": f"{name}/{label}", "op": "rsa_private_op_error", "key": name, "c": octets.hex(), "reason": reason}


def write_keys(keys):
    records = []
    for name, key in keys.items():
        write_key(name, key)
        records += private_ops(name, key)
    message, path = KEYS / "message.txt", KEYS / "rsa2048.sig"
    message.write_bytes(MESSAGE)
    path.write_bytes(openssl("dgst", "-sha256", "-sign", str(KEYS / "rsa2048.pem"), str(message)))
    record = {"id": "rsa2048/signature", "op": "rsa_pkcs1v15_sha256", "key": "rsa2048", "message": MESSAGE.hex()}
    records.append({**record, "signature": path.read_bytes().hex()})
    write(KEYS / "keys.txt", KEYS_HEAD, records)


# Files to refuse


class Refused:
    """Collects the files of bad/ and their records."""

    SUFFIX = {"pkcs1_der": ".pkcs1.der", "pkcs8_der": ".der", "pkcs1_pem": ".pkcs1.pem", "pkcs8_pem": ".pem"}

    def __init__(self):
        self.records = []

    def add(self, name, form, data, reason, field, what, also=None):
        file = name + self.SUFFIX[form]
        (BAD / file).write_bytes(data)
        record = {"id": f"bad/{name}", "op": "key_error", "file": file, "form": form, "reason": reason, "field": field}
        if also:
            record["also"] = also
        self.records.append({**record, "what": what})

    def fields(self, name, key, reason, field, what, also=None):
        """A document of the right form with wrong numbers."""
        self.add(name, "pkcs1_der", key.pkcs1(), reason, field, what, also)


def documents(bad, key):
    one, eight = key.pkcs1(), key.pkcs8()
    bad.add("empty_der", "pkcs8_der", b"", "truncated", "document", "no bytes")
    bad.add("truncated_header", "pkcs8_der", eight[:3], "truncated", "document", "ends inside the first length")
    bad.add("truncated_half", "pkcs8_der", eight[: len(eight) // 2], "truncated", "document", "the first half")
    bad.add("truncated_last", "pkcs8_der", eight[:-1], "truncated", "document", "the last byte is missing")
    bad.add("truncated_pkcs1", "pkcs1_der", one[:-1], "truncated", "document", "the last byte is missing")
    bad.add("trailing", "pkcs8_der", eight + b"\0", "trailing", "document", "a zero byte after the end")
    bad.add("trailing_pkcs1", "pkcs1_der", one + b"\0", "trailing", "document", "a zero byte after the end")
    bad.add("trailing_inner", "pkcs8_der", pkcs8(one + b"\0"), "trailing", "document", "a zero byte after the RSAPrivateKey")
    bad.add("trailing_key", "pkcs1_der", one + one, "trailing", "document", "the key twice")

    def padded(value):
        return der(2, b"\0" + value.to_bytes(value.bit_length() // 8 + 1, "big"))

    for field in ("n", "e", "d", "p", "qinv"):
        data = key.pkcs1(**{field: padded(getattr(key, field))})
        bad.add(f"leading_zero_{field}", "pkcs1_der", data, "malformed", field, "an integer with a zero byte too many", "document")
    for field in ("n", "p", "q"):  # their top bit is set: without the zero byte the number is negative
        value = getattr(key, field)
        data = key.pkcs1(**{field: der(2, value.to_bytes(value.bit_length() // 8, "big"))})
        bad.add(f"negative_{field}", "pkcs1_der", data, "malformed", field, "a negative integer", "document")
    bad.add("negative_e", "pkcs1_der", key.pkcs1(e=der(2, b"\xff")), "malformed", "e", "e = -1", "document")
    bad.add("empty_integer", "pkcs1_der", key.pkcs1(dq=der(2)), "malformed", "dq", "an integer without bytes", "document")
    bad.add("wrong_tag", "pkcs1_der", key.pkcs1(d=der(4, b"\x01")), "malformed", "d", "an octet string for an integer", "document")
    bad.add("missing_qinv", "pkcs1_der", key.pkcs1(qinv=b""), "malformed", "qinv", "ends after dq", "document")
    bad.add("version_two", "pkcs1_der", key.pkcs1(version=integer(2)), "malformed", "version", "an unknown version", "document")
    body = one[4:]
    bad.add("long_length", "pkcs1_der", b"\x30\x83\x00" + len(body).to_bytes(2, "big") + body, "malformed", "document", "a length with a zero byte in front")
    bad.add("indefinite_length", "pkcs1_der", b"\x30\x80" + body + b"\0\0", "malformed", "document", "BER: indefinite length")
    swapped = pem("PRIVATE KEY", one)
    bad.add("pkcs1_in_pkcs8_pem", "pkcs8_pem", swapped, "malformed", "document", "an RSAPrivateKey under the label PRIVATE KEY", "algorithm")


def texts(bad, key, name):
    path = str(KEYS / f"{name}.pem")
    text = pem("PRIVATE KEY", key.pkcs8())
    one = pem("RSA PRIVATE KEY", key.pkcs1())
    bad.add("empty_text", "pkcs8_pem", b"", "not_a_key", "document", "no bytes")
    bad.add("no_pem", "pkcs8_pem", b"This file holds no key.\n", "not_a_key", "document", "text without PEM")
    broken = text[:200] + b"*" + text[201:]
    bad.add("bad_base64", "pkcs8_pem", broken, "malformed", "document", "a character that base64 does not have")
    wrong = text.replace(b"PRIVATE KEY", b"SECRET KEY")
    bad.add("wrong_label", "pkcs8_pem", wrong, "not_a_key", "document", "an unknown label")
    ending = text.replace(b"END PRIVATE KEY", b"END RSA PRIVATE KEY")
    bad.add("wrong_end", "pkcs8_pem", ending, "malformed", "document", "begin and end lines differ")
    bad.add("no_end", "pkcs8_pem", text[: text.index(b"-----END")], "malformed", "document", "no end line")
    bad.add("public_key", "pkcs8_pem", pem("PUBLIC KEY", key.spki()), "public_key", "document", "the public half")
    bad.add("public_key_pkcs1", "pkcs1_pem", pem("RSA PUBLIC KEY", key.public()), "public_key", "document", "the public half")
    locked = openssl("pkcs8", "-topk8", "-v2", "aes-256-cbc", "-in", path, "-passout", "pass:tautochrone")
    bad.add("encrypted", "pkcs8_pem", locked, "encrypted", "document", "EncryptedPrivateKeyInfo; the password is tautochrone")
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "key.pem"
        plain.write_bytes(one)
        locked = openssl("rsa", "-traditional", "-aes128", "-in", str(plain), "-passout", "pass:tautochrone")
    assert b"Proc-Type: 4,ENCRYPTED" in locked
    bad.add("encrypted_traditional", "pkcs1_pem", locked, "encrypted", "document", "Proc-Type header; the password is tautochrone")
    certificate = openssl("req", "-x509", "-new", "-key", path, "-subj", "/CN=test", "-days", "3650")
    bad.add("certificate", "pkcs8_pem", certificate, "not_a_key", "document", "a certificate")


def algorithms(bad, key):
    def both(name, arguments, what):
        text = openssl("genpkey", *arguments)
        bad.add(name, "pkcs8_pem", text, "algorithm", "algorithm", what)
        data = base64.b64decode("".join(text.decode().split("\n")[1:-2]))
        bad.add(f"{name}_der", "pkcs8_der", data, "algorithm", "algorithm", what)

    both("ec", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "an EC key")
    both("ed25519", ["-algorithm", "ED25519"], "an Ed25519 key")
    both("rsa_pss", ["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"], "a key bound to RSA-PSS")
    wrong = sequence(RSA_OID, integer(1))
    bad.add("parameters", "pkcs8_der", key.pkcs8(wrong), "algorithm", "algorithm", "rsaEncryption with parameters other than NULL", "document")
    text = openssl("genrsa", "-primes", "3", "1024")
    bad.add("multi_prime", "pkcs8_pem", text, "multi_prime", "version", "three primes", "document")
    one = openssl("rsa", "-traditional", "-outform", "DER", data=text)
    bad.add("multi_prime_der", "pkcs1_der", one, "multi_prime", "version", "three primes", "document")


def numbers(bad, key):
    phi = (key.p - 1) * (key.q - 1)

    def with_e(e):
        d = pow(e, -1, phi)
        return replace(key, e=e, d=d, dp=d % (key.p - 1), dq=d % (key.q - 1))

    def invertible(e):
        while math.gcd(e, phi) != 1:
            e += 2
        return e

    bad.fields("e_zero", replace(key, e=0), "too_small", "e", "e = 0")
    bad.fields("e_one", replace(key, e=1, d=phi + 1, dp=1, dq=1), "too_small", "e", "e = 1, the rest fits")
    bad.fields("e_two", replace(key, e=2), "even", "e", "e = 2")
    bad.fields("e_even", replace(key, e=65538), "even", "e", "e = 65538")
    bad.fields("e_257_bits", with_e(invertible(2**256 + 1)), "too_long", "e", "e of 257 bits, the rest fits")
    bad.fields("e_n", with_e(key.n), "too_long", "e", "e = n, the rest fits")
    bad.fields("e_above_n", with_e(invertible(key.n + 2)), "too_long", "e", "e above n, the rest fits")
    bad.fields("e_wrong", replace(key, e=65539), "inconsistent", "e", "e of another key", "d dp dq")

    bad.fields("n_even", replace(key, n=key.n - 1), "even", "n", "n - 1")
    bad.fields("n_wrong", replace(key, n=key.n - 2), "inconsistent", "n", "n - 2, not p*q", "p q")
    small = generate(256, 255)
    bad.fields("n_511_bits", small, "too_small", "n", "a consistent key of 511 bits")
    half = [secrets.randbits(8193) | 1 << 8192 | 1 for _ in range(5)]
    long = [secrets.randbits(16385) | 1 << 16384 | 1, secrets.randbits(16384) | 1 << 16383 | 1]
    bad.fields("n_16385_bits", Key(long[0], 65537, long[1], *half), "too_large", "n", "odd numbers of the shape of a key of 16385 bits")

    bad.fields("p_even", replace(key, p=key.p + 1), "even", "p", "p + 1", "n q")
    bad.fields("q_even", replace(key, q=key.q + 1), "even", "q", "q + 1", "n p")
    bad.fields("p_one", replace(key, p=1), "too_small", "p", "p = 1", "n q")
    bad.fields("q_one", replace(key, q=1), "too_small", "q", "q = 1", "n p")
    bad.fields("p_n_q_one", replace(key, p=key.n, q=1), "too_small", "q", "p = n, q = 1", "p")
    bad.fields("p_one_q_n", replace(key, p=1, q=key.n), "too_small", "p", "p = 1, q = n", "q")
    bad.fields("p_zero", replace(key, p=0), "too_small", "p", "p = 0", "n q")
    d = pow(key.e, -1, key.p * (key.p - 1))
    twin = Key(key.p * key.p, key.e, d, key.p, key.p, d % (key.p - 1), d % (key.p - 1), key.qinv)
    bad.fields("p_equals_q", twin, "inconsistent", "q", "p = q, n = p*p", "p n qinv")
    bad.fields("swapped", replace(key, p=key.q, q=key.p), "inconsistent", "dp", "p and q exchanged, dp, dq and qinv not", "p q dq qinv d")
    bad.fields("p_wrong", replace(key, p=key.p ^ 4), "inconsistent", "n", "one bit of p", "p q")
    bad.fields("q_wrong", replace(key, q=key.q ^ 4), "inconsistent", "n", "one bit of q", "p q")

    bad.fields("d_zero", replace(key, d=0), "out_of_range", "d", "d = 0")
    bad.fields("d_one", replace(key, d=1), "out_of_range", "d", "d = 1")
    bad.fields("d_n", replace(key, d=key.n), "out_of_range", "d", "d = n")
    bad.fields("d_above_n", replace(key, d=long_d(key)), "out_of_range", "d", "d above n, of its length, congruent to the right one")
    bad.fields("d_long", replace(key, d=key.d + (phi << 64)), "too_long", "d", "d longer than n, congruent to the right one")
    for bit in (0, 1, key.d.bit_length() - 2):
        bad.fields(f"d_bit_{bit}" if bit < 2 else "d_bit_high", replace(key, d=key.d ^ 1 << bit), "inconsistent", "d", "one bit of d", "dp dq")

    for field, modulus in (("dp", key.p), ("dq", key.q)):
        right = getattr(key, field)
        bad.fields(f"{field}_zero", replace(key, **{field: 0}), "out_of_range", field, f"{field} = 0")
        bad.fields(f"{field}_top", replace(key, **{field: modulus - 1}), "out_of_range", field, f"{field} = {field[1]} - 1")
        bad.fields(f"{field}_bit", replace(key, **{field: right ^ 1 << 100}), "inconsistent", field, f"one bit of {field}", "d")
        bad.fields(f"{field}_low_bit", replace(key, **{field: right ^ 1}), "inconsistent", field, f"the lowest bit of {field}", "d")
    above = replace(key, dp=key.dp + key.p - 1)
    bad.fields("dp_above", above, "out_of_range", "dp", "dp above p - 1, congruent to the right one")
    bad.fields("dp_long", replace(key, dp=key.dp + (key.p - 1 << 64)), "too_long", "dp", "dp longer than p, congruent to the right one")
    bad.fields("qinv_zero", replace(key, qinv=0), "out_of_range", "qinv", "qinv = 0")
    bad.fields("qinv_p", replace(key, qinv=key.p), "out_of_range", "qinv", "qinv = p")
    bad.fields("qinv_bit", replace(key, qinv=key.qinv ^ 1 << 100), "inconsistent", "qinv", "one bit of qinv")
    bad.fields("qinv_low_bit", replace(key, qinv=key.qinv ^ 1), "inconsistent", "qinv", "the lowest bit of qinv")
    long_inverse = key.qinv + (key.p << 520)
    assert long_inverse > key.n
    bad.fields("qinv_long", replace(key, qinv=long_inverse), "too_long", "qinv", "qinv longer than n, congruent to the right one")


def write_bad(keys):
    bad = Refused()
    key = keys["rsa1024"]
    documents(bad, key)
    texts(bad, keys["rsa2048"], "rsa2048")
    algorithms(bad, key)
    numbers(bad, key)
    write(BAD / "index.txt", BAD_HEAD, bad.records)


def main():
    for folder in (KEYS, BAD):
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            if old.suffix in (".pem", ".der", ".sig", ".txt"):
                old.unlink()
    keys = all_keys()
    write_keys(keys)
    write_bad(keys)


main()
