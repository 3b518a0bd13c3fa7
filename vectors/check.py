#!/usr/bin/env python3
"""Verifies every record and key file of this folder. Python standard library only; nothing outside this folder.

The arithmetic is done with Python integers. The encodings are read by a small strict loader of its own, which must
accept every file of keys/ and refuse every file of bad/ with the reason and the field that the index names.
"""

import base64
import binascii
import hashlib
import math
from collections import Counter
from dataclasses import dataclass

from make import knuth
from records import HERE, read

KEYS, BAD = HERE / "keys", HERE / "bad"
PRIMES = [p for p in range(2, 400) if all(p % q for q in range(2, p))]
TEXTUAL = {"id", "op", "source", "reason", "estimate", "key", "file", "form", "field", "also", "what", "message", "signature"}
DECIMAL = {"k", "bits", "width", "bases"}


def require(holds, what="wrong"):
    if not holds:
        raise AssertionError(what)


# Arithmetic


def canonical(text):
    """The number that `text` writes: lowercase hex, no zero in front."""
    value = int(text, 16)
    require(f"{value:x}" == text, f"not canonical: {text[:20]}")
    return value


def strong_test(n, base):
    """Whether n passes the strong test of primality to `base`."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    x = pow(base, odd, n)
    if x in (1, n - 1):
        return True
    return any((x := x * x % n) == n - 1 for _ in range(twos - 1))


def probable_prime(n, bases=len(PRIMES)):
    return n > 1 and all(n == p or n % p and strong_test(n, p) for p in PRIMES[:bases])


def composite(n, bases):
    """A witness among the primes, and none among the first `bases`."""
    passed = [strong_test(n, p) for p in PRIMES]
    return all(passed[:bases]) and not passed[bases]


def estimates(record, u, v):
    """The division shows exactly the events that `estimate` names."""
    if "estimate" not in record:
        return True
    base, *events = record["estimate"].split()
    return events == sorted(knuth(u, v, int(base.removeprefix("b")))[2])


def context(m, bits, width, one, rr, n0):
    require(m & 1 and m >= 3 and m.bit_length() == bits <= width and width % 64 == 0)
    require(one < m and (2**width - one) % m == 0, "one")
    require(rr < m and (2 ** (2 * width) - rr) % m == 0, "rr")
    require(n0 < 2**64 and (n0 * m + 1) % 2**64 == 0, "n0")
    return True


def divides(divisor, value):
    return value % divisor == 0


def rsa_key(n, e, d, p, q, dp, dq, qinv):
    require(p * q == n and p != q, "n")
    require(probable_prime(p, 8) and probable_prime(q, 8), "primes")
    require(e & 1 and 3 <= e < n and 1 < d < n, "e d")
    require(divides(math.lcm(p - 1, q - 1), e * d - 1), "d")
    require(0 < dp < p - 1 and divides(p - 1, e * dp - 1), "dp")
    require(0 < dq < q - 1 and divides(q - 1, e * dq - 1), "dq")
    require(0 < qinv < p and divides(p, q * qinv - 1), "qinv")
    return True


def modulus_error(m, reason):
    return reason == {0: "zero", 1: "one"}.get(m, "even" if m % 2 == 0 else None)


CHECKS = {
    "mul": lambda a, b, r: a * b == r,
    "square": lambda a, r: a * a == r,
    "add_mod": lambda a, b, m, r: max(a, b, r) < m and divides(m, a + b - r),
    "sub_mod": lambda a, b, m, r: max(a, b, r) < m and divides(m, a - b - r),
    "mul_mod": lambda a, b, m, r: m & 1 and r < m and divides(m, a * b - r),
    "square_mod": lambda a, m, r: m & 1 and r < m and divides(m, a * a - r),
    "shl_mod": lambda a, k, m, r: max(a, r) < m and k < 2**32 and r == a * pow(2, k, m) % m,
    "shl_mod_in": lambda x, y, m, r: max(x, r) < m and y < 2**64 and divides(m, (x << 64) + y - r),
    "mod": lambda a, m, r: r < m and divides(m, a - r),
    "divrem": lambda u, v, q, r, wrong_r=None: u == q * v + r and r < v and r != wrong_r,
    "context": context,
    "mont_mul": lambda a, b, m, width, r: m & 1 and max(a, b, r) < m < 2**width and divides(m, (r << width) - a * b),
    "modexp": lambda a, e, m, r: m & 1 and m > 1 and r == pow(a, e, m),
    "modulus_error": modulus_error,
    "gcd": lambda a, b, r: r == math.gcd(a, b),
    "modinv": lambda a, m, r: r < m and a * r % m == 1,
    "modinv_none": lambda a, m: math.gcd(a, m) != 1,
    "composite": composite,
    "prime": lambda n: probable_prime(n),
    "rsa_key": rsa_key,
    "rsa_key_error": lambda n, e, p, q, reason: reason == "no_inverse" and p * q == n and math.gcd(e, (p - 1) * (q - 1)) != 1,
}


def arithmetic(record):
    values = {}
    for key, text in record.items():
        if key in ("id", "op", "source", "estimate"):
            continue
        values[key] = text if key in TEXTUAL else int(text) if key in DECIMAL else canonical(text)
    require(CHECKS[record["op"]](**values))
    if record["op"] == "divrem":
        require(estimates(record, values["u"], values["v"]), "estimate")


# A strict loader of private keys


@dataclass
class Refused(Exception):
    reason: str
    field: str


def refuse_if(condition, reason, field):
    if condition:
        raise Refused(reason, field)


def element(data, tag, field="document"):
    """The contents of the DER element at the front of `data`, and the rest behind it."""
    refuse_if(len(data) < 2, "malformed", field)
    refuse_if(data[0] != tag, "malformed", field)
    size, start = data[1], 2
    if size >= 128:
        count = size - 128
        refuse_if(not 1 <= count <= 4 or len(data) < 2 + count, "malformed", field)
        size, start = int.from_bytes(data[2 : 2 + count], "big"), 2 + count
        refuse_if(data[2] == 0 or size < 128, "malformed", field)
    refuse_if(start + size > len(data), "malformed", field)
    return data[start : start + size], data[start + size :]


def whole(data, tag=0x30):
    """The contents of a document that is one element, no more and no less."""
    refuse_if(len(data) < 2 or data[1] > 128 and len(data) < 2 + data[1] - 128, "truncated", "document")
    if data[0] == tag and data[1] != 128:
        long = data[1] > 128
        size = int.from_bytes(data[2 : 2 + data[1] - 128], "big") + 2 + data[1] - 128 if long else data[1] + 2
        refuse_if(size > len(data), "truncated", "document")
    body, rest = element(data, tag)
    refuse_if(rest, "trailing", "document")
    return body


def integer(data, field):
    body, rest = element(data, 2, field)
    refuse_if(not body or body[0] >= 128, "malformed", field)
    refuse_if(len(body) > 1 and body[0] == 0 and body[1] < 128, "malformed", field)
    return int.from_bytes(body, "big"), rest


def pkcs1(data):
    body = whole(data)
    version, body = integer(body, "version")
    refuse_if(version == 1, "multi_prime", "version")
    refuse_if(version > 1, "malformed", "version")
    key = {}
    for field in ("n", "e", "d", "p", "q", "dp", "dq", "qinv"):
        key[field], body = integer(body, field)
    refuse_if(body, "malformed", "document")
    numbers(**key)
    return key


def numbers(n, e, d, p, q, dp, dq, qinv):
    bits = n.bit_length()
    refuse_if(bits > 16384, "too_large", "n")
    refuse_if(bits < 512, "too_small", "n")
    refuse_if(n % 2 == 0, "even", "n")
    refuse_if(e < 2, "too_small", "e")
    refuse_if(e % 2 == 0, "even", "e")
    refuse_if(e.bit_length() > 256, "too_long", "e")
    for field, value in (("p", p), ("q", q)):
        refuse_if(value < 2, "too_small", field)
        refuse_if(value % 2 == 0, "even", field)
    for field, value, bound in (("d", d, n), ("dp", dp, p), ("dq", dq, q), ("qinv", qinv, p)):
        refuse_if((value.bit_length() + 7) // 8 > (bound.bit_length() + 7) // 8, "too_long", field)
    refuse_if(p * q != n, "inconsistent", "n")
    refuse_if(p == q, "inconsistent", "q")
    refuse_if(not 1 < d < n, "out_of_range", "d")
    refuse_if(not 0 < dp < p - 1, "out_of_range", "dp")
    refuse_if(not 0 < dq < q - 1, "out_of_range", "dq")
    refuse_if(not 0 < qinv < p, "out_of_range", "qinv")
    order = math.lcm(p - 1, q - 1)
    right_p, right_q = (e * dp - 1) % (p - 1) == 0, (e * dq - 1) % (q - 1) == 0
    refuse_if((e * d - 1) % order != 0, "inconsistent", "d" if right_p and right_q else "e")
    refuse_if(not right_p, "inconsistent", "dp")
    refuse_if(not right_q, "inconsistent", "dq")
    refuse_if((q * qinv - 1) % p != 0, "inconsistent", "qinv")


RSA = bytes.fromhex("06092a864886f70d010101")


def pkcs8(data):
    body = whole(data)
    version, body = integer(body, "version")
    refuse_if(version != 0, "malformed", "version")
    algorithm, body = element(body, 0x30)
    refuse_if(algorithm != RSA + b"\x05\x00", "algorithm", "algorithm")
    inner, rest = element(body, 4)
    refuse_if(rest, "malformed", "document")
    return pkcs1(inner)


def spki(data):
    algorithm, body = element(whole(data), 0x30)
    require(algorithm == RSA + b"\x05\x00")
    inner, rest = element(body, 3)
    require(inner[0] == 0 and not rest)
    return public(inner[1:])


def public(data):
    n, body = integer(whole(data), "n")
    e, body = integer(body, "e")
    require(not body)
    return n, e


def unpem(data, label):
    """The bytes of a PEM text that holds `label`."""
    lines = data.decode("ascii").split("\n")
    begin = lines[0].removeprefix("-----BEGIN ").removesuffix("-----")
    refuse_if(lines[0] != f"-----BEGIN {begin}-----", "not_a_key", "document")
    refuse_if(begin.endswith("PUBLIC KEY") and begin != label, "public_key", "document")
    refuse_if(begin == "ENCRYPTED PRIVATE KEY", "encrypted", "document")
    refuse_if(begin != label, "not_a_key", "document")
    refuse_if(lines[1].startswith("Proc-Type:"), "encrypted", "document")
    refuse_if(lines[-2:] != [f"-----END {label}-----", ""], "malformed", "document")
    try:
        return base64.b64decode("".join(lines[1:-2]), validate=True)
    except binascii.Error:
        raise Refused("malformed", "document") from None


LOADERS = {
    "pkcs1_der": pkcs1,
    "pkcs8_der": pkcs8,
    "pkcs1_pem": lambda data: pkcs1(unpem(data, "RSA PRIVATE KEY")),
    "pkcs8_pem": lambda data: pkcs8(unpem(data, "PRIVATE KEY")),
}


# Key files


def good_keys():
    """Every key by its stem; all encodings of one stem must hold the same key."""
    forms = {".pub.pkcs1.pem": None, ".pub.pem": None, ".pkcs1.pem": "pkcs1_pem", ".pkcs1.der": "pkcs1_der", ".pem": "pkcs8_pem", ".der": "pkcs8_der"}
    keys, halves = {}, {}
    for path in sorted(KEYS.iterdir()):
        suffix = next((suffix for suffix in forms if path.name.endswith(suffix)), None)
        if suffix is None:
            require(path.name in ("keys.txt", "message.txt", "rsa2048.sig"), f"unexpected {path.name}")
            continue
        stem, data = path.name.removesuffix(suffix), path.read_bytes()
        if suffix == ".pub.pem":
            halves.setdefault(stem, []).append(spki(unpem(data, "PUBLIC KEY")))
        elif suffix == ".pub.pkcs1.pem":
            halves.setdefault(stem, []).append(public(unpem(data, "RSA PUBLIC KEY")))
        else:
            key = LOADERS[forms[suffix]](data)
            require(keys.setdefault(stem, key) == key, f"{path.name}: another key")
    for stem, key in keys.items():
        rsa_key(**key)
        require(key["n"].bit_length() == int(stem[3:].split("_")[0]), f"{stem}: length")
        require(halves[stem] and set(halves[stem]) == {(key["n"], key["e"])}, f"{stem}: public half")
    require(set(halves) == set(keys))
    shapes(keys)
    return keys


def shapes(keys):
    """The variants are what their names say; every other d is reduced modulo phi(n)."""
    for stem, key in keys.items():
        phi = (key["p"] - 1) * (key["q"] - 1)
        right = pow(key["e"], -1, phi)
        if stem == "rsa2048_lambda":
            require(key["d"] == pow(key["e"], -1, math.lcm(key["p"] - 1, key["q"] - 1)) != right, stem)
        else:
            require(key["d"] == right, stem)
        lengths = sorted((key["p"].bit_length(), key["q"].bit_length()))
        require((stem in ("rsa2048_p_lt_q", "rsa1128_unequal")) == (key["p"] < key["q"]), f"{stem}: order")
        require(("unequal" in stem) == (lengths[1] - lengths[0] > 1), f"{stem}: lengths of p and q")
    exponents = {"rsa2048_e3": 2, "rsa2048_e33": 33, "rsa2048_e256": 256}
    for stem, key in keys.items():
        require(key["e"].bit_length() == exponents.get(stem, 17), f"{stem}: e")


def private_op(record, keys):
    key = keys[record["key"]]
    size = (key["n"].bit_length() + 7) // 8
    octets = bytes.fromhex(record["c"])
    c = int.from_bytes(octets, "big")
    if record["op"] == "rsa_private_op":
        r = bytes.fromhex(record["r"])
        require(len(octets) == len(r) == size and c < key["n"])
        require(pow(c, key["d"], key["n"]) == int.from_bytes(r, "big"))
    else:
        found = "length" if len(octets) != size else "out_of_range" if c >= key["n"] else None
        require(found == record["reason"])


def signature(record, keys):
    key = keys[record["key"]]
    message, octets = bytes.fromhex(record["message"]), bytes.fromhex(record["signature"])
    require(message == (KEYS / "message.txt").read_bytes() and octets == (KEYS / f"{record['key']}.sig").read_bytes())
    info = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(message).digest()
    padded = b"\x00\x01" + b"\xff" * (len(octets) - 3 - len(info)) + b"\x00" + info
    require(pow(int.from_bytes(octets, "big"), key["e"], key["n"]) == int.from_bytes(padded, "big"))


def key_error(record):
    data = (BAD / record["file"]).read_bytes()
    try:
        LOADERS[record["form"]](data)
    except Refused as refused:
        found = refused.reason, refused.field
        require(found == (record["reason"], record["field"]), f"refused as {found}")
    else:
        raise AssertionError("accepted")


def check(path, keys):
    records = read(path)
    ids = Counter(record["id"] for record in records)
    for record in records:
        try:
            require(ids[record["id"]] == 1, "this id stands twice")
            op = record["op"]
            if op in CHECKS:
                arithmetic(record)
            elif op in ("rsa_private_op", "rsa_private_op_error"):
                private_op(record, keys)
            elif op == "rsa_pkcs1v15_sha256":
                signature(record, keys)
            elif op == "key_error":
                key_error(record)
            else:
                raise AssertionError(f"unknown op {op}")
        except (AssertionError, KeyError, TypeError, ValueError) as problem:
            raise SystemExit(f"{path.name}: {record['id']}: {problem!r}") from None
    return records


def main():
    keys = good_keys()
    print(f"keys: {len(keys)} keys")
    for path in sorted(HERE.rglob("*.txt")):
        if path == KEYS / "message.txt":
            continue
        records = check(path, keys)
        print(f"{path.relative_to(HERE).as_posix()}: {len(records)} records")
        if path == BAD / "index.txt":
            listed = {record["file"] for record in records} | {"index.txt"}
            require(listed == {file.name for file in BAD.iterdir()}, "bad/ and its index differ")


main()
