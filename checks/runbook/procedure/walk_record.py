"""The record of a walk through a procedure: who did what when, and what the gates saw.

One file of canonical JSON lines, the first `begun`; each line carries its link of a chain (`evidence/chain.py`), and
one that has ended closes with a manifest that counts its lines. Lines are only ever added. While a walk has not ended
there is no manifest, so that lines missing at the very end can't be noticed; all else can.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from runbook.evidence.chain import START, ChainFault, first_fault, link, taken_apart
from runbook.model.block import Loss, Severity
from runbook.model.result import Common, Evidence, JudgedRow, Outcome, Result

VERSION = 1
"""Of a record. Raised when a reader of the version before would misread it; new fields alone do not."""

MOST_ROWS = 20  # offending rows kept of a check; how many there were is counted. Our judgement: nobody reads more


class GateSeen(Struct, frozen=True):
    """What a check of a gate found out, of one subject.

    Attributes:
        check: its global name.
        outcome, reason: as in every result; a waiver does not change them.
        subject, title, severity: the environment, link or fleet that it is about; the check's.
        waived: whether a waiver takes the failure out of the score. It opens no gate.
        unobserved: whether nobody is to look there, as the inventory says. It keeps no gate closed.
        judged, failed, undecided: how many rows.
        rows, common: those that offend or could not be judged, the first ones; what (nearly) all of them share.
        evidence: the facts it rests on, with their digests and when they were collected.
        runbook_version, check_digest, at: to say later what was asked; source or target, where the gate says which.
        deadline: seconds of the deadline to give, where the one there was left no time for a second look.
    """

    check: str
    outcome: Outcome
    reason: str
    subject: str = ""
    title: str = ""
    severity: Severity = "info"
    waived: bool = False
    unobserved: bool = False
    judged: int = 0
    failed: int = 0
    undecided: int = 0
    rows: list[JudgedRow] = []
    common: list[Common] = []
    evidence: list[Evidence] = []
    runbook_version: str = ""
    check_digest: str = ""
    at: str = ""
    deadline: float = 0.0


class Begun(Struct, frozen=True, tag_field="kind", tag="begun", kw_only=True):
    """The first line: what is walked, where, and who began.

    Attributes:
        walk: its id, sortable by start and unique.
        procedure, title: its global name, and what it achieves.
        runbook, runbook_version, runbook_digest: where it stands; `where` is the word by which it was found.
        procedure_digest: SHA-256 of the block: a walk goes on through the same procedure only.
        environment: where the gates look; of two, the target.
        source, target: the two environments, where the walk is from one to the other; otherwise empty.
        drill: whether it was walked to show that it can be done (`runbook drill`).
        loses: what a drill is to lose, as its procedure declares; None in records from before drills looked for it.
        by, at: who, and when, RFC 3339 UTC.
        attended: whether the answers came from a terminal.
        rehearsal: whether the gates looked at kept facts (a bundle) instead of a live system.
        steps: what each step says is to be done.
        tool_version: of this package.
        set: placeholder -> what was put in its place by --set, in the commands that were shown.
        inventory: part of the inventory that the walk is about -> its SHA-256; empty in records from before there was.
    """

    walk: str
    procedure: str
    title: str
    runbook: str
    runbook_version: str
    runbook_digest: str
    where: str
    procedure_digest: str
    environment: str
    by: str
    at: str
    attended: bool
    steps: list[str]
    tool_version: str
    rehearsal: bool = False
    source: str = ""
    target: str = ""
    drill: bool = False
    loses: Loss | None = None
    set: dict[str, str] = {}
    inventory: dict[str, str] = {}
    version: int = VERSION


class Shown(Struct, frozen=True, tag_field="kind", tag="shown"):
    """A step was shown: the person's time with it begins."""

    stage: str
    at: str


class Done(Struct, frozen=True, tag_field="kind", tag="done"):
    """A person says that a step was done."""

    stage: str
    by: str
    at: str


class Skipped(Struct, frozen=True, tag_field="kind", tag="skipped"):
    """A step was left out; the gate after it still stands."""

    stage: str
    by: str
    at: str
    reason: str


class Judged(Struct, frozen=True, tag_field="kind", tag="judged"):
    """A gate's checks were run.

    Attributes:
        stage, at: which gate, and when the looking began.
        took_ms: wall time.
        cluster_id: as the cluster said; empty if it did not.
        open: whether nothing keeps it closed.
        seen: what each check found out.
    """

    stage: str
    at: str
    took_ms: int
    open: bool
    seen: list[GateSeen]
    cluster_id: str = ""


class Overruled(Struct, frozen=True, tag_field="kind", tag="overruled"):
    """A person went on through a closed gate, and wrote down why.

    Attributes:
        checks: those that kept it closed.
    """

    stage: str
    by: str
    at: str
    reason: str
    checks: list[str]


class NoteTaken(Struct, frozen=True, tag_field="kind", tag="noted"):
    """A person wrote something down, as who decided; nothing else follows from it."""

    stage: str
    by: str
    at: str
    text: str


class Paused(Struct, frozen=True, tag_field="kind", tag="paused"):
    """A person, or an interrupt, stopped the walk for now."""

    by: str
    at: str
    reason: str = ""


class Resumed(Struct, frozen=True, tag_field="kind", tag="resumed"):
    """The walk goes on; the gate before the present step is looked at again.

    Attributes:
        cut: whether a line that a crash had left half written was removed before.
        set: placeholder -> what --set put in its place from here on.
        inventory: as in `Begun`, by now.
    """

    by: str
    at: str
    attended: bool
    cut: bool = False
    set: dict[str, str] = {}
    inventory: dict[str, str] = {}


class Sighting(Struct, frozen=True, tag_field="kind", tag="sighting", kw_only=True):
    """Which nodes were in service when the tool itself looked, during a drill. Nobody can type one in.

    Attributes:
        stage: the one that the walk was at: a step that somebody said was done, a gate, or the end.
        at, took_ms: when the look began, and its wall time.
        environment: where it looked.
        cluster_id: as the cluster said; empty if it did not.
        serving: nodes that their cluster counts in service and that answered the tool.
        gone: nodes that their cluster counts out of service and that did not answer the tool.
        unsure: nodes that did not answer though their cluster counts them in service or does not say, or the reverse.
        racks: rack -> its nodes, of racks all of whose nodes were serving.
        dark: whether nothing there answered at all: refused, unreachable or silent.
        unknown: why it could not be found out; empty if it could.
    """

    stage: str
    at: str
    took_ms: int
    environment: str
    cluster_id: str = ""
    serving: list[int] = []
    gone: list[int] = []
    unsure: list[int] = []
    racks: dict[str, list[int]] = {}
    dark: bool = False
    unknown: str = ""


class Measured(Struct, frozen=True, tag_field="kind", tag="measured", kw_only=True):
    """What a drill's canary found out. None is what could not be found out; `unknown` says why.

    Attributes:
        at: when the figures were made.
        acknowledged: records that the source acknowledged, as far as is known.
        rpo_records: those of them that the target does not have.
        rpo_seconds: from when the first of these was acknowledged until the source acknowledged its last record: how
            far the target was behind; 0 where none is missing.
        duplicates: records that the target has beyond the first of each.
        rto_write: seconds from the last record that the source acknowledged to the first that the target did.
        rto_read: seconds from the last record read before clients moved to the first read that was written after.
        unknown: figure -> why it is not known.
        left: topics that could not be removed, with where they are.
        caveats: what the figures do not show, as the canary or its topic was weaker than it could be; and whether what
            was to be lost was seen lost (`runbook.procedure.loss_seen`).

    In a drill of one environment, source and target are that one: `rpo_records` were acknowledged there and can't be
    read there; `rto_write` is the longest time between two acknowledgements of one partition that follow each other,
    and `rto_read` that between two of its records that were read.
    """

    at: str
    acknowledged: int = 0
    rpo_records: int | None = None
    rpo_seconds: float | None = None
    duplicates: int | None = None
    rto_write: float | None = None
    rto_read: float | None = None
    unknown: dict[str, str] = {}
    left: list[str] = []
    caveats: list[str] = []


class Ended(Struct, frozen=True, tag_field="kind", tag="ended"):
    """The last thing that happens."""

    outcome: Literal["completed", "given up"]
    by: str
    at: str
    reason: str = ""


Entry = Begun | Shown | Done | Skipped | Judged | Overruled | NoteTaken | Paused | Resumed | Sighting | Measured | Ended

NAMES = frozenset(
    {"walk", "stage", "at", "environment", "source", "target", "where", "procedure", "procedure_digest", "runbook"}
    | {"runbook_version", "runbook_digest", "tool_version", "check", "check_digest", "checks", "inventory"}
)
"""Fields that hold names from runbooks, inventories and this program. No secret is told by them, also where one is
called as such a name is; without them nobody could go on with a walk."""


class Record(Struct, frozen=True):
    """A record, as read.

    Attributes:
        entries: what happened, in order.
        fault: where it departs from what was written, if it does.
        cut: bytes after the last whole line, which a crash left; to be removed before something is added.
        link: the chain value of the last line.
    """

    entries: list[Entry]
    fault: ChainFault | None
    cut: int = 0
    link: str = field(default=START)

    @property
    def begun(self) -> Begun:
        """The first line."""
        first = self.entries[0]
        if not isinstance(first, Begun):  # read_record gives no such record
            raise NoRecord("it does not begin as the record of a walk does")
        return first


class NoRecord(ValueError):  # noqa: N818 - reads as a sentence
    """Something is not the record of a walk; the message says why."""


_decode = msgspec.json.Decoder(Entry).decode
_FLAWS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Kind(Struct):
    kind: str = ""
    version: int = 0


def seen_in(result: Result, at: str = "") -> GateSeen:
    """What a gate keeps of a result, which it may have asked of the source or of the target."""
    return GateSeen(
        check=result.check,
        outcome=result.outcome,
        reason=result.reason,
        subject=result.subject,
        title=result.title,
        severity=result.severity,
        waived=result.waived,
        unobserved=result.unobserved,
        judged=result.judged,
        failed=result.failed,
        undecided=result.undecided,
        rows=result.rows[:MOST_ROWS],
        common=result.common,
        evidence=result.evidence,
        runbook_version=result.runbook_version,
        check_digest=result.check_digest,
        at=at,
        deadline=max((gap.deadline for gap in result.gaps), default=0.0),
    )


def lines_of(entry: dict[str, Any], walk: str, previous: str, before: int) -> tuple[bytes, str]:
    """An entry as it is appended, with the manifest if it is the last one.

    Args:
        entry: as plain values, redacted.
        walk: its id.
        previous: the chain value of the line before.
        before: how many lines there are.

    Returns:
        What to append in one go, and the chain value of its last line.
    """
    records = [entry | {"walk": walk}]
    if entry["kind"] == "ended":
        records.append({"kind": "manifest", "walk": walk, "records": before + 1})
    text = b""
    for record in records:
        previous = link(previous, record)
        text += msgspec.json.encode(record | {"chain": previous}, order="deterministic") + b"\n"
    return text, previous


def read_record(content: bytes) -> Record:
    """Read the record of a walk, whole or not.

    Raises:
        NoRecord: it is none, or of a format that is newer than this release.
    """
    whole, newline, rest = content.rpartition(b"\n")
    lines = whole.split(b"\n") if newline else []
    entries = list(_entries(lines))
    if not entries or not isinstance(entries[0], Begun):
        raise NoRecord("it does not begin as the record of a walk does")
    over = isinstance(entries[-1], Ended)
    last = taken_apart(lines[-1]) if lines else None
    value = last.link.decode("utf-8", "replace") if last else START  # what is no digest follows from nothing
    return Record(entries, _fault(content, whole + newline, entries, value, over=over), len(rest), value)


def _fault(content: bytes, whole: bytes, entries: Sequence[Entry], last: str, *, over: bool) -> ChainFault | None:
    """What is wrong with a record; one that has not ended is judged as if its manifest came next."""
    if over:
        return first_fault(content)
    lines = whole.count(b"\n")
    closing = {"kind": "manifest", "records": lines}
    sealed = msgspec.json.encode(closing | {"chain": link(last, closing)}, order="deterministic") + b"\n"
    return first_fault(whole + sealed) or (None if len(entries) == lines else ChainFault(0, "a line of it is no entry"))


def _entries(lines: Sequence[bytes]) -> Iterator[Entry]:
    """The entries among the lines; what is none is noticed by the chain, or by the count."""
    for number, line in enumerate(lines):
        try:
            kind = msgspec.json.decode(line, type=_Kind)
        except _FLAWS:
            continue
        if number == 0 and kind.kind == "begun" and kind.version > VERSION:
            raise NoRecord(f"it is of format {kind.version}, and this tool reads formats up to {VERSION}")
        if kind.kind != "manifest":
            with suppress(*_FLAWS):
                yield _decode(line)
