from typing import Any

from support.connect_servers import Played


def test_a_sink_that_does_all_that_is_asked_of_one():
    row = Played("healthy").rows("connect_connector", "connector")["shipments-archive"]
    assert (row["type"], row["state"], row["tasks"], row["running"]) == ("sink", "RUNNING", 1, 1)
    assert row["plugin"] == "org.apache.kafka.connect.file.FileStreamSinkConnector"
    assert (row["topics"], row["group"], row["version"]) == (["shipments"], "connect-shipments-archive", "4.3.0")
    errors = ("tolerance", "dlq_topic", "dlq_replication_factor", "dlq_headers", "log_errors", "log_messages")
    assert [row[name] for name in errors] == ["all", "shipments.dlq", 3, True, True, False]
    assert (row["retry_ms"], row["retry_delay_ms"], row["plain_secrets"]) == (60_000, 60_000, [])


def test_a_source_has_no_group_and_no_topics():
    row = Played("healthy").rows("connect_connector", "connector")["shipments-intake"]
    assert (row["type"], row["group"], row["topics"], row["tolerance"]) == ("source", "", [], "none")


def test_a_connector_that_runs_while_its_task_has_failed_shows_both():
    row = Played("broken").rows("connect_connector", "connector")["refunds-archive"]
    assert (row["state"], row["running"], row["failed"], row["trace"]) == ("RUNNING", 0, 1, "")


def test_a_credential_is_named_and_not_shown():
    fact = Played("broken").observe("connect_connector")
    rows = {row["connector"]: row for row in fact.rows()}
    assert rows["parcels-archive"]["plain_secrets"] == ["connection.password"]
    assert "made-up" not in repr(fact)


def test_a_sink_that_reads_by_pattern_does_not_say_which_topics():
    played = Played("healthy")

    def by_pattern(connectors: dict[str, Any]) -> None:
        settings = connectors["shipments-archive"]["info"]["config"]
        settings["topics.regex"] = "ship.*"
        del settings["topics"]

    played.change(by_pattern)
    assert played.rows("connect_connector", "connector")["shipments-archive"]["topics"] is None


def configured(**settings: str) -> dict[str, Any]:
    """The row of a sink that has these settings alone."""
    played = Played("healthy")
    played.change(lambda connectors: connectors["shipments-archive"]["info"].update(config=settings))
    return played.rows("connect_connector", "connector")["shipments-archive"]


def test_errors_are_handled_by_connects_defaults_where_nothing_is_said():
    row = configured()
    assert (row["tolerance"], row["dlq_topic"], row["dlq_replication_factor"], row["dlq_headers"]) == ("none", "", 3, 0)
    assert (row["log_errors"], row["log_messages"], row["retry_ms"], row["retry_delay_ms"]) == (0, 0, 0, 60_000)
    assert (row["tasks_max"], row["key_converter"], row["value_converter"]) == (1, "", "")


def test_what_only_the_worker_can_look_up_and_what_is_no_number_is_not_known():
    row = configured(
        **{"errors.tolerance": "${env:TOLERANCE}", "key.converter": "${env:X}", "errors.retry.timeout": "soon"}
    )
    assert (row["tolerance"], row["key_converter"], row["retry_ms"]) == (None, None, None)


def test_a_converter_with_a_credential_in_it_is_hidden_and_not_taken_for_none():
    row = configured(**{"key.converter": "https://user:made-up-secret@registry:8081"})
    assert row["plain_secrets"] == ["key.converter"]
    assert row["key_converter"] not in ("", None)
    assert "made-up" not in repr(row)


def test_a_cluster_without_connectors_is_seen_to_have_none():
    played = Played("healthy")
    for answers in played.answers.values():
        answers["/connectors"] = "[]"
        answers["/connectors?expand=info&expand=status"] = "{}"
    fact = played.observe("connect_connector")
    assert (len(fact), fact.complete) == (0, True)
