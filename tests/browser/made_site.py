"""A small site with everything in it, built as `make site` builds it; the caller puts in what strangers may name."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from browser.made_scorecard import scorecard
from runbook.evidence.store import chained
from runbook.model.fact import Gap
from runbook.model.result import Common, Evidence, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import DeclaredWaiver, Expected, Head, Run, run_id
from runbook.parse.runbook import LocatedBlock, Runbook, read_runbook
from runbook.publish.sample_scorecard import write_sample
from support.strangers_store import put_run

ROOT = Path(__file__).parents[2]
NOW = datetime.now(UTC).replace(microsecond=0)
CHECKS = 60
ENVIRONMENTS = 4
PLACES = CHECKS * ENVIRONMENTS
OUTCOMES = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.FAIL, Outcome.NOT_APPLICABLE, Outcome.FAIL, Outcome.PASS)
Words = Callable[[int], str]


def write_sources(root: Path, words: Words) -> Path:
    """Write all a build needs: our docs and runbook, a runbook of a user's own, a store, its scorecard.

    Args:
        root: an empty folder.
        words: number -> a text that a stranger chose; numbers below PLACES are used, some of them often.
    """
    copy_ours(root)
    own = root / "runbooks" / "own.md"
    own.write_text(runbook_text(words), encoding="utf-8")
    _fill(root / "site-data" / "results", read_runbook(root / "runbooks" / "ha.md"), read_runbook(own), words)
    names = environment_names(words)
    failing = [(names[number % ENVIRONMENTS], f"own/check-{number // ENVIRONMENTS:03}") for number in range(PLACES)]
    used = {"prod-eu": "ha", "prod-us": "ha", "silent-eu": "ha"} | dict.fromkeys(names, "own")
    card = scorecard(failing, "silent-eu", used, NOW, words)
    (root / "site-data" / "scorecard").mkdir()
    write_sample(root / "site-data" / "scorecard")  # the Parquet that a notebook reads
    (root / "site-data" / "scorecard" / "scorecard.json").write_text(json.dumps(card), encoding="utf-8")
    return root


def copy_ours(root: Path) -> None:
    """Copy what a build needs of this project: settings, docs, runbooks."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("checks/runbook", f"{ROOT}/checks/runbook")
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    shutil.copytree(ROOT / "docs", root / "docs", ignore=shutil.ignore_patterns("kernel-ipc*"))
    shutil.copytree(ROOT / "runbooks", root / "runbooks")
    for extra in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / extra, root)


def build(root: Path, site: Path, **variables: str) -> Path:
    """Build the site strictly, with these variables of the environment beside the process's; returns its folder."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "RUNBOOK_SITE_DATA": str(root / "site-data")} | variables
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr[-3000:]
    return site


def quoted(text: str) -> str:
    """A text as a YAML scalar; YAML knows no lone surrogates, and no controls but by their number."""
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else _escape(c) for c in text) + '"'


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def printable(text: str) -> str:
    """A text as a person may write it into a runbook: on one line, without controls."""
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())[:500] or "x"


def runbook_text(words: Words) -> str:
    """A user's own runbook: hostile in every field that is shown as it stands."""
    said = [quoted(printable(words(number))) for number in range(PLACES)]
    listed = ", ".join(dict.fromkeys(said))
    front = f"title: {said[0]}\nversion: 1.2.0\nsummary: {said[1]}\nalerts: [{listed}]\nerrors: [{listed}]"
    changes = "\n".join(f"  - {{version: 1.{minor}.0, date: '2026-11-21', note: {said[minor]}}}" for minor in (2, 1))
    causes = "\n".join(
        f"  - {{cause: {text}, checks: [check-001], look: {text}, remedy: {text}, risk: {text}}}" for text in said[:40]
    )
    steps = "\n".join(
        f"  - {{do: {text}, command: {text}, risk: {text}, verify: [check-002], stop: {text}}}" for text in said[40:80]
    )
    parts = [
        f"---\n{front}\nchanges:\n{changes}\n---\n\n# Of our own\n\nProse.\n",
        f"```yaml {{.diagnostic}}\nid: own-symptom\ntitle: {said[4]}\nsymptom: {said[5]}\nalerts: [{said[6]}]",
        f"errors: [{said[7]}]\ncauses:\n{causes}\nsources: [{said[8]}]\n```\n",
        f"```yaml {{.procedure}}\nid: own-steps\ntitle: {said[9]}\nrisk: {said[10]}\nbefore: [check-001]",
        f"steps:\n{steps}\nundo: {said[11]}\n```\n",
    ]
    for number in range(CHECKS):
        text = said[number]
        parts.append(
            f"```yaml {{.check}}\nid: check-{number:03}\ntitle: {text}\nseverity: {_severity(number)}\n"
            f"params: {{spare: {{type: int, default: 1, help: {text}, source: {text}}}}}\n"
            "facts: {own: {probe: a_probe_of_ours}}\nexpect: {same: own, by: [name], value: [broker]}\n"
            f"effect: {text}\nremedy: {text}\naudit: {text}\nsources: [{text}]\n```\n"
        )
    return "\n".join(parts)


def _severity(number: int) -> str:
    return ("critical", "high", "medium", "low", "info")[number % 5]


def environment_names(words: Words) -> list[str]:
    """Names of environments: those that a file system takes as a folder's name."""
    fit = [words(number) for number in range(PLACES)]
    fit = [text for text in fit if "/" not in text and "\0" not in text and len(text.encode(errors="replace")) < 200]
    fit = [text for text in fit if text.isprintable()]
    return [
        f"e{number:02} {text}" for number, text in enumerate(fit[:: max(1, len(fit) // ENVIRONMENTS)][:ENVIRONMENTS])
    ]


def _fill(store: Path, ha: Runbook, own: Runbook, words: Words) -> None:
    known = ha.checks()[:14]
    for weeks_ago in (2, 1, 0):
        at = NOW - timedelta(weeks=weeks_ago, hours=1)
        for place, environment in enumerate(("prod-eu", "prod-us", "silent-eu")):
            if environment == "silent-eu" and weeks_ago == 0:
                continue
            results = [
                _result(
                    check, environment, OUTCOMES[(number * (place + 2) + weeks_ago) % len(OUTCOMES)], "word", number
                )
                for number, check in enumerate(known)
            ]
            _keep(store, environment, at, results, known, ["word"])
        for place, environment in enumerate(environment_names(words)):
            results = [
                _result(
                    check, environment, OUTCOMES[(number + weeks_ago) % 5], words(number * ENVIRONMENTS + place), number
                )
                for number, check in enumerate(own.checks())
            ]
            _keep(store, environment, at, results, own.checks(), [words(number) for number in range(PLACES)])
    incident = [_result(check, "prod-eu", Outcome.PASS, "word", 0) for check in known[:2]]
    _keep(store, "prod-eu", NOW - timedelta(minutes=5), incident, known, [], trigger="incident", complete=False)
    _spoil(store, words)


def _keep(
    store: Path,
    environment: str,
    at: datetime,
    results: list[Result],
    expected: list[LocatedBlock],
    texts: list[str],
    **fields: Any,
) -> None:
    word = texts[0] if texts else "word"
    started = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    waivers = [
        DeclaredWaiver(
            expected[number % len(expected)].name,
            text,
            text,
            f"{NOW + timedelta(days=number % 40 - 5):%Y-%m-%d}",
            {text: text},
            needed=number % 2 == 0,
        )
        for number, text in enumerate(texts)
    ]
    head = Head(
        environment,
        cluster_id=word,
        kafka_version=word,
        mode=word,
        brokers=3,
        answering=2,
        collected_at=started,
        notes=texts,
        waivers=waivers,
        labels={"tier": word},
        owner=word,
    )
    run = Run(
        id=run_id(started),
        tool_version="0.1.0",
        trigger=fields.pop("trigger", "scheduled"),
        complete=fields.pop("complete", True),
        started_at=started,
        deadline_ms=10_000,
        heads=[head],
        results=results,
        expected=[
            Expected(placed.name, placed.block.severity, placed.digest(), placed.runbook, "1.2.0")  # type: ignore[union-attr]
            for placed in expected
        ],
    )
    put_run(store, run)


def _result(check: LocatedBlock, environment: str, outcome: Outcome, text: str, number: int) -> Result:
    failed = 2 if outcome is Outcome.FAIL else 0
    undecided = 1 if outcome is Outcome.UNKNOWN else 0
    rows = [JudgedRow({text: text, "broker": 2}, text, touches={"broker": [text]}, waived=number % 4 == 2)] * failed
    rows += [JudgedRow({"topic": text}, text, outcome="unknown")] * undecided
    return Result(
        check=check.name,
        environment=environment,
        outcome=outcome,
        reason=text,
        rows=rows,
        title=text if text != "word" else check.block.title,
        severity=check.block.severity,  # type: ignore[union-attr]
        objectives=["durability"],
        subject=environment,
        subject_kind="environment",
        judged=3,
        failed=failed,
        undecided=undecided,
        gaps=[Gap(text, {"broker": 2})] * undecided,
        common=[Common(text, text, 2, 2)] * bool(failed),
        waiver=WaiverUse(text, text, f"{NOW + timedelta(days=9):%Y-%m-%d}", 2) if failed and number % 4 == 2 else None,
        ranking=["durability"],
        params={text: text},
        overridden=[text],
        proof="drilled" if number % 9 == 4 else "observed",
        remedy=text,
        evidence=[Evidence(text, text, "a" * 64, 3, complete=True, collected_at=f"{NOW:%Y-%m-%dT%H:%M:%SZ}")],
        runbook=check.runbook,
        runbook_version="1.2.0",
        runbook_digest="b" * 64,
        check_digest=check.digest(),
    )


def _spoil(store: Path, words: Words) -> None:
    """Add files that no reader can trust: quarantine shows their names, reasons and texts."""
    folder = store / "runs" / "prod-eu" / f"{NOW:%Y-%m-%d}"
    for number, name in enumerate(environment_names(words)):
        (folder / f"{name}.jsonl").write_text(words(number) + "\n", encoding="utf-8", errors="replace")
    for number in range(0, PLACES, 8):
        started = f"{NOW - timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
        strange = {"kind": words(number), "version": 2, "run": words(number), "environment": words(number)}
        lines = list(chained([strange | {"started_at": started}, {words(number): words(number)}]))
        (folder / f"{run_id(started)}.jsonl").write_bytes(b"\n".join(lines) + b"\n")


def visible(text: str) -> str:
    """A text as two readers can compare it: without what browsers drop, and with one kind of space."""
    kept = (c for c in text if c.isspace() or (c.isprintable() and c != "\ufffd"))
    return " ".join("".join(kept).split())
