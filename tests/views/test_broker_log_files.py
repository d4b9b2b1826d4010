from runbook.model.fact import Fact, tabulate
from runbook.views import broker_log_files


def look(*rows: tuple[str, int, str, float]) -> Fact:
    names = ("host", "broker", "path", "age_days")
    files = Fact("host_log_file", {name: [row[place] for row in rows] for place, name in enumerate(names)})
    return tabulate("broker_log_files", broker_log_files.VIEW.columns, broker_log_files.compute(file=files))


def test_the_files_of_a_broker_are_one_row_with_the_age_of_the_youngest():
    fact = look(
        ("a", 1, "/var/log/kafka/server.log", 2.0),
        ("a", 1, "/var/log/kafka/controller.log", 0.5),
        ("b", 2, "/var/log/kafka/server.log", 9.0),
    )
    assert list(fact.rows()) == [
        {"broker": 1, "host": "a", "names": ["controller.log", "server.log"], "quiet_days": 0.5},
        {"broker": 2, "host": "b", "names": ["server.log"], "quiet_days": 9.0},
    ]


def test_without_files_there_is_no_row():
    assert len(look()) == 0
