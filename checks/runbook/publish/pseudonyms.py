"""Results and scorecard for a site without names: names are replaced, and sentences that hold some are left out.

What may stay is listed, and all else goes: numbers in columns that are declared as such, names of Kafka's settings,
what runbooks say, and names of environments, their labels and owners. A cell that may hold a name, and whoever answers
for a waiver, gets a pseudonym, made with a key: the same on every page, and no way back without the key. Sentences of a
run are made of cells: those of runbooks take their place, without values.
"""

import hashlib
import hmac
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from runbook.evidence.lines import WholeRunLine
from runbook.model.block import Cause, Check
from runbook.model.column import Column
from runbook.model.fact import Gap
from runbook.model.result import JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Head, NamedCause
from runbook.parse.runbook import LocatedBlock
from runbook.plugins.catalog import catalog
from runbook.publish.evidence import EnvironmentEvidence, LastSeen
from runbook.publish.scorecard import Scorecard
from runbook.publish.scorecard_rows import Failing
from runbook.publish.without_values import without_values

KEY: Final = "RUNBOOK_REDACTION_KEY"
"""The variable that names the file of the key, where a site is built without names."""

LEFT_OUT: Final = "left out"
_LEAST: Final = 16  # bytes of a key
_NUMBERS: Final = {"int", "float", "bool", "timestamp", "list[int]"}
_SHOWN: Final = (
    8  # hex digits of a pseudonym; our judgement: two names of a site in ten thousand have one in 1 % of sites
)


def key_of(file: Path) -> bytes:
    """The key in a file, which is made, for its owner alone, where there is none.

    Raises:
        OSError: it can't be read or written.
        ValueError: it holds less than a key.
    """
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            written.write(os.urandom(32))
    if len(key := file.read_bytes()) < _LEAST:
        raise ValueError(f"it holds {len(key)} bytes, and a key has {_LEAST} at least")
    return key


class Pseudonyms:
    """Replaces names by pseudonyms."""

    def __init__(self, key: bytes, blocks: Mapping[str, LocatedBlock]) -> None:
        """Take the key, and the blocks of the published runbooks, whose texts hold no name of a cluster."""
        self._key, self._blocks = key, blocks
        self._settings, self._counted = _labels_of_no_names()

    def pseudonym(self, label: str, name: str) -> str:
        """What stands for a name: `label` says of what kind it is."""
        return f"{label}-{hmac.new(self._key, name.encode('utf-8', 'replace'), hashlib.sha256).hexdigest()[:_SHOWN]}"

    def cell(self, label: str, value: Any) -> Any:
        """A cell, by the column or the entity that it is of."""
        if isinstance(value, list):
            return [self.cell(label, one) for one in value]
        if value is None or isinstance(value, bool | int | float) or value == "":
            return value
        if not isinstance(value, str):
            return LEFT_OUT
        # The scorecard keeps numbers of keys as texts.
        names_nothing = label in self._settings or (label in self._counted and value.isdigit())
        return value if names_nothing else self.pseudonym(label, value)

    def cells(self, cells: Mapping[str, Any]) -> dict[str, Any]:
        """Cells by their columns or entities."""
        return {label: self.cell(label, value) for label, value in cells.items()}

    def environment(self, found: EnvironmentEvidence) -> EnvironmentEvidence:
        """What is known of an environment."""
        return EnvironmentEvidence(
            found.name,
            last=self._run(found.last) if found.last else None,
            results={check: [self._seen(seen) for seen in results] for check, results in found.results.items()},
            earlier={about: self._seen(seen) for about, seen in found.earlier.items()},
            refused=[f"files: {len(found.refused)}"] if found.refused else [],
        )

    def card(self, card: Scorecard) -> Scorecard:
        """The scorecard."""
        tables = replace(
            card.tables,
            failing=[self._failing(row) for row in card.tables.failing],
            changes=[replace(row, reason=None) for row in card.tables.changes],
            waivers=[
                replace(row, owner=self._person(row.owner), reason=LEFT_OUT, rows=LEFT_OUT)
                for row in card.tables.waivers
            ],
            drills=[replace(row, reason=None) for row in card.tables.drills],
        )
        return replace(card, tables=tables, quarantine=[])

    def _seen(self, seen: LastSeen) -> LastSeen:
        return LastSeen(self._result(seen.result), self._run(seen.run), seen.now)  # its hash would confirm a guess

    def _run(self, run: WholeRunLine) -> WholeRunLine:
        head = run.head
        told = Head(
            head.environment,
            kafka_version=head.kafka_version,
            mode=head.mode,
            brokers=head.brokers,
            answering=head.answering,
            silent=head.silent,
            ranking=head.ranking,
            collected_at=head.collected_at,
            mirrored_to=head.mirrored_to,
            labels=head.labels,
            owner=head.owner,
        )
        return replace(run, head=told, named_causes=[self._cause(cause) for cause in run.named_causes])

    def _cause(self, cause: NamedCause) -> NamedCause:
        placed = self._blocks.get(cause.cause)
        title = placed.block.title if placed and isinstance(placed.block, Cause) else cause.cause
        keys = self.cells(cause.keys)
        about = "; ".join(f"{label} {', '.join(map(str, values))}" for label, values in keys.items())
        return NamedCause(cause.cause, f"{title}: {about}" if about else title, cause.explains, keys)

    def _result(self, result: Result) -> Result:
        return replace(
            result,
            reason=_counted(result.outcome, result.failed, result.judged),
            rows=[self._row(row, self._message(result.check)) for row in result.rows],
            gaps=[Gap(gap.kind.value, kind=gap.kind) for gap in result.gaps],
            common=[replace(common, value=str(self.cell(common.entity, common.value))) for common in result.common],
            waiver=result.waiver
            and WaiverUse(self._person(result.waiver.owner), LEFT_OUT, result.waiver.expires, result.waiver.rows),
            params={name: self._parameter(result, name, value) for name, value in result.params.items()},
            remedy="",
            evidence=[replace(fact, digest=LEFT_OUT) for fact in result.evidence],
        )

    def _parameter(self, result: Result, name: str, value: Any) -> Any:
        """A parameter: what the runbook sets is published with it, what an environment sets may be a list of names."""
        return LEFT_OUT if name in result.overridden and not isinstance(value, bool | int | float) else value

    def _row(self, row: JudgedRow, message: str) -> JudgedRow:
        touches = {entity: self.cell(entity, values) for entity, values in row.touches.items()}
        return replace(row, key=self.cells(row.key), message=message, touches=touches, place="")

    def _message(self, check: str) -> str:
        """What a check says of its rows today, without their values."""
        placed = self._blocks.get(check)
        said = placed.block.expect.message if placed and isinstance(placed.block, Check) else ""
        return without_values(said) or LEFT_OUT

    def _failing(self, row: Failing) -> Failing:
        rows = [
            offending | {"key": self.cells(offending.get("key", {})), "message": self._message(row.check)}
            for offending in row.rows
        ]
        shown = {"key", "message", "outcome", "waived"}
        return replace(
            row,
            reason=f"{row.failed} row{'' if row.failed == 1 else 's'} offend{'s' if row.failed == 1 else ''}",
            rows=[{name: value for name, value in offending.items() if name in shown} for offending in rows],
            common=[common | {"value": self.cell(common["entity"], common["value"])} for common in row.common],
            waiver=row.waiver and row.waiver | {"owner": self._person(row.waiver.get("owner", "")), "reason": LEFT_OUT},
        )

    def _person(self, name: str) -> str:
        return self.pseudonym("person", name) if name else ""


def _counted(outcome: Outcome, failed: int, judged: int) -> str:
    match outcome:
        case Outcome.FAIL:
            return f"{failed} of {judged} rows offend"
        case Outcome.PASS:
            return f"true of {judged} rows"
        case Outcome.UNKNOWN:
            return "it could not be judged"
        case Outcome.NOT_APPLICABLE:
            return "it does not apply"


def _labels_of_no_names() -> tuple[set[str], set[str]]:
    """The columns and entities of Kafka's settings, and those that are numbers somewhere and names nowhere."""
    settings: set[str] = set()
    counted: set[str] = set()
    named: set[str] = set()
    for column in _columns():
        labels = {column.name, column.entity or column.name}
        settings |= labels if column.entity == "setting" else set()
        counted |= labels if column.type in _NUMBERS else set()
        named |= labels if column.entity and column.type == "string" else set()
    return settings, counted - named


def _columns() -> Iterator[Column]:
    for room, declared in (("probes", "PROBE"), ("views", "VIEW")):
        for name in catalog(room).names():
            yield from getattr(catalog(room).load(name), declared).columns
