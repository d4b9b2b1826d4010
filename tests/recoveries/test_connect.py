from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind
from runbook.recoveries import connect_worker_reachable, connector_running, poison_records_absent
from support.kafka_facts import fact, situation


def connectors() -> Fact:
    cells = {"type": "sink", "state": "RUNNING", "tasks": 2, "running": 1, "failed": 1, "trace": "", "dlq_topic": "d"}
    return fact(
        "connect_connector",
        [{"connector": "c", "group": "own", **cells}, {"connector": "e", "group": "connect-e", **cells}],
    )


def errors(letters: float | None = 3.0) -> Fact:
    cells: dict[str, Any] = {"application": "w", "task": "0", "errors": 3.0, "skipped": 3.0, "lost_letters": 0.0}
    cells |= {"letters": letters, "last_error": "2026-11-24T00:00:00Z"}
    return fact("connect_task_error", [{"connector": name, **cells} for name in ("c", "e")])


def test_a_worker_that_is_back_answers_and_who_runs_what_is_divided_anew() -> None:
    cells = {"connectors": 1, "tasks": 2, "version": "4.3.0", "kafka_cluster_id": "k"}
    seen = fact(
        "connect_worker",
        [
            {"worker": "a", "id": "a:1", "answers": True, **cells},
            {"worker": "b", "id": "b:1", "answers": False, "connectors": 0, "tasks": 0},
        ],
        Gap("refused", {"server": "b"}),
    )
    made = connect_worker_reachable.RECOVERY.sets["connect_worker"](seen, situation({"workers": ["b"]}))
    assert (made.columns["answers"], made.columns["version"]) == ([True, True], ["4.3.0", None])
    assert (made.columns["connectors"], made.columns["tasks"], made.gaps) == ([None, None], [None, None], [])

    tasks = fact(
        "connect_task",
        [{"connector": "c", "task": n, "worker": f"{w}:1", "worker_answers": False} for n, w in enumerate("bc")],
        Gap("refused", {"server": "b"}),
    )
    made = connect_worker_reachable.RECOVERY.sets["connect_task"](tasks, situation({"workers": ["b"]}, seen))
    assert made.columns["worker_answers"] == [True, False]
    assert made.gaps[0].withheld


REFUSED = Gap("in vain", kind=GapKind.REFUSED, connection="connect")


def test_what_any_worker_tells_was_hidden_only_if_none_of_them_answered() -> None:
    seen = fact("connect_worker", [{"worker": name, "id": f"{name}:1", "answers": False} for name in "ab"])
    flow = fact("mirror_connector", [], REFUSED, Gap("mm2.properties: no such file", connection="files"))
    made = connect_worker_reachable.RECOVERY.sets["mirror_connector"]
    hidden = [gap.withheld for gap in made(flow, situation({"workers": ["a", "b"]}, seen)).gaps]
    assert hidden == [True, False]
    assert made(flow, situation({"workers": ["a"]}, seen)).gaps == flow.gaps


def test_tasks_of_a_connector_that_runs_are_counted_and_another_stays_as_it_is() -> None:
    given = situation({"connectors": ["c"]}, connectors())
    made = connector_running.RECOVERY.sets["connect_connector"](connectors(), given)
    assert (made.columns["running"], made.columns["failed"]) == ([2, 1], [0, 1])
    tasks = fact("connect_task", [{"connector": c, "task": 0, "state": "FAILED", "trace": "t"} for c in "ce"])
    made = connector_running.RECOVERY.sets["connect_task"](tasks, given)
    assert (made.columns["state"], made.columns["trace"]) == (["RUNNING", "FAILED"], ["", "t"])
    assert connector_running.RECOVERY.sets["connect_task_error"](errors(), given).columns["errors"] == [None, 3.0]


def test_into_how_many_tasks_the_work_of_a_connector_without_any_is_divided_is_not_known() -> None:
    seen = fact("connect_connector", [{"connector": "c", "state": "FAILED", "tasks": 0, "running": 0}])
    made = connector_running.RECOVERY.sets["connect_connector"](seen, situation({"connectors": ["c"]}))
    assert (made.columns["state"], made.columns["running"]) == (["RUNNING"], [None])


def test_how_far_the_group_of_its_sink_reads_then_is_not_known() -> None:
    names = ("own", "connect-c", "connect-e")
    groups = fact("kafka_group_offset", [{"group": name, "lag": 9, "late": True} for name in names])
    given = situation({"connectors": ["c"]}, connectors())
    made = connector_running.RECOVERY.sets["kafka_group_offset"](groups, given)
    assert made.columns["late"] == [None, None, True]


def test_without_the_records_that_it_could_not_read_a_task_has_met_nothing() -> None:
    made = poison_records_absent.RECOVERY.sets["connect_task_error"](errors(), situation({"connectors": ["c"]}))
    assert (made.columns["skipped"], made.columns["last_error"][0]) == ([0.0, 3.0], "1970-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("letters", "records", "left"),
    [(3.0, [2, 1], [0, 0]), (3.0, [2, 2], [None, None]), (None, [2, 1], [None, None]), (3.0, [None, 1], [None, None])],
)
def test_a_topic_is_empty_only_if_all_that_it_holds_are_letters_of_theirs(
    letters: float | None, records: list[int | None], left: list[int | None]
) -> None:
    seen = fact("kafka_partition_offset", [{"topic": t, "records": n} for t, n in zip("dd", records, strict=True)])
    given = situation({"connectors": ["c"]}, connectors(), errors(letters))
    assert poison_records_absent.RECOVERY.sets["kafka_partition_offset"](seen, given).columns["records"] == left


def test_a_topic_of_another_connector_keeps_its_letters() -> None:
    seen = fact("kafka_partition_offset", [{"topic": "other", "records": 1}])
    given = situation({"connectors": ["c"]}, connectors(), errors())
    assert poison_records_absent.RECOVERY.sets["kafka_partition_offset"](seen, given).columns["records"] == [1]
