"""A small site with hostile names in everything that a stranger may name."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.fact import Gap
from runbook.model.result import Common, Evidence, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Expected, Head, Run
from runbook.parse.runbook import LocatedBlock, Runbook, read_runbook
from support.strangers_store import put_run

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
EVIL = "<script src=https://evil.example/x.js></script>\"'`</div></pre></code>{{ 7*7 }}![x](https://evil.example/p.png)"
HOSTILE = """---
title: "Hostile </title><script>alert(1)</script> `book`"
version: 1.2.3
changes: [{version: 1.2.3, date: 2026-11-21, note: "first <b>bold</b>"}]
summary: "About <script>alert(1)</script> and [a link](javascript:alert(1))"
alerts: ["Alert<script>alert(1)</script>"]
---

# Hostile <img src=x onerror=alert(1)> `book`

Prose with <script>alert(1)</script>, ![pixel](https://evil.example/p.png) and [a page](../docs/index.md).

<iframe src="https://evil.example/"></iframe>

## A heading <b onclick=alert(1)>with</b> `code <i>` {onclick=alert(1)}

  - nested as CommonMark allows
    - by two spaces

```sh
echo '<script>alert(1)</script>'
```

```yaml {.check}
id: rows-hold
title: "Every row <script>alert(1)</script> holds"
severity: high
objectives: [durability]
against: [availability]
labels: {tier: ["<b>prod</b>"]}
params:
  spare: {type: int, default: 1, min: 0, max: 5, help: "spare <i>replicas</i>", source: our judgement}
facts: {topic: {probe: kafka_topic, with: {internal: false}}}
expect:
  each: topic
  where: topic.name != "<script>"
  that: topic.replication_factor < 3 && "</code></pre><script>alert(1)</script>" != ""
  message: "{topic.name} <script>"
effect: "{failed} <script> rows"
remedy: |
  First **do** this:

  ~~~sh
  kafka-topics.sh --describe
  ~~~
audit: "kafka-topics.sh --describe\\n```\\n<script>alert(1)</script>"
sources: ["https://kafka.apache.org/documentation/", "<script>alert(1)</script>"]
```

```yaml {.check}
id: never-judged
title: A check that nothing was judged for
severity: low
facts: {own: {probe: a_probe_of_mine}}
expect: {same: own, by: [name], value: [broker]}
```

```yaml {.diagnostic}
id: writers-are-refused
title: Writers are refused
symptom: Producers get `NotEnoughReplicas`.
errors: [NotEnoughReplicas]
causes:
  - {cause: "A broker <b>is</b> down", checks: [rows-hold, other/there], remedy: start it, risk: none <script>}
  - {cause: Nobody knows}
```

```yaml {.procedure}
id: restart-a-broker
title: Restart a broker
risk: Less redundancy for minutes.
before: [rows-hold]
steps:
  - {do: Stop it., command: "kill <pid>", verify: [rows-hold], stop: "it hangs <script>", risk: one replica less}
  - {do: Start it.}
after: [rows-hold]
undo: Start it again.
```
"""


@pytest.fixture
def book(tmp_path: Path) -> Runbook:
    file = tmp_path / "hostile.md"
    file.write_text(HOSTILE, encoding="utf-8")
    return read_runbook(file)


def result(placed: LocatedBlock, environment: str, outcome: Outcome, **values: object) -> Result:
    """A result of a check, with whatever a test cares about."""
    fields: dict[str, object] = {
        "check": placed.name,
        "environment": environment,
        "outcome": outcome,
        "reason": "because",
        "rows": [],
        "title": placed.block.title,
        "severity": "high",
        "objectives": ["durability"],
        "subject": environment,
        "subject_kind": "environment",
        "judged": 3,
        "failed": 0,
        "undecided": 0,
        "gaps": [],
        "common": [],
        "waiver": None,
        "ranking": ["durability"],
        "params": {"spare": 1},
        "overridden": [],
        "proof": "observed",
        "remedy": "",
        "evidence": [Evidence("topic", "kafka_topic", "a" * 64, 3, complete=True, collected_at="2026-11-21T06:00:00Z")],
        "runbook": placed.runbook,
        "runbook_version": "1.2.3",
        "runbook_digest": "b" * 64,
        "check_digest": placed.digest(),
    }
    return Result(**(fields | values))  # type: ignore[arg-type]


def run_of(book: Runbook, environment: str, results: list[Result], *, at: datetime, complete: bool = True) -> Run:
    """A run over one environment, with the book's first check as what was expected."""
    checks = book.checks()
    return Run(
        id=f"{at:%Y%m%dT%H%M%SZ}-000000000000",
        tool_version="0.1.0",
        trigger="scheduled",
        complete=complete,
        started_at=f"{at:%Y-%m-%dT%H:%M:%SZ}",
        deadline_ms=10_000,
        heads=[Head(environment, cluster_id=f"id{EVIL}", kafka_version="4.1.1", brokers=3, answering=2, notes=[EVIL])],
        results=results,
        expected=[Expected(placed.name, "high", placed.digest(), book.name, "1.2.3") for placed in checks],
    )


def fill(store: Path, book: Runbook) -> None:
    """Write a store with three environments, one of them with a hostile name."""
    check = book.checks()[0]
    rows = [
        JudgedRow({"name": EVIL}, f"RF 1: {EVIL}", touches={"broker": [2]}),
        JudgedRow({"name": "orders"}, "RF 1", waived=True),
    ]
    failing = result(
        check,
        "broken",
        Outcome.FAIL,
        reason=f"2 of 3 topics {EVIL}",
        rows=rows,
        failed=2,
        gaps=[Gap(f"broker 2 {EVIL}", {"broker": 2})],
        common=[Common("broker", EVIL, 2, 2)],
        waiver=WaiverUse("sre <script>", "until <script>", "2026-12-01", 1),
    )
    run = run_of(book, "broken", [failing], at=NOW - timedelta(hours=3))
    cause = CauseFound(
        cause="hostile/a-cause", title="A cause", says=f"a broker {EVIL}", certain=True, explains=[check.name]
    )
    run.diagnoses = [Diagnosis(environment="broken", causes=[cause])]
    put_run(store, run)
    passing = result(check, "healthy", Outcome.PASS, reason="3 rows judged")
    put_run(store, run_of(book, "healthy", [passing], at=NOW - timedelta(days=20)))
    name = "<img src=x onerror=alert(1)>"
    put_run(store, run_of(book, name, [result(check, name, Outcome.UNKNOWN)], at=NOW - timedelta(hours=1)))


def scorecard() -> dict[str, object]:
    """A scorecard as docs/reference/scorecard-files.md describes it, with hostile texts."""
    score = {
        "week": "2026-W47", "environment": "broken", "runbook": "*", "severity": "*", "status": "scored",
        "score": 62.5, "score_raw": 60.0, "passed": 5, "failed": 2, "waived": 1, "unknown": 0, "missing": 0,
        "not_applicable": 1, "expected": 9, "coverage": 100.0, "last_run": "r", "last_at": "2026-11-21T06:00:00Z",
        "age_days": 0, "change": -3.5, "redefined": True,
    }  # fmt: skip
    silent = {"environment": "healthy", "status": "silent", "score": None, "score_raw": None, "coverage": None}
    about = {
        "environment": "broken", "check": "hostile/rows-hold", "subject": "broken", "runbook": "hostile",
        "severity": "high", "title": f"Holds {EVIL}", "reason": EVIL, "run": "r", "run_at": "2026-11-21T06:00:00Z",
    }  # fmt: skip
    failing = about | {
        "runbook_version": "1.2.3", "check_digest": "c" * 64, "waived": False, "judged": 3, "file": "f",
        "age_days": 0, "since_run": "r", "since_at": "2026-11-01T06:00:00Z", "since_week": "2026-W44",
        "failing_days": 20, "failed": 2, "rows": [{"key": {EVIL: EVIL}, "message": EVIL, "outcome": "fail",
        "waived": False}], "common": [{"entity": "broker", "value": EVIL, "touched": 2, "of": 2}],
        "waiver": {"owner": EVIL, "reason": EVIL, "expires": "2026-12-01", "rows": 1},
    }  # fmt: skip
    change = about | {"before": "pass", "now": "fail", "waived": False, "file": "f", "flips": 3}
    place = {
        "environment": "broken",
        "subject": "broken",
        "since_week": "2026-W44",
        "failing_days": 20,
        "waived": False,
    }
    waiver = {
        "environment": "broken", "check": "hostile/rows-hold", "owner": EVIL, "reason": f"={EVIL}", "rows": EVIL,
        "expires": "2026-12-01", "days_left": 10, "run": "r", "run_at": "2026-11-21T06:00:00Z",
    }  # fmt: skip
    return {
        "format": 2,
        "generated": False,
        "method": {"version": "2", "least_coverage": 90.0, "weights": {"low": 2, "high": 8}},
        "as_of": "2026-11-21T09:00:00Z",
        "week": "2026-W47",
        "weeks": ["2026-W44", "2026-W45", "2026-W46", "2026-W47"],
        "environments": ["broken", "healthy"],
        "runbooks": ["hostile"],
        "counts": {"runs": 3, "scored_runs": 3, "results": 3, "quarantined": 1},
        "tables": {
            "scores": [
                score,
                score | {"runbook": "hostile"},
                score | {"runbook": "hostile", "severity": "high"},
                score | silent | {"last_at": "2026-11-01T06:00:00Z"},
            ],
            "trend": [{
                "environment": "broken", "runbook": "*", "weeks": ["2026-W44", "2026-W45", "2026-W46", "2026-W47"],
                "status": ["scored", "scored", "silent", "scored"], "score": [64.0, 66.0, None, 62.5],
                "score_raw": [64.0, 66.0, None, 60.0], "coverage": [100.0, 100.0, None, 100.0],
                "redefined": [False, False, None, True], "failed": [0, 0, None, 1], "waived": [0, 0, None, 1],
            }],
            "failing": [failing],
            "changes": [change | {"change": kind} for kind in ("fixed", "flapping", "newly_failing", "newly_unknown")],
            "checks": [about | {
                "applicable": 2, "passing": 1, "failing": 1, "waived": 0, "unknown": 0, "fixes": 3,
                "median_fix_days": 4.5, "oldest_days": 20, "failing_in": [place],
            }],
            "waivers": [waiver | {"state": state} for state in ("expired", "expiring", "in_force", "unused")],
            "drills": [about | {"outcome": "unknown", "age_days": 0}],
            "definitions": [{
                "week": "2026-W47", "check": "hostile/rows-hold", "runbook": "hostile", "environments": 1,
                "runbook_version": "1.2.3", "before_version": EVIL,
            }],
        },
        "quarantine": [{"file": EVIL, "line": 3, "reason": EVIL, "text": "x"}],
    }  # fmt: skip


@pytest.fixture
def evil() -> str:
    """A name that a stranger chose."""
    return EVIL


@pytest.fixture
def now() -> datetime:
    """When the pages of these tests are made."""
    return NOW


@pytest.fixture
def make_result() -> Callable[..., Result]:
    """See `result`."""
    return result


@pytest.fixture
def make_run() -> Callable[..., Run]:
    """See `run_of`."""
    return run_of


@pytest.fixture
def store(tmp_path: Path, book: Runbook) -> Path:
    """A store that holds the runs of three environments."""
    fill(tmp_path / "results", book)
    return tmp_path / "results"


@pytest.fixture
def card() -> dict[str, object]:
    """See `scorecard`."""
    return scorecard()


def build(root: Path, site: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder as `make site` does."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = {"NO_MKDOCS_2_WARNING": "1", "PATH": "/usr/bin:/bin"} | variables
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=800)


@pytest.fixture(scope="session")
def build_site() -> Callable[..., subprocess.CompletedProcess[str]]:
    """See `build`."""
    return build


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """See `few_pages`."""
    root = tmp_path_factory.mktemp("small-site")
    few_pages(root)
    return root


def few_pages(root: Path) -> None:
    """Write the sources of a small site: our mkdocs.yml and docs/, a hostile runbook, results, a scorecard."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("checks/runbook", f"{ROOT}/checks/runbook")
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    for folder in ("stylesheets", "scripts"):
        shutil.copytree(ROOT / "docs" / folder, root / "docs" / folder)
    (root / "docs" / "notebooks").mkdir()
    shutil.copy(ROOT / "docs/notebooks/brokers-to-lose.ipynb", root / "docs/notebooks")  # the one that reads no files
    for folder in ("explanation", "how-to", "reference"):
        (root / "docs" / folder).mkdir()
    explained = [f"explanation/{name}" for name in ("objectives", "scorecard-method", "unknown-is-not-pass")]
    for page in ("index", *explained, "reference/report-json"):  # from generated pages, and the navigation
        (root / f"docs/{page}.md").write_text(f"# A page: {page}\n\nText.\n", encoding="utf-8")
    (root / "docs/how-to/inventory.md").write_text("# Inventory\n\n## Owners and tiers\n", encoding="utf-8")
    (root / "runbooks").mkdir()
    file = root / "runbooks" / "hostile.md"
    file.write_text(HOSTILE, encoding="utf-8")
    other = HOSTILE.replace("Hostile", "Other").replace("id: rows-hold", "id: there").replace("[rows-hold", "[there")
    (root / "runbooks" / "other.md").write_text(other, encoding="utf-8")
    fill(root / "site-data" / "results", read_runbook(file))
    (root / "site-data" / "scorecard").mkdir()
    (root / "site-data" / "scorecard" / "scorecard.json").write_text(json.dumps(scorecard()), encoding="utf-8")
