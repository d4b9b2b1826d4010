from runbook.model.fact import tabulate
from runbook.views.broker_setting_taken import VIEW, compute
from support.broker_settings import KRAFT, broker_settings, kafka_release

ZOOKEEPER = {"broker.id": "0", "zookeeper.connect": "zk:2181"}


def of(given: dict[str, str | None], release: str | None) -> tuple[list[list[str]], list[str]]:
    found = compute(setting=broker_settings(given), release=kafka_release(release))
    fact = tabulate("broker_setting_taken", VIEW.columns, found)
    return [row["refused"] for row in fact.rows()], [gap.reason for gap in fact.gaps]


def test_what_the_release_refuses_is_said_with_its_line_in_kafkas_words():
    assert of(KRAFT, "4.3.0") == ([[]], [])
    assert of({**KRAFT, "min.insync.replicas": "0", "log.retention.hours": "7d"}, "4.2.1") == (
        [
            [
                "line 6: Invalid value 7d for configuration log.retention.hours: Not a number of type INT",
                "line 5: Invalid value 0 for configuration min.insync.replicas: Value must be at least 1",
            ]
        ],
        [],
    )


def test_what_is_missing_has_no_line():
    assert of(ZOOKEEPER, "4.3.0") == (
        [
            [
                'Missing required configuration "controller.listener.names" which has no default value.',
                'Missing required configuration "process.roles" which has no default value.',
            ]
        ],
        [],
    )
    assert of(ZOOKEEPER, "3.9.1") == ([[]], [])


def test_without_a_release_that_is_known_what_all_refuse_is_certain_and_the_rest_is_said():
    rows, gaps = of(ZOOKEEPER, None)
    assert rows == []
    assert "refused by Kafka 4.0.0 to 4.3.0 alone: Missing required configuration" in gaps[1]
    assert of({**KRAFT, "num.io.threads": "x"}, None)[0] == [
        ["line 5: Invalid value x for configuration num.io.threads: Not a number of type INT"]
    ]
    assert of(KRAFT, "9.0.0") == ([], ["/etc/kafka/server.properties of k1: what Kafka 9.0.0 takes is not known here"])


def test_a_reference_leaves_it_open():
    said = "/etc/kafka/server.properties of k1: num.io.threads: left to a reference or to further lines"
    assert of({**KRAFT, "num.io.threads": None}, "4.3.0") == ([], [said])
    assert of({**KRAFT, "num.io.threads": "${env:T}"}, "4.3.0") == ([], [said])
