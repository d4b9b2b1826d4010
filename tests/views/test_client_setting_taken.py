from collections.abc import Sequence

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.safety.secret import HIDDEN
from runbook.views.client_setting_taken import VIEW, compute

Given = Sequence[tuple[str, str | None]]
JAVA: Given = [("key.deserializer", "a.B"), ("value.deserializer", "a.B")]


def of(
    settings: Given,
    kind: str = "consumer",
    file: str = "/opt/a.properties",
    releases: Sequence[str] = (),
    *,
    spring: bool = False,
) -> tuple[dict[str, str | None], list[str]]:
    columns = {
        "client": ["a"] * len(settings),
        "kind": [kind] * len(settings),
        "setting": [name for name, _ in settings],
        "value": [value for _, value in settings],
        "file": [file] * len(settings),
        "line": list(range(1, len(settings) + 1)),
        "spring": [spring] * len(settings),
    }
    config = Fact("client_config", columns)
    fact = tabulate("client_setting_taken", VIEW.columns, compute(config=config, releases=releases))
    return {row["setting"]: row["refused"] for row in fact.rows()}, [gap.reason for gap in fact.gaps]


def test_what_every_release_refuses_is_said_in_kafkas_words():
    rows, gaps = of([*JAVA, ("isolation.level", "READ_COMMITTED"), ("enable.auto.commit", "no"), ("group.id", "a")])
    said = "Invalid value READ_COMMITTED for configuration isolation.level: String must be one of: "
    assert rows["isolation.level"] is not None
    assert rows["isolation.level"].startswith(said)
    assert rows["enable.auto.commit"] == (
        "Invalid value no for configuration enable.auto.commit: Expected value to be either true or false"
    )
    assert (rows["group.id"], gaps) == ("", [])


def test_where_releases_disagree_it_is_said_which_and_a_named_one_decides():
    given = [*JAVA, ("group.protocol", "consumer"), ("session.timeout.ms", "45000")]
    rows, [gap] = of(given)
    assert "session.timeout.ms" not in rows
    assert gap == (
        "client a: session.timeout.ms, line 4: refused by Kafka 4.0.0 to 4.3.0 alone: "
        "session.timeout.ms cannot be set when group.protocol=CONSUMER"
    )
    assert of(given, releases=["4.2.1"])[0]["session.timeout.ms"] == (
        "session.timeout.ms cannot be set when group.protocol=CONSUMER"
    )
    assert of(given, releases=["3.9.2"])[0]["session.timeout.ms"] == ""
    assert of(given, releases=["5.0.0"]) == ({}, ["client a: what Kafka 5.0.0 takes is not known here"])


def test_a_client_that_may_be_of_librdkafka_is_not_called_refused():
    rows, [gap] = of([("auto.offset.reset", "smallest"), ("group.id", "a")])
    assert (rows, gap.startswith("client a: not known to be one of Kafka's Java clients, which would refuse it")) == (
        {},
        True,
    )
    assert of([("auto.offset.reset", "latest")]) == ({"auto.offset.reset": ""}, [])


def test_a_variable_and_a_hidden_value_stay_unknown_where_they_could_be_refused():
    rows, _ = of([*JAVA, ("max.poll.records", None), ("bootstrap.servers", None), ("ssl.key.password", HIDDEN)])
    assert (rows["max.poll.records"], rows["bootstrap.servers"], rows["ssl.key.password"]) == (None, "", "")


def test_on_a_host_only_a_refusal_is_certain():
    assert of(JAVA, file="app-1:/opt/a.properties")[1] == [
        "client a: on hosts only settings of a list are read: what others are given is not seen",
    ]
    assert of([*JAVA, ("acks", "all"), ("max.poll.records", "0")], file="app-1:/opt/a.properties")[0][
        "max.poll.records"
    ]


def test_of_connect_workers_are_judged_and_connectors_and_streams_are_not():
    worker = [("offset.storage.topic", "o"), ("offset.flush.interval.ms", "10s")]
    assert of(worker, "connect")[0]["offset.flush.interval.ms"] == (
        "Invalid value 10s for configuration offset.flush.interval.ms: Not a number of type LONG"
    )
    assert of([("offset.storage.file.filename", "/x"), ("rest.port", "a")], "connect")[0]["rest.port"] == ""
    assert of([("connector.class", "a.B"), ("offset.flush.interval.ms", "10s")], "connect") == ({}, [])
    assert of([("application.id", "a"), ("num.stream.threads", "x")], "streams") == ({}, [])


def test_spring_boots_clients_are_javas_without_any_telltale():
    assert of([("auto.offset.reset", "smallest")])[0] == {}
    assert of([("auto.offset.reset", "smallest")], spring=True)[0]["auto.offset.reset"].startswith("Invalid value")


@pytest.mark.parametrize(
    ("name", "value"), [("acks", "1"), ("retries", "0"), ("max.in.flight.requests.per.connection", "6")]
)
def test_what_librdkafka_refuses_too_is_refused_whichever_library_it_is(name: str, value: str):
    rows, gaps = of([("enable.idempotence", "true"), (name, value)], "producer")
    assert (list(rows), gaps) == ([name], [])
    assert "(librdkafka refuses it, too)" in str(rows[name])
    rows, [gap] = of([("enable.idempotence", "true"), (name, value), ("metadata.max.age.ms", "1m")], "producer")
    assert list(rows) == [name]
    assert "1m" in gap
    assert of([("enable.idempotence", "false"), (name, value)], "producer")[1] == []


def within(framework: str, *settings: tuple[str, str, str]) -> dict[str, str | None]:
    every = [(framework, "offset.storage.topic" if framework == "connect" else "application.id", "o"), *settings]
    columns = {
        "client": ["a"] * len(every),
        "kind": [kind for kind, _, _ in every],
        "setting": [name for _, name, _ in every],
        "value": [value for _, _, value in every],
        "file": ["a"] * len(every),
        "line": list(range(len(every))),
        "spring": [False] * len(every),
    }
    fact = tabulate("client_setting_taken", VIEW.columns, compute(config=Fact("client_config", columns)))
    return {row["setting"]: row["refused"] for row in fact.rows() if row["kind"] != framework}


def test_clients_within_connect_are_judged_with_what_connect_gives_them():
    rows = within(
        "connect",
        ("producer", "acks", "0"),
        ("producer", "max.in.flight.requests.per.connection", "6"),
        ("consumer", "max.poll.records", "5x"),
        ("consumer", "enable.auto.commit", "true"),
    )
    assert {name for name, refused in rows.items() if refused} == {"max.poll.records"}
    rows = within("connect", ("producer", "enable.idempotence", "true"), ("producer", "acks", "0"))
    assert rows["acks"] == (
        "Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence."
    )


def test_clients_within_streams_are_judged_with_what_streams_gives_them():
    rows = within("streams", ("consumer", "max.poll.interval.ms", "5m"), ("consumer", "enable.auto.commit", "true"))
    assert {name for name, refused in rows.items() if refused} == {"max.poll.interval.ms"}
    exactly = ("streams", "processing.guarantee", "exactly_once_v2")
    assert within("streams", exactly, ("producer", "retries", "0"))["retries"]
