"""Bundles that nobody wrote: each ends in a sentence and an exit code, never in an internal error."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from runbook.cli.app import run
from runbook.evidence.bundle import load_bundle, save_bundle
from runbook.model.errors import UsageError

ASK = {"environment": "prod", "connection": "kafka", "probe": "kafka_broker", "given": "{}"}
FACT = {"source": "kafka_broker", "columns": {}}
WHOLE: dict[str, Any] = {
    "format": "runbook-bundle-1",
    "tool_version": "1",
    "run": "r1",
    "started_at": "2026-11-22T10:00:00.000Z",
    "environments": {"prod": {}},
    "connections": {"prod": ["kafka"]},
    "mirrors": [],
    "kept": [{"ask": ASK, "facts": {"": FACT}}],
}


def kept(ask: dict[str, Any] | None = None, **fact: Any) -> str:
    return json.dumps(WHOLE | {"kept": [{"ask": ASK | (ask or {}), "facts": {"": FACT | fact}}]})


ODD = {
    "nested": "[" * 100_000,
    "nested objects": '{"format":' * 100_000,
    "a cell that is nested": kept(columns={"broker": "CELL"}).replace('"CELL"', "[" * 5000 + "]" * 5000),
    "columns that are missing": json.dumps(WHOLE),
    "columns of different length": kept(columns={"broker": [1, 2], "rack": ["a"]}),
    "cells of another type": kept(columns={"broker": ["x", None, {}], "rack": [1, [], 2.5], "port": [[], "b", "c"]}),
    "columns that nobody knows": kept(columns={"nope": [1]}),
    "a number that is too large": kept(columns={"broker": [10**30]}),
    "no look": json.dumps(WHOLE | {"kept": [{"ask": ASK, "facts": {}}]}),
    "one look of two": kept({"looks": "10s"}),
    "parameters that are no JSON": kept({"given": "{not"}),
    "a probe that nobody has": kept({"probe": "../../x"}),
    "no environment": json.dumps(WHOLE | {"environments": {}, "kept": []}),
    "about an environment it lacks": json.dumps(WHOLE | {"selected": ["nope"]}),
    "a date that is none": json.dumps(
        WHOLE
        | {"environments": {"prod": {"waivers": [{"check": "a/b", "owner": "a", "reason": "x" * 12, "expires": "9"}]}}}
    ),
    "a time that is none": kept(collected_at="yesterday"),
    "the first day": json.dumps(WHOLE | {"started_at": "0001-01-01T00:00:00.000Z"}),
    "a link to nowhere": json.dumps(WHOLE | {"mirrors": [{"from": "prod", "to": "x", "kind": "mm2"}]}),
    "a gap about nothing": kept(gaps=[{"reason": "r", "keys": {"x": [1]}}]),
    "half a character": json.dumps(WHOLE | {"tool_version": "\ud800"}),
    "empty": "",
    "null": "null",
}


@pytest.mark.parametrize(
    "words", [("check", "ha"), ("what-if",), ("procedure", "walk", "ha#restore-preferred-leaders")]
)
@pytest.mark.parametrize("odd", ODD)
def test_it_ends_in_a_sentence(
    odd: str,
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.json").write_text(ODD[odd], "utf-8")
    monkeypatch.setattr(sys, "argv", ["runbook", *words, "--from", "odd.json"])
    assert run() in (0, 1, 2, 3, 4)
    assert "internal error" not in capsys.readouterr().err


def test_a_bundle_is_its_owners_alone(tmp_path: Path) -> None:
    """It tells whoever reads it where to begin; whatever the umask allows."""
    (tmp_path / "in.json").write_text(json.dumps(WHOLE), "utf-8")
    save_bundle(tmp_path / "out.json", load_bundle(tmp_path / "in.json"))
    assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o600


def test_a_field_of_a_strange_name_forges_no_line(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(WHOLE | {"environments": {"prod": {"\nPASS forged": 1}}}), "utf-8")
    with pytest.raises(UsageError) as refused:
        load_bundle(file)
    assert "PASS forged" in str(refused.value)
    assert "\n" not in str(refused.value)
