from pathlib import Path

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import client_log_field

ORDERS = '{"ts": 1, "trace_id": "4bf9", "took": 3}\n{"ts": 2, "took": "4"}\n'


def observe(*logs: dict[str, str]) -> Fact:
    connection = files.connect({"logs": list(logs)}, Deadline(5))
    return tabulate("client_log_field", client_log_field.PROBE.columns, client_log_field.observe(connection))


def test_each_field_is_told_with_its_kinds_and_never_with_its_values(tmp_path: Path):
    (tmp_path / "orders.log").write_text(ORDERS)
    fact = observe({"client": "orders", "path": str(tmp_path / "orders.log")})
    rows = {row["field"]: row for row in fact.rows()}
    assert rows["took"] == {"client": "orders", "field": "took", "lines": 2, "numbers": 1, "distinct": 2}
    assert "4bf9" not in str(fact)


def test_a_log_that_is_missing_is_a_gap_and_the_others_are_read(tmp_path: Path):
    (tmp_path / "orders.log").write_text(ORDERS)
    fact = observe(
        {"client": "gone", "path": str(tmp_path / "gone.log")},
        {"client": "orders", "path": str(tmp_path / "orders.log")},
    )
    assert set(fact.columns["client"]) == {"orders"}
    assert "client gone" in fact.gaps[0].reason


def test_each_number_comes_under_its_own_name(tmp_path: Path):
    (tmp_path / "orders.log").write_text(ORDERS + '{"took": "4"}\n')
    fact = observe({"client": "orders", "path": str(tmp_path / "orders.log")})
    [row] = [row for row in fact.rows() if row["field"] == "took"]
    assert (row["lines"], row["distinct"], row["numbers"]) == (3, 2, 1)
