"""A part of the answer to an incident."""

from msgspec import Struct

from runbook.model.diagnosis import LabelledSentence


class Part(Struct, frozen=True):
    """A word in front, a sentence, and lines beneath it."""

    word: str
    says: str
    lines: list[LabelledSentence] = []
