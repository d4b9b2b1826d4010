from pathlib import Path
from typing import Any

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import client_gc_log, jvm_gc_log

RECORDED = Path(__file__).parents[1] / "formats" / "gc_log" / "recorded"


def observe(probe: Any, *logs: dict[str, Any]) -> Fact:
    connection = files.connect({"gc_logs": list(logs)}, Deadline(5))
    return tabulate("probe", probe.PROBE.columns, probe.observe(connection, window="9999d"))


def test_logs_of_clients_and_of_brokers_are_kept_apart():
    logs = [
        {"client": "billing", "path": str(RECORDED / "jdk25-serial.log")},
        {"broker": 1, "path": str(RECORDED / "jdk25-g1.log")},
    ]
    [client] = observe(client_gc_log, *logs).rows()
    assert (client["client"], client["longest"], client["forced"]) == ("billing", 57.923, 4)
    assert observe(jvm_gc_log, *logs).columns["broker"] == [1]


def test_a_clients_log_that_is_not_there_is_a_gap_that_names_the_client(tmp_path: Path):
    fact = observe(client_gc_log, {"client": "billing", "path": str(tmp_path / "gc.log")})
    assert len(fact) == 0
    [gap] = fact.gaps
    assert gap.reason.startswith("the GC log of client billing: ")
