"""`name.matches(pattern)`, `name == text` and `name in list` over many rows: each name is tested once, outside of CEL.

CEL takes 4 µs for each row that differs from all others, and a name makes it differ. Its binding compiles the pattern
of `matches` again for each, which takes ten times as long as all else of an expression. Only plain patterns and names
are searched here, of which Python's `re` and CEL's RE2 say the same: literals, classes, `.`, anchors, groups and
choices, over ASCII without a line's end. Others are left to CEL, as are patterns that could take `re` long, which tries
one way after the other.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

MANY: Final = 1000  # rows from which on a second expression is worth compiling. Our judgement: that takes 0.3 ms
_DIFFERENT: Final = 50  # of the first MANY rows. Our judgement: with more of them CEL takes longer
ANSWER: Final = "answered."
"""How variables begin that take the place of a test of a name."""
_LONGEST: Final = 255  # characters; names of topics have up to 249
_MOST_WAYS: Final = 10_000  # a plain name takes `re` some milliseconds then at the worst. Our judgement

_TEXT = r"""(?:[rR]?"(?:\\.|[^"\\\n])*"|[rR]?'(?:\\.|[^'\\\n])*')"""
_PART = rf"\s*(?:{_TEXT}|params\.\w+)\s*"
_SUM = rf"{_PART}(?:\+{_PART})*"
_LIST = rf"\s*(?:params\.\w+|\[\s*{_TEXT}\s*(?:,\s*{_TEXT}\s*)*\])\s*"
_END = r"(?=$|&&|\|\||[?:,)\]])"  # of what is compared: nothing that binds it closer
_TESTS = re.compile(
    rf"{_TEXT}|(?<![\w.])(?!(?:params|env|link)\.)([a-z_]\w*\.[a-z_]\w*)"  # those three are the same in all rows
    rf"(?:\.(matches)\(({_SUM})\)|\s*(==)({_SUM}){_END}|\s+(in)(?=[\s\[])({_LIST}){_END})"
)
# Where a name may be that of an element, or a quote may stand outside of a text
_HARD = re.compile(r"""\.\s*(?:all|exists|exists_one|filter|map)\s*\(|//|\"{3}|'{3}""")
_SIGN = re.compile(r"(?:[A-Za-z0-9_/:;,@ .-]|\[\^?[A-Za-z0-9_.-]+\])[*+?]?|\((?!\?)|\)\??|[|^$]")


class NameTest(Struct, frozen=True):
    """What an expression asks of a name.

    Attributes:
        answer: the variable that takes its place.
        name: the variable of the name.
        how: `matches`, `==` or `in`.
        operand: what the name is tested by, a CEL expression of texts and parameters.
    """

    answer: str
    name: str
    how: str
    operand: str

    @property
    def gives(self) -> str:
        """The type of the operand."""
        return "list[string]" if self.how == "in" else "string"

    def of(self, names: Sequence[Any], operand: Any) -> list[bool | None] | None:
        """For each name the answer; None where it is not known. None in all: CEL must say it."""
        if self.how == "matches":
            return found_in(names, operand)
        meant = operand if self.how == "in" else [operand]
        answers: dict[Any, bool | None] = {**dict.fromkeys(names, False), **dict.fromkeys(meant, True), None: None}
        return [*map(answers.get, names)]

    def pays(self, names: Sequence[Any]) -> bool:
        """Whether CEL would take longer: it does for any pattern, else where names are many different ones."""
        return self.how == "matches" or len({*names[:MANY]}) > _DIFFERENT


def with_answers(text: str, types: Mapping[str, str]) -> tuple[str, list[NameTest]]:
    """An expression that reads answers in place of testing names, and what they answer; none where it has none."""
    tests: list[NameTest] = []

    def put(found: re.Match[str]) -> str:
        if types.get(found[1]) != "string":
            return found[0]
        how, operand = [group for group in found.groups()[1:] if group]
        tests.append(NameTest(f"{ANSWER}n{len(tests)}", found[1], how, operand))
        return tests[-1].answer

    return (text, []) if _HARD.search(text) else (_TESTS.sub(put, text), tests)


def found_in(names: Sequence[Any], pattern: str) -> list[bool | None] | None:
    """For each name whether the pattern is found in it; None where it is not known. None in all: CEL must say it."""
    different = {*names} - {None}
    if not _is_plain(pattern) or any(len(one) > _LONGEST or "\n" in one or not one.isascii() for one in different):
        return None
    search = re.compile(pattern).search
    answers: dict[Any, bool | None] = {one: search(one) is not None for one in different}
    return [*map(answers.get, names)]


def _is_plain(pattern: str) -> bool:
    """Whether `re` and RE2 read a pattern alike, and `re` has few ways to try."""
    signs = _SIGN.findall(pattern)
    if "".join(signs) != pattern or "--" in pattern:  # of a class, `--` may once be a difference
        return False
    try:
        re.compile(pattern)
    except re.error:
        return False
    groups = [[0, 1]]  # of each group that is open the ways of its choices so far, and of the one that is read
    for sign in signs:
        if sign == "(":
            groups.append([0, 1])
        elif sign == "|":
            groups[-1] = [sum(groups[-1]), 1]
        elif sign[0] == ")":
            ways = sum(groups.pop())
            groups[-1][1] *= ways + len(sign) - 1
        elif len(sign) > 1 and sign[-1] in "*+?":
            groups[-1][1] *= 2 if sign[-1] == "?" else _LONGEST
    return sum(groups[0]) <= _MOST_WAYS
