from typing import Any

from support.metrics_played import Played

BEAN = "kafka.connect:type=task-error-metrics,connector=*,task=*"


def test_each_worker_tells_of_the_tasks_that_it_runs():
    fact = Played("workers").observe("connect_task_error")
    assert fact.complete
    tasks = {(row["connector"], row["task"]) for row in fact.rows()}
    assert tasks == {
        ("mirror-source", "0"),
        ("mirror-source", "1"),
        ("mirror-checkpoint", "0"),
        ("mirror-heartbeat", "0"),
    }
    assert set(fact.columns["skipped"]) == {0.0}
    assert set(fact.columns["last_error"]) == {"1970-01-01T00:00:00+00:00"}


def test_what_a_task_met_is_counted():
    played = Played("workers")
    counters: dict[str, Any] = {
        "total-record-errors": 13.0,
        "total-record-failures": 12.0,
        "total-records-skipped": 12.0,
    }
    counters |= {
        "deadletterqueue-produce-requests": 12.0,
        "deadletterqueue-produce-failures": 1.0,
        "total-retries": 1.0,
    }
    counters |= {"total-errors-logged": 12.0, "last-error-timestamp": 1_795_316_645_000}
    name = 'kafka.connect:connector="a,b",task=0,type=task-error-metrics'
    played.change(BEAN, {"status": 200, "value": {name: counters}})
    assert played.row("connect_task_error", application="connect-1") == {
        "application": "connect-1",
        "connector": "a,b",
        "task": "0",
        "errors": 13.0,
        "failures": 12.0,
        "skipped": 12.0,
        "retries": 1.0,
        "logged": 12.0,
        "letters": 12.0,
        "lost_letters": 1.0,
        "last_error": "2026-11-22T03:04:05+00:00",
    }


def test_a_worker_that_does_not_answer_is_a_gap():
    played = Played("workers")
    played.silent.add(next(iter(played.recording["answers"])))
    fact = played.observe("connect_task_error")
    assert len(fact.gaps) == 1
    assert len(set(fact.columns["application"])) == 1


def test_where_no_worker_is_among_the_applications_the_question_has_no_meaning():
    assert "runs tasks of Kafka Connect" in Played("jolokia").observe("connect_task_error").inapplicable
