import pytest

from support.metrics_played import Played

BEAN = "kafka.connect.mirror:type=MirrorSourceConnector,target=*,topic=*,partition=*,*"


def test_where_nothing_is_mirrored_the_question_has_no_meaning():
    assert Played("jolokia").observe("mirror_partition").inapplicable


@pytest.mark.parametrize("more", ["", "source=east,"])  # as Kafka 3 and as Kafka 4.3 name it
def test_a_mirrored_partition_is_told_by_target_and_topic(more: str):
    played = Played("jolokia")
    name = f"kafka.connect.mirror:partition=4,{more}target=west,topic=east.orders,type=MirrorSourceConnector"
    value = {name: {"record-age-ms": 1500.0, "replication-latency-ms": 800.0, "byte-rate": 12.0}}
    played.change(BEAN, {"status": 200, "value": value})
    assert played.row("mirror_partition", application="producer") == {
        "application": "producer",
        "target": "west",
        "topic": "east.orders",
        "partition": "4",
        "record_age_ms": 1500.0,
        "latency_ms": 800.0,
        "byte_rate": 12.0,
    }
