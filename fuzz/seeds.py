#!/usr/bin/env python3
"""Writes the first inputs of the fuzzers into corpus/, from the test vectors. Encodings as in src/lib.rs."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / "vectors"
WIDEST = 4200


def records(name):
    for block in (VECTORS / name).read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            yield dict(line.split(" = ", 1) for line in lines)


def short(value):
    return (value % 65536).to_bytes(2, "little")


def bits(value):
    """The bits of a number; the reader adds one."""
    return short(min(max(value, 1), WIDEST) - 1)


def number(value, length):
    """A number as its bytes."""
    return b"\0" + (value % (1 << length)).to_bytes((length + 7) // 8, "little")


def seeds(record):
    """(target, input) of one record of arithmetic."""
    def value(key):
        return int(record[key], 16)

    def length(*keys):
        return min(max([1] + [value(key).bit_length() for key in keys]), WIDEST)

    op = record["op"]
    if op in ("mul", "square"):
        other = "b" if op == "mul" else "a"
        width = length("a", other)
        yield "mul", bits(width) + short(0) + number(value("a"), width) + number(value(other), width)
    elif op == "shl_mod":
        width = length("a", "m")
        k = int(record["k"]) % (3 * width + 200)
        yield "shl_mod", bits(width) + short(k) + number(value("m"), width) + number(value("a"), width)
    elif op in ("divrem", "mod"):
        u, d = ("u", "v") if op == "divrem" else ("a", "m")
        n, m = length(d), length(u)
        yield "div", bits(n) + bits(m) + short(n) + number(value(d), n) + number(value(u), m)
    elif op in ("add_mod", "sub_mod", "mont_mul", "mul_mod", "context"):
        a, b = ("one", "rr") if op == "context" else ("a", "b")
        n, wide = length("m"), length(a, b)
        head = bits(n) + bits(wide) + short(n) + b"\1"
        yield "modulus", head + number(value("m"), n) + number(value(a), wide) + number(value(b), wide)
    elif op == "modexp":
        n, width = min(length("m"), 700), min(length("e"), 130)
        head = short(n - 1) + short(width - 1) + b"\7"
        yield "pow", head + number(value("m"), n) + number(value("a"), n) + number(value("e"), width)
    if op == "square":
        raw = value("a").to_bytes((length("a") + 7) // 8, "big")
        for data in (raw, record["a"].encode(), str(value("a")).encode()):
            yield "bytes", bits(8 * len(raw)) + short(len(raw)) + data


def keys():
    """(target, input) of the key files, good and bad. The first byte says how a file is read."""
    for path in sorted((VECTORS / "keys").iterdir()) + sorted((VECTORS / "bad").iterdir()):
        pem = path.name.endswith(".pem")
        if pem or path.name.endswith(".der"):
            how = (2 if pem else 0) + (1 if ".pkcs1." in path.name else 0)
            # Short ones alone: the others teach a fuzzer nothing and take it long.
            if path.stat().st_size <= 2000:
                yield "key_import", bytes([how]) + path.read_bytes()


def main():
    count = {}
    found = [seed for name in ("arithmetic.txt", "known.txt") for record in records(name) for seed in seeds(record)]
    for target, data in found + list(keys()):
        count[target] = count.get(target, 0) + 1
        folder = HERE / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"seed-{count[target]:04}").write_bytes(data)
    print(", ".join(f"{target}: {n} seeds" for target, n in sorted(count.items())))


if __name__ == "__main__":
    main()
