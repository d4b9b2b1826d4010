"""The severity that a word names: one level stands for itself and what is graver."""

import re

from runbook.model.block import SEVERITIES, Severity
from runbook.model.errors import UsageError, did_you_mean

_WORD = re.compile(r"[a-z]+")


def read_severity(option: str, word: str) -> Severity:
    """The severity that the word of an option names.

    Raises:
        UsageError: there is none of that name, or several are named.
    """
    for severity in SEVERITIES:
        if severity == word:
            return severity
    named = [severity for severity in SEVERITIES if severity in _WORD.findall(word.lower())]
    if named and {*named} == {*_WORD.findall(word.lower())}:  # critical,high and >=high
        raise UsageError(f"{option} {word}: one level means that one and all above: {option} {named[0]}")
    raise UsageError(f"{option} {word}: {did_you_mean(word, SEVERITIES)}")
