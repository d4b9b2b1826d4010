"""What Connect's workers answer is read as it is, what is no answer is none, and no credential is kept."""

import json
from typing import Any

import pytest

from runbook.answers.connect import CONNECTORS, NAMES, PLUGINS, WORKER
from runbook.connections.connect import READS, connect
from runbook.connections.connect.configuration import plain_secrets, topics
from runbook.model.errors import CannotLook, Misconfigured
from runbook.model.probe import Deadline
from support.connect_servers import Played

PASSWORD = "lab-made-up-password"


def test_each_request_is_made_once_whatever_is_asked():
    played = Played("healthy")
    with played.connection() as connection:
        for _ in range(2):
            connection.workers(), connection.connectors(), connection.plugins()
    paths = [request.path for request in played.asked]
    assert sorted(paths) == sorted([WORKER, PLUGINS] * 2 + [NAMES, CONNECTORS])
    assert {f"{request.method} {{worker}}{request.path}" for request in played.asked} == set(READS)


def test_a_worker_that_fails_at_the_long_answer_is_followed_by_the_next():
    played = Played("healthy")
    played.answers["connect-1"][CONNECTORS] = 500
    with played.connection() as connection:
        found, gaps = connection.connectors()
    assert sorted(found) == ["shipments-archive", "shipments-intake"]
    assert gaps == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (409, "connect-1 .* answered with HTTP 409: it can't answer while something changes"),
        (404, "HTTP 404"),
        (500, "HTTP 500"),
        ("[]", "no JSON of connectors with info and status, as workers do from Kafka 2.3 on"),
        ("<html>", "no JSON"),
        ('{"a": {"info": null}}', "no JSON"),
    ],
)
def test_what_no_worker_tells_is_not_taken_for_nothing(answer: Any, says: str):
    played = Played("healthy")
    for answers in played.answers.values():
        answers[CONNECTORS] = answer
    with played.connection() as connection, pytest.raises(CannotLook, match=says):
        connection.connectors()


def test_a_connector_without_a_status_is_a_gap_not_absent():
    played = Played("healthy")
    played.change(lambda connectors: connectors.pop("shipments-archive"))
    with played.connection() as connection:
        found, [gap] = connection.connectors()
    assert sorted(found) == ["shipments-intake"]
    assert gap.keys == {"connector": "shipments-archive"}
    assert "reports no status of it" in gap.reason


def test_no_message_quotes_an_answer():
    played = Played("healthy")
    for answers in played.answers.values():
        answers[CONNECTORS] = json.dumps({"x": {"config": {"password": PASSWORD}}})
    with played.connection() as connection, pytest.raises(CannotLook) as caught:
        connection.connectors()
    assert PASSWORD not in str(caught.value)


def test_no_credential_is_kept_not_even_in_a_trace():
    played = Played("broken")

    def fail_with_it(connectors: dict[str, Any]) -> None:
        connectors["parcels-archive"]["status"]["tasks"][0]["trace"] = (
            f"java.lang.Error: login with {PASSWORD} refused\n\tat x"
        )

    played.change(fail_with_it)
    assert any(PASSWORD in str(answers) for answers in played.answers.values())
    with played.connection() as connection:
        found, _ = connection.connectors()
    assert found["parcels-archive"].plain_secrets == ("connection.password",)
    assert "login with" in found["parcels-archive"].tasks[0].trace
    assert PASSWORD not in repr(found)


def test_of_a_trace_the_first_line_and_the_class_of_its_last_cause_are_kept():
    with Played("broken").connection() as connection:
        found, _ = connection.connectors()
    trace = found["refunds-archive"].tasks[0].trace
    assert trace.startswith("org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler")
    assert trace.endswith("(cause: com.fasterxml.jackson.core.JsonParseException)")
    assert "refund" not in trace  # which the cause's own words quote from the record


STACK = """org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler
\tat org.apache.kafka.connect.runtime.errors.RetryWithToleranceOperator.execute(RetryWithToleranceOperator.java:179)
\tat org.apache.kafka.connect.runtime.TransformationChain.apply(TransformationChain.java:58)
\tat org.apache.kafka.connect.runtime.WorkerSinkTask.convertAndTransformRecord(WorkerSinkTask.java:585)
Caused by: org.apache.kafka.connect.errors.DataException: Only Struct objects supported for [field insertion]
\tat org.apache.kafka.connect.transforms.util.Requirements.requireStruct(Requirements.java:52)
\tat org.apache.kafka.connect.transforms.InsertField.applyWithSchema(InsertField.java:175)
\tat org.apache.kafka.connect.transforms.InsertField.apply(InsertField.java:146)
\tat org.apache.kafka.connect.runtime.TransformationStage.apply(TransformationStage.java:95)
\tat org.apache.kafka.connect.runtime.TransformationChain.lambda$apply$0(TransformationChain.java:58)
\tat org.apache.kafka.connect.runtime.errors.RetryWithToleranceOperator.execAndRetry(Retry.java:207)
\t... 15 more
"""
"""Of a sink of Connect 4.3, less the lines between."""
OLDER = STACK.replace(
    "TransformationStage.apply(TransformationStage.java:95)", "PredicatedTransformation.apply(P.java:57)"
)


@pytest.mark.parametrize(
    ("trace", "transformation"),
    [
        (STACK, "org.apache.kafka.connect.transforms.InsertField"),
        (OLDER, "org.apache.kafka.connect.transforms.InsertField"),
        (STACK.partition("Caused by")[0], "org.apache.kafka.connect.runtime.TransformationChain"),
        (STACK.replace("Transformation", "Other"), ""),
        ("", ""),
    ],
)
def test_a_task_that_failed_in_a_transformation_names_its_class(trace: str, transformation: str):
    played = Played("broken")

    def fail_so(connectors: dict[str, Any]) -> None:
        connectors["refunds-archive"]["status"]["tasks"][0]["trace"] = trace

    played.change(fail_so)
    with played.connection() as connection:
        found, _ = connection.connectors()
    assert found["refunds-archive"].tasks[0].transformation == transformation


def test_a_connector_that_failed_itself_says_what_its_last_cause_says():
    played = Played("broken")

    def fail_so(connectors: dict[str, Any]) -> None:
        connectors["refunds-archive"]["status"]["connector"]["trace"] = (
            "org.apache.kafka.common.KafkaException: Failed to create new KafkaAdminClient\n\tat x\n"
            "Caused by: org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given\n\tat y\n"
        )

    played.change(fail_so)
    with played.connection() as connection:
        found, _ = connection.connectors()
    assert found["refunds-archive"].trace.endswith("ConfigException: No resolvable bootstrap urls given)")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("connection.password", "s3cr3t-word"),
        ("database.password", "${wrong"),
        ("aws.secret.access.key", "AKIAIOSFODNN7EXAMPLE"),
        ("connection.url", "jdbc:postgresql://db:5432/x?user=a&password=s3cr3t"),
        ("connection.uri", "mongodb://app:s3cr3t@db:27017"),
        ("sasl.jaas.config", 'org.x.PlainLoginModule required username="a" password="s3cr3t";'),
        ("custom.login", 'username="${file:/x:u}" password="s3cr3t"'),
    ],
)
def test_a_credential_in_plain_text_is_named(name: str, value: str):
    assert plain_secrets({name: value}) == (name,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("connection.password", "${file:/etc/connect/secrets.properties:db}"),
        ("connection.password", "${secrets:payments/db:password}"),
        ("connection.url", "jdbc:postgresql://db:5432/x?user=a&password=${env:DB_PASSWORD}"),
        ("sasl.jaas.config", 'org.x.PlainLoginModule required username="a" password="${file:/x:p}";'),
        ("ssl.keystore.location", "/etc/connect/keystore.jks"),
        ("ssl.truststore.password", ""),
        ("token.refresh", "true"),
        ("topics", "orders"),
        ("connection.url", "jdbc:postgresql://db:5432/x"),
    ],
)
def test_a_reference_and_what_is_no_credential_are_not(name: str, value: str):
    assert plain_secrets({name: value}) == ()


def test_topics_by_pattern_are_not_known():
    assert topics({"topics": "a, b,"}) == ("a", "b")
    assert topics({"topics.regex": "a.*"}) is None


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "connect needs `workers`"),
        ({"workers": {}}, "connect needs `workers`"),
        ({"worker": {"a": "h:1"}}, 'no setting "worker": did you mean workers'),
        ({"workers": {"a": {"address": "h:1", "idd": "x"}}}, 'worker a has no setting "idd": did you mean id'),
        ({"workers": {"a": "ftp://h"}}, "workers.a must be an address"),
        ({"workers": {"a": "http://u:p@h"}}, "holds a password in its address"),
        ({"workers": {"a": {"id": "h:1"}}}, "workers.a must be an address"),
    ],
)
def test_settings_that_cant_be_used_are_refused(settings: dict[str, Any], says: str):
    with pytest.raises(Misconfigured, match=says):
        connect(settings, Deadline(1))


def test_a_workers_id_is_where_it_is_reached_unless_another_is_said():
    given = {"a": "https://a.example:8083/", "b": {"address": "http://b.example:80/connect", "id": "10.0.0.7:8083"}}
    connection = connect({"workers": given}, Deadline(1))
    places = [(place.url, place.id) for place in connection.places()]
    connection.close()
    assert places == [("https://a.example:8083", "a.example:8083"), ("http://b.example:80/connect", "10.0.0.7:8083")]


@pytest.mark.parametrize(
    ("versions", "release"),
    [
        (["4.3.0"], (4, 3)),
        (["4.1.1", "3.9.1"], (3, 9)),
        (["7.9.0-ccs"], (3, 9)),
        (["8.0.0-ce"], (4, 0)),
        (["4.4.0-SNAPSHOT"], (4, 4)),
        (["unknown"], None),
    ],
)
def test_the_release_of_a_cluster_is_the_oldest_of_its_workers(versions: list[str], release: tuple[int, int] | None):
    played = Played("healthy")
    for version, answers in zip(versions * 2, played.answers.values(), strict=False):
        answers["/"] = json.dumps({"version": version, "commit": "x", "kafka_cluster_id": "y"})
    with played.connection() as connection:
        assert connection.release() == release
