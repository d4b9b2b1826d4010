from support.connect_servers import Played


def test_each_task_says_where_it_runs():
    rows = Played("healthy").rows("connect_task", "connector")
    assert {(row["state"], row["worker_answers"], row["trace"]) for row in rows.values()} == {("RUNNING", True, "")}


def test_a_task_that_failed_says_why():
    row = Played("broken").rows("connect_task", "connector")["refunds-archive"]
    assert (row["task"], row["state"]) == (0, "FAILED")
    assert "Tolerance exceeded in error handler" in row["trace"]


def test_a_task_runs_on_as_far_as_its_status_goes_when_its_worker_was_killed():
    rows = Played("worker_stopped").rows("connect_task", "connector")
    assert (rows["shipments-intake"]["state"], rows["shipments-intake"]["worker_answers"]) == ("RUNNING", False)
    assert rows["shipments-archive"]["worker_answers"] is True


def test_whether_a_worker_answers_that_nobody_named_is_not_known():
    played = Played("healthy")
    played.ids["connect-2"] = "elsewhere:8083"
    rows = played.rows("connect_task", "connector")
    assert {row["worker_answers"] for row in rows.values()} == {True, None}
