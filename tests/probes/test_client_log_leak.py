from pathlib import Path
from typing import Any

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import client_log_leak


def observe(*entries: dict[str, Any]) -> Fact:
    connection = files.connect({"logs": list(entries)}, Deadline(5))
    return tabulate("client_log_leak", client_log_leak.PROBE.columns, client_log_leak.observe(connection))


def test_lines_that_give_a_secret_away_are_counted_and_not_told(tmp_path: Path):
    (tmp_path / "a.log").write_text('{"msg": "hello"}\n{"msg": "password=hunter22"}\n')
    fact = observe({"client": "billing", "path": str(tmp_path / "a.log")})
    [row] = fact.rows()
    assert row == {"client": "billing", "lines": 2, "leaking": 1, "kinds": ["password"]}
    assert "hunter22" not in str(fact)


def test_a_log_that_is_missing_or_empty_is_a_gap(tmp_path: Path):
    (tmp_path / "empty.log").touch()
    fact = observe(*({"client": name, "path": str(tmp_path / f"{name}.log")} for name in ("empty", "gone")))
    assert (len(fact), len(fact.gaps)) == (0, 2)
