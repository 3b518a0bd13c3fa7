"""The line format of the files in this folder: reading and writing, shared by the scripts beside it.

`#` begins a comment line. A record is a run of `key = value` lines; blank lines separate records. A key is made of
lowercase letters, digits and underscores. Numbers are lowercase hexadecimal without a prefix; counts (`k`, `bits`,
`width`, ...) are decimal.
"""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
LINE = re.compile(r"([a-z][a-z0-9_]*) = (\S(?:.*\S)?)")


def read(path):
    """All records of a file, as dictionaries. A line that is not of the format is an error with its number."""
    records, current = [], {}
    for number, line in enumerate(path.read_text(encoding="ascii").split("\n"), 1):
        if line.startswith("#"):
            continue
        if line == "":
            if current:
                records.append(current)
                current = {}
            continue
        match = LINE.fullmatch(line)
        if match is None:
            raise SystemExit(f"{path.name}:{number}: not a `key = value` line")
        key, value = match.groups()
        if key in current:
            raise SystemExit(f"{path.name}:{number}: `{key}` stands twice in one record")
        current[key] = value
    if current:
        records.append(current)
    return records


def render(head, records):
    """The text of a file: the head as comment lines, then the records. Integers are written in hexadecimal."""
    parts = ["".join(f"# {line}".rstrip() + "\n" for line in head.strip().split("\n"))]
    for record in records:
        lines = []
        for key, value in record.items():
            text = f"{value:x}" if isinstance(value, int) else value
            lines.append(f"{key} = {text}\n")
        parts.append("".join(lines))
    return "\n".join(parts)


def write(path, head, records):
    path.write_text(render(head, records), encoding="ascii", newline="\n")
