"""What is on record of an incident: runs, walks, and looks that were compared with the one from before it."""

from collections.abc import Mapping

from msgspec import Struct

from runbook.changes.difference import Comparison
from runbook.evidence.lines import ResultLine, RunLine
from runbook.procedure.walk_record import Record


class Span(Struct, frozen=True):
    """An environment between two moments, RFC 3339 UTC."""

    environment: str
    begin: str
    end: str

    def holds(self, at: str) -> bool:
        """Whether a moment lies in it."""
        return self.begin <= at <= self.end


class RecordedRun(Struct, frozen=True):
    """A run of the environment, as it was kept.

    Attributes:
        run: its first line.
        results: of its checks.
        flaws: what of its file was set aside, and why.
    """

    run: RunLine
    results: list[ResultLine]
    flaws: list[str]


class JudgedText(Struct, frozen=True):
    """One of the texts that judged a check.

    Attributes:
        check: what it judged.
        ended: since when another one judges that; "" for the one that did so last.
    """

    check: str
    ended: str


class IncidentEvidence(Struct, frozen=True):
    """What was looked at.

    Attributes:
        span: of what environment, from when to when.
        looks: its runs, the oldest first.
        before: those of the day before, in the same order.
        walks: procedures that were walked or drilled there; their gates are looks too.
        texts: what a check is called that several texts judged, once for each → which of them that is.
    """

    span: Span
    looks: list[RecordedRun]
    before: list[RecordedRun]
    walks: list[Record]
    texts: Mapping[str, JudgedText]


class ObservationSince(Struct, frozen=True):
    """A look, compared with the one from before the incident.

    Attributes:
        found: the comparison.
        probes: of which it was asked all that the other look was asked.
    """

    found: Comparison
    probes: set[str]


class IncidentRecord(Struct, frozen=True):
    """What is on record.

    Attributes:
        seen: what was looked at and walked.
        changes: each kept look of facts, compared with the first; none where fewer than two are kept.
        lacks: what could not be looked at, and why.
    """

    seen: IncidentEvidence
    changes: list[ObservationSince]
    lacks: list[str]
