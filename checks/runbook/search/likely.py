"""Which possible cause of a symptom names the very error that somebody pasted."""

import re
from itertools import chain
from typing import Final

from runbook.model.block import Diagnostic, PossibleCause
from runbook.search.error_names import with_names
from runbook.search.log_lines import log_lines
from runbook.search.words import is_generic

_CODE: Final = re.compile(r"\b[A-Z]{3,}(?:_[A-Z]+)+\b")
_CLASS: Final = re.compile(r"\b[A-Z]\w+(?:Exception|Error)\b")
_PLAIN: Final = re.compile(r"[\w.$]+")  # a code or a class: told by _errors
_QUOTED: Final = re.compile(r'"([^"…]+ [^"…]+ [^"…]+)"')  # three words or more: of two, many lines have a part
_MOST: Final = 2  # of more, none is told by the error


def likely_causes(symptom: Diagnostic, text: str) -> list[PossibleCause]:
    """The causes that name an error of the text: by its code, class or message, or by words that the symptom lists.

    A cause also names a log line of Kafka's of which it quotes a part. None where they are more than two, or all.
    """
    errors = _errors(text)
    asked = " ".join(text.lower().split())  # kubectl pads with blanks: "Exit Code:    137"
    listed = [name.lower() for name in symptom.errors if not _PLAIN.fullmatch(name) and name.lower() in asked]
    lines = [line.lower() for line in chain(*log_lines().values()) if line.lower() in asked]

    def names_it(cause: PossibleCause) -> bool:
        said = f"{cause.cause} {cause.look}"
        quoted = [part for part in _QUOTED.findall(said.lower()) if any(part in line for line in lines)]
        return bool(quoted) or bool(errors & _errors(said)) or any(name in said.lower() for name in listed)

    found = list(filter(names_it, symptom.causes))
    return found if len(found) <= _MOST and len(found) < len(symptom.causes) else []


def _errors(text: str) -> set[str]:
    text = with_names(text)
    return {*_CODE.findall(text), *(name for name in _CLASS.findall(text) if not is_generic(name))}
