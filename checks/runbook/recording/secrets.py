"""Secrets taken out of raw answers, where they are recorded: texts and bytes alike."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from runbook.safety.redaction import Redaction

_STAND_IN: Final = "Kept0utOfThisRecording"


def stand_in(length: int) -> str:
    """What stands where a secret of this length stood: as long as it, since sizes of files are recorded too."""
    return (_STAND_IN * (length // len(_STAND_IN) + 1))[:length]


@cache
def stand_ins() -> Redaction:
    """The redaction of all that stands where secrets stood, as a run hides the secrets themselves."""
    return Redaction([stand_in(length) for length in range(4, 65)])


def without_secrets(redaction: Redaction) -> Callable[[Any], Any]:
    """What gives plain values without the secrets that a redaction knows; all else, what looks like one too, stays.

    Raw answers are judged again, and what looks like a secret is what some probes look for. So where one stood,
    something stands that looks like one too, and not like a mask.
    """
    redaction = redaction.with_stand_in(stand_in)

    def hidden(value: Any) -> Any:
        if isinstance(value, str):
            return redaction.known(value)
        if isinstance(value, bytes):
            text = value.decode("utf-8", "surrogateescape")
            return redaction.known(text).encode("utf-8", "surrogateescape")
        if isinstance(value, list | tuple):
            return [hidden(item) for item in value]
        if isinstance(value, dict):
            return {hidden(key): hidden(item) for key, item in value.items()}
        return value

    return hidden
