from pathlib import Path
from typing import Any

import pytest

from runbook.connections import files
from runbook.connections.files.reader import SAMPLE
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import client_log

ORDERS = '{"ts": 1, "level": "INFO", "trace_id": "4bf9", "took": 3}\n{"ts": 2, "level": "WARN", "took": "4"}\n'
BILLING = '{"ts": 3, "level": "INFO", "trace_id": "4bf9"}\n'


def observe(probe: Any, *logs: dict[str, Any]) -> Fact:
    connection = files.connect({"logs": list(logs)}, Deadline(5))
    return tabulate("probe", probe.PROBE.columns, probe.observe(connection))


def written(folder: Path, name: str, text: str) -> dict[str, str]:
    (folder / f"{name}.log").write_text(text)
    return {"client": name, "path": str(folder / f"{name}.log")}


def test_the_fields_of_a_log_are_told_and_which_of_them_lead_to_another_log(tmp_path: Path):
    fact = observe(client_log, written(tmp_path, "orders", ORDERS), written(tmp_path, "billing", BILLING))
    assert fact.complete
    [orders, billing] = fact.rows()
    assert orders == {
        "client": "orders",
        "lines": 2,
        "objects": 2,
        "always": ["level", "took", "ts"],
        "fields": ["level", "took", "trace_id", "ts"],
        "shared": ["level", "trace_id"],
        "others": 1,
    }
    assert billing["shared"] == ["level", "trace_id"]


def test_lines_that_are_cut_or_still_being_written_are_left_out(tmp_path: Path):
    line = '{"ts": 1, "words": "' + "x" * 1000 + '"}\n'
    [row] = observe(client_log, written(tmp_path, "orders", line * (SAMPLE // 500) + '{"ts": ')).rows()
    assert 0 < row["lines"] == row["objects"] <= SAMPLE // 1000


def test_a_log_that_is_missing_or_empty_is_a_gap_and_the_others_are_read(tmp_path: Path):
    fact = observe(
        client_log,
        {"client": "gone", "path": str(tmp_path / "gone.log")},
        written(tmp_path, "new", ""),
        written(tmp_path, "orders", ORDERS),
    )
    assert set(fact.columns["client"]) == {"orders"}
    assert ["client gone" in fact.gaps[0].reason, "client new holds no whole line" in fact.gaps[1].reason] == [True] * 2


@pytest.mark.parametrize(
    ("entries", "said"),
    [([{"path": "/x"}], "has no client"), ([{"client": "a", "path": "/x"}] * 2, "client a twice")],
)
def test_entries_that_cannot_be_meant_are_refused(entries: list[dict[str, Any]], said: str):
    with pytest.raises(Misconfigured, match=said):
        files.connect({"logs": entries}, Deadline(5))


def test_each_number_comes_under_its_own_name(tmp_path: Path):
    logs = [written(tmp_path, "orders", ORDERS + "no JSON\n"), written(tmp_path, "billing", BILLING)]
    row = next(observe(client_log, *logs).rows())
    assert (row["lines"], row["objects"], row["others"]) == (3, 2, 1)
