from pathlib import Path
from typing import Any

from runbook.connections import files
from runbook.engine.fact import Fact, tabulate
from runbook.engine.probe import Clock
from runbook.probes import client_config


def observe(*clients: dict[str, Any]) -> Fact:
    connection = files.connect({"clients": list(clients)}, Clock(5))
    return tabulate("client_config", client_config.PROBE.columns, client_config.observe(connection))


def test_a_later_file_overrides_an_earlier_one(tmp_path: Path):
    (tmp_path / "common.properties").write_text("bootstrap.servers=a:1\nacks=1\n")
    (tmp_path / "billing.properties").write_text("# ours\nacks=all\n")
    names = [str(tmp_path / "common.properties"), str(tmp_path / "billing.properties")]
    rows = {row["setting"]: row for row in observe({"name": "billing", "kind": "producer", "path": names}).rows()}
    assert rows["acks"] == {
        "client": "billing",
        "kind": "producer",
        "setting": "acks",
        "value": "all",
        "file": names[1],
        "line": 2,
        "earlier": 1,
    }
    assert rows["bootstrap.servers"]["earlier"] == 0


def test_a_file_that_is_not_understood_is_a_gap_and_the_others_are_read(tmp_path: Path):
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.properties").write_text("group.id=g\n")
    fact = observe(
        {"name": "a", "path": str(tmp_path / "a.json")},
        {"name": "b", "path": str(tmp_path / "*.properties")},
        {"name": "c", "path": str(tmp_path / "none.properties")},
    )
    assert fact.columns["client"] == ["b"]
    assert ["client a" in fact.gaps[1].reason, "client c" in fact.gaps[0].reason] == [True, True]


def test_a_file_too_large_for_a_configuration_is_a_gap(tmp_path: Path):
    (tmp_path / "x.properties").write_bytes(b"a=1\n" * 300_000)
    fact = observe({"name": "x", "path": str(tmp_path / "x.properties")})
    assert len(fact) == 0
    assert "too many for a configuration" in fact.gaps[0].reason
