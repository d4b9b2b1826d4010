"""Results and a scorecard that have a name wherever they may have one, to see that none is shown."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from publish.conftest import NOW, result, run_of, scorecard
from runbook.model.column import ENTITIES
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import Common, Evidence, JudgedRow, Outcome, WaiverUse
from runbook.model.run import DeclaredUnobserved, DeclaredWaiver
from runbook.parse.runbook import Runbook
from support.strangers_store import put_run

PLANTED = "planted"
SHOWN = {"setting", "environment"}
"""Entities whose names a site without names shows."""


def planted(where: str) -> str:
    """A name that must not be on the site."""
    return f"{PLANTED}-{where}"


def fill_store(store: Path, book: Runbook) -> None:
    """A run that has a name wherever a run may have one."""
    (check, *_) = book.checks()
    cells: dict[str, Any] = {entity: planted(entity) for entity in ENTITIES if entity not in SHOWN}
    cells |= {"column_of_a_user": planted("user"), "list": [planted("listed")], "broker": 2, "setting": "acks"}
    row = JudgedRow(
        cells, planted("message"), touches={entity: [planted(entity)] for entity in cells}, place=planted("p")
    )
    for days, outcome in ((8, Outcome.FAIL), (0, Outcome.FAIL), (1, Outcome.UNKNOWN)):
        environment = "unknown" if outcome is Outcome.UNKNOWN else "prod"
        run = run_of(
            book,
            environment,
            [
                result(
                    check,
                    environment,
                    outcome,
                    reason=planted("reason"),
                    rows=[row if not days else replace(row, key={"topic": planted("older")})],
                    failed=2,
                    gaps=[Gap(planted("gap"), {"host": planted("host")}, kind=GapKind.REFUSED, at=planted("at"))],
                    common=[Common("topic", planted("topic"), 2, 2)],
                    waiver=WaiverUse(planted("person"), planted("waiver"), "2026-12-01", 1),
                    params={"spare": [planted("parameter")]},
                    overridden=["spare"],
                    remedy=planted("remedy"),
                    evidence=[Evidence("topic", "kafka_topic", PLANTED * 9, 3, complete=True, collected_at="")],
                )
            ],
            at=NOW - timedelta(days=days, hours=1),
        )
        (head,) = run.heads
        head.cluster_id, head.notes, head.place = planted("cluster"), [planted("note")], planted("place")
        head.owner, head.owners, head.labels = "sre", {planted("pattern"): planted("team")}, {"tier": "prod"}
        head.waivers = [
            DeclaredWaiver(
                check.name, planted("person"), planted("w"), "2026-12-01", {"topic": planted("t")}, needed=True
            )
        ]
        head.unobserved = [DeclaredUnobserved("ssh", planted("because"), "sre", "2026-12-01")]
        cause = CauseFound(
            cause="hostile/it",
            title="it",
            says=planted("says"),
            certain=True,
            keys={"topic": [planted("topic")]},
            explains=[check.name],
        )
        run.diagnoses = [Diagnosis(environment=environment, causes=[cause])]
        put_run(store, run)
    bad = store / "runs" / "prod" / "2026-11-01" / f"{planted('file')}.jsonl"
    bad.parent.mkdir(parents=True)
    bad.write_text(planted("line"))


def fill_card(file: Path) -> None:
    """A scorecard that has a name wherever it may have one."""
    card = scorecard()
    tables: Any = card["tables"]
    for rows in tables.values():
        for row in rows:
            row |= {
                name: planted(name)
                for name in ("reason", "subject_of_ours")
                if name == "subject_of_ours" or name in row
            }
    for row in tables["failing"]:
        row["rows"] = [
            {
                "key": {"topic": planted("topic"), "partition": "0"},
                "message": planted("m"),
                "outcome": "fail",
                "waived": False,
                "later": planted("later"),
            }
        ]
        row["common"] = [{"entity": "topic", "value": planted("topic"), "touched": 1, "of": 1}]
        row["waiver"] = {"owner": planted("person"), "reason": planted("w"), "expires": "2026-12-01", "rows": 1}
    for row in tables["waivers"]:
        row["rows"] = json.dumps({"topic": planted("pattern")})
        row["owner"] = planted("person")
    card["quarantine"] = [{"file": planted("file"), "reason": planted("why"), "line": 1}]
    card["of_later"] = planted("later")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(card), encoding="utf-8")


def fill(folder: Path, book: Runbook) -> None:
    """Results, a scorecard and a kept week with planted names."""
    fill_store(folder / "results", book)
    fill_card(folder / "scorecard" / "scorecard.json")
    weeks = folder / "scorecard" / "weeks"
    weeks.mkdir()
    problem = {"problem": planted("problem")}
    (weeks / "2026-W40.json").write_text(json.dumps({"week": "2026-W40", "problems": [problem]}), "utf-8")
