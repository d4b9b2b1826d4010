"""Schemas: how many are parsed, and how many pairs judged, a second; records of 20 fields, each read by one of 21.

Run: .venv/bin/python tests/benchmarks/schemas.py
"""

import json
import time
from collections.abc import Callable

from schema_compat import KINDS, incompatibilities, parse

FIELDS = 20
SECONDS = 2.0


def avro(count: int) -> str:
    """Nullable texts with a default."""
    fields = [{"name": f"f{n}", "type": ["null", "string"], "default": None, "doc": "text"} for n in range(count)]
    return json.dumps({"type": "record", "name": "shop.Order", "fields": fields})


def json_schema(count: int) -> str:
    """Texts of a closed object."""
    fields = {f"f{n}": {"type": "string", "description": "text"} for n in range(count)}
    return json.dumps({"type": "object", "properties": fields, "required": ["f0"], "additionalProperties": False})


def protobuf(count: int) -> str:
    """Texts with a comment each."""
    fields = "".join(f"  // text\n  string f{n} = {n};\n" for n in range(1, count + 1))
    return f'syntax = "proto3";\npackage shop;\n\nmessage Order {{\n{fields}}}\n'


def rate(work: Callable[[], object]) -> float:
    """How often a second."""
    work()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        work()
        done += 1
    return done / (time.perf_counter() - start)


def main() -> None:
    """One line a kind."""
    texts = dict(zip(KINDS, (avro, json_schema, protobuf), strict=True))
    for kind, text in texts.items():
        old, new = parse(kind, text(FIELDS)), parse(kind, text(FIELDS + 1))
        parsed = rate(lambda kind=kind, text=text: parse(kind, text(FIELDS)))
        judged = rate(lambda new=new, old=old: incompatibilities(new, old))
        print(f"{kind:9} {parsed:8,.0f} parsed a second   {judged:8,.0f} pairs judged a second")


if __name__ == "__main__":
    main()
