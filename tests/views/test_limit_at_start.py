from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.limit_at_start import VIEW, compute

FILES = [
    ("a", "limits.conf", "*", "session", 4096, 4096),
    ("a", "kafka.conf", "kafka", "session", 1024, None),
    ("a", "more.conf", "kafka", "session", None, 100000),
    ("a", "kafka.service", "kafka.service", "service", 65536, 65536),
    ("a", "system.conf", "*", "service", 1024, 524288),
    ("b", "kafka.conf", "kafka", "session", 7, 7),
]
NAMES = ("host", "file", "who", "kind", "soft", "hard")


def limit(user: str | None, service: str | None, host: str = "a") -> tuple[Any, Any, Any]:
    process = Fact(
        "host_process",
        {"host": [host], "pid": [1], "kind": ["broker"], "broker": [1], "user": [user], "service": [service]},
    )
    files = Fact("host_limit_file", {name: [file[i] for file in FILES] for i, name in enumerate(NAMES)})
    [row] = tabulate("limit_at_start", VIEW.columns, compute(process=process, limit_file=files)).rows()
    return row["source"], row["soft"], row["hard"]


def test_a_service_gets_the_limit_of_its_unit():
    assert limit("kafka", "kafka.service") == ("kafka.service", 65536, 65536)


def test_a_service_without_a_limit_of_its_own_gets_the_default_of_systemd():
    assert limit("kafka", "broker.service") == ("system.conf", 1024, 524288)


def test_what_a_user_started_gets_the_last_limit_set_for_that_user():
    assert limit("kafka", "") == ("kafka.conf", 1024, 100000)


def test_another_user_gets_the_limit_of_everybody():
    assert limit("confluent", "") == ("limits.conf", 4096, 4096)


def test_no_file_at_all_sets_nothing():
    assert limit("root", "", "c") == ("", 0, 0)


def test_a_container_or_an_unknown_user_is_unknown():
    assert limit("kafka", None) == (None, None, None)
    assert limit(None, "") == (None, None, None)


def test_only_brokers_make_rows():
    process = Fact("host_process", {name: ["other"] for name in ("host", "pid", "kind", "broker", "user", "service")})
    assert compute(process=process, limit_file=Fact("host_limit_file", {name: [] for name in NAMES})).rows == []


def test_what_login_sessions_of_its_user_get_is_told_beside_whoever_decides():
    def sessions(user: str | None) -> Any:
        columns = {"host": ["a"], "pid": [1], "kind": ["broker"], "broker": [1], "user": [user], "service": ["x"]}
        files = Fact("host_limit_file", {name: [file[i] for file in FILES] for i, name in enumerate(NAMES)})
        made = tabulate(
            "limit_at_start", VIEW.columns, compute(process=Fact("host_process", columns), limit_file=files)
        )
        return made.columns["for_sessions"][0]

    assert [sessions(user) for user in ("kafka", "confluent", None)] == [1024, 4096, None]
