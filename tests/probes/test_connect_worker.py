import pytest

from runbook.answers.connect import CONNECTORS, WORKER
from support.connect_servers import Played


def test_every_worker_says_what_it_is_and_runs():
    rows = Played("healthy").rows("connect_worker", "worker")
    assert sorted(rows) == ["connect-1", "connect-2"]
    assert {(row["answers"], row["version"], row["connectors"], row["tasks"]) for row in rows.values()} == {
        (True, "4.3.0", 1, 1)
    }
    assert len({row["kafka_cluster_id"] for row in rows.values()}) == 1


def test_one_that_does_not_answer_has_a_row_and_a_gap():
    fact = Played("worker_stopped").observe("connect_worker")
    [gap] = fact.gaps
    assert gap.keys == {"server": "connect-2"}
    [row] = [row for row in fact.rows() if not row["answers"]]
    assert (row["worker"], row["version"], row["tasks"]) == ("connect-2", None, 2)  # which the cluster believes


def test_what_workers_run_is_unknown_where_nobody_tells():
    played = Played("healthy")
    for answers in played.answers.values():
        answers[CONNECTORS] = 409
    fact = played.observe("connect_worker")
    assert {(row["answers"], row["tasks"]) for row in fact.rows()} == {(True, None)}
    assert "what workers run is not known" in fact.gaps[0].reason


@pytest.mark.parametrize("unnamed", [["connect-2"], ["connect-1", "connect-2"]])
def test_what_workers_run_is_unknown_where_some_runs_on_one_that_the_inventory_does_not_name(unnamed: list[str]):
    played = Played("healthy")  # as behind a load balancer, or where workers advertise the addresses of their pods
    played.ids |= dict.fromkeys(unnamed, "connect.example:8083")
    fact = played.observe("connect_worker")
    assert {(row["answers"], row["connectors"], row["tasks"]) for row in fact.rows()} == {(True, None, None)}


def test_another_server_is_no_worker():
    played = Played("healthy")
    played.answers["connect-1"][WORKER] = '{"name": "something else"}'
    fact = played.observe("connect_worker")
    assert [row["answers"] for row in fact.rows()] == [False, True]
    assert "did not answer as Connect does" in fact.gaps[0].reason
