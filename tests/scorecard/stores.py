"""Small stores with everything in them that happens to evidence, made from a number."""

import datetime as dt
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from runbook.evidence.chain import chained
from runbook.evidence.snapshot import Snapshot, write_snapshot
from runbook.evidence.store import run_files
from runbook.model.result import Common, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import DeclaredWaiver, Expected, Head, Run

FEATURES = (
    *("changed", "definitions", "duplicates", "gaps", "incident", "late", "links", "miswritten", "moment", "old"),
    *("silent", "snapshots", "strange", "twice", "unobserved", "waivers"),
)
"""What a store may have; each store has some of them."""

Records = list[dict[str, Any]]
Files = dict[str, bytes]

_MONDAYS = ("2020-12-21", "2026-12-21", "2024-12-23", "2026-11-02")  # the first two: before a week 53
_CHECKS = {"ha/a": "critical", "ha/b": "high", "ha/c": "low", "ha/d": "medium", "dr/drill": "high", "dr/link": "info"}
_OUTCOMES = ("pass", "pass", "pass", "fail", "fail", "unknown", "not_applicable")


class Store(NamedTuple):
    """What is written first, what comes later, and what is asked of it."""

    early: Files
    late: Files
    as_of: str | None
    weeks: int


class _Maker:
    def __init__(self, number: int, features: frozenset[str]) -> None:
        self.draw = random.Random(number)
        self.features = features
        self.monday = dt.date.fromisoformat(self.draw.choice(_MONDAYS))
        self.weeks = self.draw.randint(2, 5)
        self.said: dict[tuple[str, str, str], str] = {}
        self.files: Files = {}
        self.starts: list[str] = []

    def has(self, feature: str, share: float) -> bool:
        """Whether it happens here: never without the feature."""
        return feature in self.features and self.draw.random() < share

    def moment(self, week: int) -> str:
        """A moment in a week; some at its very beginning, some with a fraction of a second."""
        if self.draw.random() < 0.15:
            return f"{self.monday + dt.timedelta(7 * week)}T00:00:00Z"
        day = self.monday + dt.timedelta(7 * week + self.draw.randint(0, 6))
        fraction = self.draw.choice(("", "", f".{self.draw.randint(1, 999):03}"))
        return f"{day}T{self.draw.randint(0, 23):02}:{self.draw.choice((0, 30, 59)):02}:00{fraction}Z"

    def keep(self, environment: str, week: int) -> None:
        """Keep a run, as it was, or as somebody left it."""
        at = self.moment(week)
        if self.has("twice", 0.3) and self.starts:
            at = self.draw.choice(self.starts)
        self.starts.append(at)
        run = self.run(environment, week, at)
        for path, content in run_files(run):
            records = [json.loads(line) for line in content.splitlines()]
            for record in records:
                del record["chain"]
            self.edit(records)
            whole = b"".join(line + b"\n" for line in chained(records))
            self.files[path] = self.draw.choice(_DAMAGES)(whole, self.draw) if self.has("changed", 0.25) else whole

    def run(self, environment: str, week: int, at: str) -> Run:
        """What was asked in a run, and what came of it."""
        books = self.draw.choice((("ha", "dr"), ("ha",), ("ha", "dr")))
        number = 2 if self.has("definitions", 1) and week >= self.weeks // 2 else 1
        expected = [
            Expected(name, severity, f"d{number}", name.split("/")[0], f"{number}.0.0")  # type: ignore[arg-type]
            for name, severity in _CHECKS.items()
            if name.split("/")[0] in books
        ]
        subjects = {check.check: [environment] for check in expected}
        if "links" in self.features and "dr/link" in subjects:
            subjects["dr/link"] = self.draw.sample([f"{environment}→x", f"{environment}→y", f"{environment}→z"], 2)
        results = [self.result(environment, check, subject) for check in expected for subject in subjects[check.check]]
        if self.has("gaps", 0.5):
            results = self.draw.sample(results, len(results) - 1)
        if self.has("gaps", 0.3):
            expected = expected[1:]
        odd = self.has("incident", 0.4)
        compact = f"{at[:10].replace('-', '')}T{at[11:19].replace(':', '')}Z"
        return Run(
            id=f"{compact}-{self.draw.randrange(16**6):012x}",
            tool_version="0",
            trigger=self.draw.choice(("incident", "manual", "ci", "scheduled")) if odd else "scheduled",
            complete=not odd or self.draw.random() < 0.5,
            interrupted=odd and self.draw.random() < 0.3,
            started_at=at,
            deadline_ms=10_000,
            heads=[Head(environment, waivers=self.waivers(expected))],
            results=results,
            expected=expected,
        )

    def waivers(self, expected: list[Expected]) -> list[DeclaredWaiver]:
        """Waivers around the weeks shown: some over, some about to end."""
        if "waivers" not in self.features:
            return []
        return [
            DeclaredWaiver(
                self.draw.choice(expected).check,
                self.draw.choice(("ann", "bob")),
                self.draw.choice(("new disks", "a migration")),
                str(self.monday + dt.timedelta(self.draw.randint(0, 70))),
                self.draw.choice(({}, {"topic": "orders-*"})),
                self.draw.random() < 0.5,
            )
            for _ in range(self.draw.randint(1, 3))
        ]

    def result(self, environment: str, expected: Expected, subject: str) -> Result:
        """A verdict, mostly the one of the time before."""
        place = (environment, expected.check, subject)
        if place not in self.said or self.draw.random() < 0.4:
            self.said[place] = self.draw.choice(_OUTCOMES)
        outcome = Outcome(self.said[place])
        failed = int(outcome is Outcome.FAIL)
        waived = failed and self.has("waivers", 0.5)
        unobserved = outcome is Outcome.UNKNOWN and self.has("unobserved", 0.5)
        return Result(
            check=expected.check,
            environment=environment,
            outcome=outcome,
            reason=f'it says {outcome} "é"',
            rows=[JudgedRow({"topic": "orders"}, "RF 1", touches={"broker": [2]}, waived=bool(waived))] * failed,
            title=f"{expected.check} holds",
            severity=expected.severity,
            objectives=["durability"],
            subject=subject,
            subject_kind="environment" if subject == environment else "link",
            judged=self.draw.randint(0, 9),
            failed=failed,
            undecided=0,
            gaps=[],
            common=[Common("broker", "2", 1, 1)] * failed,
            waiver=WaiverUse("ann", "new disks", "2027-03-01", 1) if waived else None,
            ranking=[],
            params={},
            overridden=[],
            proof="drilled" if expected.check == "dr/drill" else "observed",
            remedy="",
            evidence=[],
            runbook=expected.runbook,
            runbook_version=expected.runbook_version,
            runbook_digest="r1",
            check_digest=expected.check_digest,
            unobserved=unobserved,
        )

    def edit(self, records: Records) -> None:
        """Write records wrong, or as another version did, with a sound chain."""
        if self.has("old", 0.5):
            records[0]["version"] = 1
            del records[0]["generated"], records[0]["head"]["waivers"]
        if self.has("strange", 0.5):
            self.draw.choice(records)["later_field"] = {"a": [1, None]}
        if self.has("duplicates", 0.5):
            for _ in range(self.draw.randint(1, 3)):
                copy = dict(self.draw.choice(records[1:-1]))
                copy["outcome"] = self.draw.choice(_OUTCOMES)
                copy["waived"] = copy["waived"] and copy["outcome"] == "fail"
                copy["reason"] = f"again {self.draw.randint(0, 9)}"
                records.insert(self.draw.randint(1, len(records) - 1), copy)
            records[-1]["records"] = len(records) - 1
        if self.has("miswritten", 0.4):
            self.draw.choice(_MISTAKES)(records, self.draw)

    def snapshots(self) -> None:
        """Say what is expected, once or twice: an environment that never sends too, and not every one that does."""
        for _ in range(self.draw.randint(1, 2)):
            week = self.draw.randint(0, self.weeks - 1)
            at = self.moment(week)
            environments = self.draw.sample(["prod-eu", "prod-us", "never"], self.draw.randint(1, 3))
            checks = self.draw.sample(list(_CHECKS), self.draw.randint(3, 6)) + self.draw.choice(([], ["ha/new"]))
            snapshot = Snapshot(
                at,
                "0",
                {name: self.draw.choice((["ha"], ["dr", "ha"], ["gone"])) for name in environments},
                [Expected(check, _CHECKS.get(check, "low"), "d1", check.split("/")[0], "1.0.0") for check in checks],  # type: ignore[arg-type]
            )
            content = write_snapshot(snapshot)
            if self.draw.random() < 0.2:
                content = content.replace(b"d1", b"d3", 1)
            compact = f"{at[:10].replace('-', '')}T{at[11:19].replace(':', '')}Z"
            self.files[f"expected/{at[:10]}/{compact}-{self.draw.randrange(16**6):012x}.json"] = content


def make(number: int, features: frozenset[str]) -> Store:
    """Make a store; the same number and features make the same one."""
    maker = _Maker(number, features)
    for environment in ("prod-eu", "prod-us", "lab")[: maker.draw.randint(1, 3)]:
        for week in range(maker.weeks):
            if not maker.has("silent", 0.4):
                for _ in range(maker.draw.choice((1, 1, 2, 4))):
                    maker.keep(environment, week)
    if not maker.starts:
        maker.keep("prod-eu", 0)
    if "snapshots" in features:
        maker.snapshots()
    late = {path for path in maker.files if maker.has("late", 0.4)}
    if len(late) == len(maker.files):
        late.pop()
    return Store(
        {path: content for path, content in maker.files.items() if path not in late},
        {path: content for path, content in maker.files.items() if path in late},
        maker.draw.choice(maker.starts) if "moment" in features else None,
        maker.draw.choice((53, 53, 3, 1)),
    )


def _of_result(**fields: Any) -> Callable[[Records, random.Random], None]:
    def change(records: Records, draw: random.Random) -> None:
        draw.choice(records[1:-1]).update(fields)

    return change


def _of_run(**fields: Any) -> Callable[[Records, random.Random], None]:
    def change(records: Records, _: random.Random) -> None:
        records[0].update(fields)

    return change


def _lacking(records: Records, draw: random.Random) -> None:
    record = draw.choice(records[:-1])
    del record[draw.choice([name for name in ("run", "environment", "title", "expected", "outcome") if name in record])]


def _headless(records: Records, _: random.Random) -> None:
    del records[0]


_MISTAKES = (
    _of_result(outcome="maybe"),
    _of_result(severity="dire"),
    _of_result(judged="many"),
    _of_result(rows="none"),
    _of_result(environment="elsewhere"),
    _of_result(check=""),
    _of_result(kind="rumour"),
    _of_run(version=9),
    _of_run(started_at="2026-02-30T00:00:00Z"),
    _of_run(started_at="2026-01-05T06:00:00Z"),
    _of_run(run="another"),
    _of_run(trigger="boredom"),
    _lacking,
    _headless,
)


def _dropped(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    del lines[draw.randrange(len(lines))]
    return b"".join(lines)


def _moved(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    lines.insert(draw.randrange(len(lines)), lines.pop(draw.randrange(len(lines))))
    return b"".join(lines)


def _added(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    lines.insert(draw.randrange(len(lines) + 1), draw.choice((b"\xff\xfe\n", b"{}\n", b"[1]\n", b"\n", lines[-1])))
    return b"".join(lines)


_DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    lambda content, draw: content[: draw.randrange(len(content))],
    lambda content, _: content.replace(b'"outcome":"pass"', b'"outcome":"fail"', 1),
    lambda content, _: content.replace(b'"trigger":"scheduled"', b'"trigger":"manual"', 1),
    lambda *_: b"",
    _dropped,
    _moved,
    _added,
)
