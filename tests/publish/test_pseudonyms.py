"""A site without names: what is planted in results and scorecard is on none of its pages."""

import json
import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from publish.conftest import NOW, result, run_of, scorecard
from runbook.model.column import ENTITIES
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import Common, Evidence, JudgedRow, Outcome, WaiverUse
from runbook.model.run import DeclaredUnobserved, DeclaredWaiver
from runbook.parse.runbook import Runbook
from runbook.publish.pseudonyms import Pseudonyms, key_of
from runbook.publish.site import SiteRunbooks, make_site
from support.strangers_store import put_run

KEY = b"k" * 32
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
                    waiver=WaiverUse("sre", planted("waiver"), "2026-12-01", 1),
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
            DeclaredWaiver(check.name, "sre", planted("w"), "2026-12-01", {"topic": planted("t")}, needed=True)
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
    for row in tables["waivers"]:
        row["rows"] = json.dumps({"topic": planted("pattern")})
    card["quarantine"] = [{"file": planted("file"), "reason": planted("why"), "line": 1}]
    card["of_later"] = planted("later")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(card), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path, book: Runbook) -> Path:
    """Results, a scorecard and a kept week with planted names."""
    folder = tmp_path / "data"
    fill_store(folder / "results", book)
    fill_card(folder / "scorecard" / "scorecard.json")
    weeks = folder / "scorecard" / "weeks"
    weeks.mkdir()
    problem = {"problem": planted("problem")}
    (weeks / "2026-W40.json").write_text(json.dumps({"week": "2026-W40", "problems": [problem]}), "utf-8")
    return folder


def pages(data: Path, book: Runbook, key: bytes | None) -> dict[str, str]:
    """Every page and file of the site."""
    runbooks = SiteRunbooks(Path(book.path).parent, [Path(book.path)])
    site = make_site(runbooks, data, timedelta(days=8), NOW, key)
    return {page.path: page.text for page in site.pages}


def test_no_planted_name_is_on_a_site_without_names(data: Path, book: Runbook) -> None:
    shown = pages(data, book, None)
    assert sum(PLANTED in text for text in shown.values()) > 5, "the names would be seen"
    hidden = pages(data, book, KEY)
    assert [path for path, text in hidden.items() if PLANTED in text] == []
    assert set(hidden) == set(shown) - {path for path in shown if "2026-W40" in path}


def test_what_names_nothing_stays_and_a_name_is_the_same_on_every_page(data: Path, book: Runbook) -> None:
    hidden = pages(data, book, KEY)
    evidence = hidden["evidence/prod/hostile.md"]
    name = Pseudonyms(KEY, {}).pseudonym("topic", planted("topic"))
    assert f"topic {name}" in evidence
    assert name in hidden["scorecard/scorecard.json"]
    assert "broker 2" in evidence
    assert "setting acks" in evidence
    assert "2 of 3 rows offend" in evidence
    assert "results verify" not in evidence
    assert '"partition":"0"' in hidden["scorecard/scorecard.json"]
    assert "sre" in evidence


def test_a_pseudonym_depends_on_the_key() -> None:
    ours, other = Pseudonyms(KEY, {}), Pseudonyms(b"o" * 32, {})
    assert ours.pseudonym("topic", "orders") == Pseudonyms(KEY, {}).pseudonym("topic", "orders")
    assert ours.pseudonym("topic", "orders") != other.pseudonym("topic", "orders")
    assert ours.pseudonym("topic", "orders") != ours.pseudonym("topic", "orders-dlq")


@pytest.mark.parametrize(
    ("label", "value", "is_kept"),
    [
        ("broker", 2, True),
        ("broker", "2", True),
        ("setting", "min.insync.replicas", True),
        ("topic", "orders", False),
        ("topic", "42", False),
        ("client", "42", False),
        ("nobody_declared_it", "42", False),
        ("topic", "", True),
        ("replicas", {"host": "a"}, False),
    ],
)
def test_a_cell_stays_only_if_its_column_names_nothing(label: str, value: object, *, is_kept: bool) -> None:
    assert (Pseudonyms(KEY, {}).cell(label, value) == value) is is_kept


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "redaction.key"
    key = key_of(file)
    assert len(key) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert key_of(file) == key
    file.write_bytes(b"short")
    with pytest.raises(ValueError, match="holds 5 bytes, and a key has 16 at least"):
        key_of(file)


def test_a_card_without_names_is_a_card_still(data: Path, book: Runbook) -> None:
    whole = msgspec.json.decode(pages(data, book, KEY)["scorecard/scorecard.json"])
    assert whole["tables"]["failing"]
