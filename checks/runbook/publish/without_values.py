"""Sentences of causes on pages, where no run has put values into them."""

import re
from collections.abc import Iterator
from itertools import pairwise

_VALUE = re.compile(r"\{[^{}]+\}")
_WHATEVER = "…"  # stands for what only facts can tell
_FEW = 4  # words that "or" joins and one still sees where each text begins. Our judgement
_ENDS_OF_A_LINK = {"link.source": "SOURCE", "link.target": "TARGET"}
_WORDS = re.compile(
    r"(\}\s)?\{[^{}|]+\|([^{}|]+)\|([^{}|]*)\}"
)  # a number may stand before a word for it: {n} {n|row|rows}
_IN_A_ROW = re.compile(rf"{_WHATEVER}(?:\s*{_WHATEVER})+")
_ENDS = (".", ":", "?")  # of a whole sentence, which may stand where it does not apply
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[()\[\]?:+]|[^"\'()\[\]?:+]+')


def without_values(text: str) -> str:
    """A sentence of a cause without the values that a run puts in, worded as of one row.

    An end of a link is SOURCE or TARGET, as in commands. Of what a condition chooses among each text is shown, with
    "or" between them; of texts for one and for many that for one.
    """
    worded = _WORDS.sub(_word, text)
    alone = _VALUE.fullmatch(worded.strip()) is not None
    return _IN_A_ROW.sub(_WHATEVER, _VALUE.sub(lambda found: _value(found[0][1:-1], alone=alone), worded))


def _word(found: re.Match[str]) -> str:
    """The word for one, and of a list, whose noun no number precedes, a mark for its items."""
    number, one, many = found.groups()
    return f"{number or ''}{one}" if number or not many.startswith(one) else f"{one} {_WHATEVER}"


def _value(expression: str, *, alone: bool) -> str:
    texts = list(dict.fromkeys(_texts(_TOKEN.findall(expression))))
    said = [text for text in texts if text]
    if len(said) < len(texts) and not alone and not all(text.rstrip().endswith(_ENDS) for text in said):
        return _WHATEVER  # part of a sentence that is true in some cases only
    if any(". " in text or text.endswith(".") for text in said):
        return " Or: ".join(text if text.endswith(".") or text is said[-1] else f"{text}." for text in said)
    return _either(said)


def _either(texts: list[str]) -> str:
    """One text or the other: half a sentence is set apart."""
    return ("; or: " if any(len(text.split()) > _FEW for text in texts) else " or ").join(texts)


def _texts(tokens: list[str]) -> Iterator[str]:
    """What an expression may come out as: the texts of each branch, with a mark for what is no text."""
    places = list(_outside(tokens))
    if asks := [at for at in places if tokens[at] == "?"]:
        deep = 0
        for at in (at for at in places if at > asks[0]):
            deep += {"?": 1, ":": -1}.get(tokens[at], 0)
            if deep < 0:
                yield from _texts(tokens[asks[0] + 1 : at])
                if not "".join(tokens[: asks[0]]).rstrip().endswith("== 1"):
                    yield from _texts(tokens[at + 1 :])
                return
    ends = [-1, *(at for at in places if tokens[at] == "+"), len(tokens)]
    yield "".join(_part(tokens[one + 1 : other]) for one, other in pairwise(ends))


def _part(tokens: list[str]) -> str:
    """One of the parts that are put together."""
    bare = [token for token in tokens if token.strip()]
    if len(bare) == 1 and bare[0][0] in "\"'":
        return bare[0][1:-1].replace('\\"', '"')
    if bare and bare[0] == "(" and bare[-1] == ")" and "?" in bare:
        return _either([*filter(None, _texts(bare[1:-1]))])
    return _ENDS_OF_A_LINK.get("".join(bare).strip(), _WHATEVER)


def _outside(tokens: list[str]) -> Iterator[int]:
    """Places of the tokens that stand in no brackets."""
    deep = 0
    for at, char in enumerate(tokens):
        deep -= char in ")]"
        if not deep:
            yield at
        deep += char in "(["
