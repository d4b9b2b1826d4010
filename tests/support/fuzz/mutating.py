"""Inputs that nobody wrote, made of some that somebody did: always the same for a seed, a target and a number."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

from support.hostile_values import VALUES

LONGEST: Final = 60_000
"""Bytes of a case; longer ones would tell of the same bounds more slowly. Our judgement."""

_TOKEN: Final = re.compile(rb"[A-Za-z0-9_]+|\s+|[^A-Za-z0-9_\s]")
_NUMBER: Final = re.compile(rb"\d+(?:\.\d+)?")
_NUMBERS: Final = (
    *(
        b"0",
        b"-1",
        b"1e999",
        b"-1e999",
        b"NaN",
        b"Infinity",
        b"1e99999999",
        b"1_000",
        b"0x1f",
        b"1.5",
        b".",
        b"1e-400",
        b"00",
        b"+7",
    ),
    *(b"9" * 19, b"9" * 400, b"9" * 5000, str(2**31).encode(), str(2**63).encode(), str(-(2**63) - 1).encode()),
    *("²".encode(), "٣".encode(), "\uff11\uff12".encode(), b"1" + b"0" * 30, b"1.7976931348623157e308"),
)
_BRACKETS: Final = (b"[", b"{", b"(", b"<", b'{"a":', b"[[[", b"- ", b"> ", b"  ", b"{a: ", b"\\", b"/*", b'"', b"```")
_WORDS: Final[tuple[bytes, ...]] = (
    *(value.encode("utf-8", "surrogatepass") for value in VALUES if len(value) < 300),
    *(
        b"null",
        b"true",
        b"~",
        b"&a",
        b"*a",
        b"!!python/object:os.system",
        b"<<: *a",
        b"---\n",
        b"...\n",
        b"\r",
        b"\r\n",
    ),
    *(b"\\ud800", b"\\u0000", b"\\x", b"\\u12", b"%00", b"${", b"#", b"=", b": ", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(b"\nPASS forged\n", b"\\nPASS forged", b"\x1b]0;owned\x07", b"\xc2\x9b2J", "\u202e".encode(), b"\t", b"\x85"),
)
_ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1.5, 1e308, -0.0, 2**31, 2**63, -(2**63) - 1, 10**30, "", " ", "0", "²", "٣", "nan"),
    *([], {}, [[]], [None], [{}], {"": None}, {"a": {}}, [1, "a", None], "9" * 400, "9999-12-31T23:59:59Z"),
    *(
        "0001-01-01T00:00:00+14:00",
        "2026-02-30",
        "-",
        ".",
        "..",
        "../../etc/passwd",
        "/",
        "a\x00b",
        "\x1b[2J",
        "\u202e",
    ),
    *(
        "a\nPASS forged",
        "\ud800",
        "x" * 2000,
        "(a+)+$",
        "[",
        "*",
        "{}",
        "%s",
        "${x}",
        "1e999",
        "1e99999999",
        "-9223372036854775809",
    ),
)


def case(corpus: Sequence[bytes], seed: int, target: str, number: int) -> bytes:
    """The input of this number: a sample that was changed in one to six ways."""
    dice = Random(f"{seed} {target} {number}")
    data = dice.choice(corpus)
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4, 6))):
        change = _in_a_tree if dice.random() < _TREES else dice.choice(_CHANGES)
        data = change(data, dice, corpus)[:LONGEST]
    return data


_TREES: Final = 0.45  # of the changes, where a line of a sample is JSON: bytes alone seldom leave it JSON


def _place(data: bytes, dice: Random) -> tuple[int, int]:
    """A part of an input: short ones more often than long ones."""
    begin = dice.randrange(len(data) + 1)
    return begin, min(len(data), begin + dice.choice((1, 1, 2, 4, 8, 30, 200, 5000)))


def _flip(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    if not data:
        return b"\x00"
    changed = bytearray(data)
    for _time in range(dice.choice((1, 1, 2, 8))):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _cut(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _place(data, dice)
    return data[:begin] + data[end:]


def _end(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _double(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _place(data, dice)
    return data[:end] + data[begin:end] * dice.choice((1, 1, 2, 9, 300)) + data[end:]


def _splice(data: bytes, dice: Random, corpus: Sequence[bytes]) -> bytes:
    """Lines of another sample among those of this one."""
    mine, others = data.split(b"\n"), dice.choice(corpus).split(b"\n")
    at, begin = dice.randrange(len(mine) + 1), dice.randrange(len(others))
    return b"\n".join([*mine[:at], *others[begin : begin + dice.choice((1, 2, 5))], *mine[at + dice.choice((0, 1)) :]])


def _shuffle(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    here, there = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[here], lines[there] = lines[there], lines[here]
    return b"\n".join(lines)


def _swap(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    """Two tokens of a part, exchanged; or one of them, replaced by the other."""
    begin, end = (at := dice.randrange(len(data) + 1)), min(len(data), at + 400)
    tokens = _TOKEN.findall(data[begin:end])
    if len(tokens) < 2:
        return data
    here, there = dice.randrange(len(tokens)), dice.randrange(len(tokens))
    tokens[here], tokens[there] = tokens[there], dice.choice((tokens[here], tokens[there]))
    return data[:begin] + b"".join(tokens) + data[end:]


def _number(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    number = dice.choice(found)
    return data[: number.start()] + dice.choice(_NUMBERS) + data[number.end() :]


def _word(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    begin, end = _place(data, dice)
    return data[:begin] + dice.choice(_WORDS) + data[begin if dice.random() < 0.5 else end :]


def _nest(data: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    begin = _place(data, dice)[0]
    return data[:begin] + dice.choice(_BRACKETS) * dice.choice((3, 40, 1100, 20_000)) + data[begin:]


_CHANGES: Final[tuple[Callable[[bytes, Random, Sequence[bytes]], bytes], ...]] = (
    *(_flip, _cut, _end, _double, _splice, _shuffle, _swap, _swap, _number, _number, _word, _word, _nest),
)


def _in_a_tree(data: bytes, dice: Random, corpus: Sequence[bytes]) -> bytes:
    """One of the lines that are JSON, with values of it replaced, moved or lost; so it is JSON still."""
    lines = data.split(b"\n")
    trees = [number for number, line in enumerate(lines) if line[:1] in b"{[" and len(line) > 1]
    if not trees:
        return dice.choice(_CHANGES)(data, dice, corpus)
    number = dice.choice(trees)
    try:
        tree = json.loads(lines[number])
        places = list(_places(tree))
    except (ValueError, RecursionError):  # a change before this one broke it
        return dice.choice(_CHANGES)(data, dice, corpus)
    for _ in range(dice.choice((1, 1, 2, 4))):
        if places:
            _change(dice.choice(places), places, dice)
    try:
        lines[number] = json.dumps(tree, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):  # a part was moved into itself
        return data
    return b"\n".join(lines)


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            keys = list(node) if isinstance(node, dict) else range(len(node))
            for key in keys:
                yield node, key
                waiting.append(node[key])


def _change(place: tuple[Any, Any], places: Sequence[tuple[Any, Any]], dice: Random) -> None:
    holder, key = place
    if (isinstance(holder, dict) and key not in holder) or (isinstance(holder, list) and key >= len(holder)):
        return  # a change before this one took it away
    roll = dice.random()
    if roll < 0.55:
        holder[key] = dice.choice(_ODD)
    elif roll < 0.7:
        other, name = dice.choice(places)
        holder[key] = other.get(name) if isinstance(other, dict) else (other[name] if name < len(other) else other)
    elif roll < 0.85:
        del holder[key]
    elif isinstance(holder, dict):
        holder[str(dice.choice(_ODD))] = holder[key]
    else:
        holder.extend(holder[:20])
