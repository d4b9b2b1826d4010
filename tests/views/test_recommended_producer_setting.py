"""The formulas for linger.ms, batch.size and compression.type, on what Kafka 4.3 showed and on what follows from it."""

import pytest

from runbook.views.recommended_producer_setting import RecommendedProducerSetting, compute
from support.kafka_facts import fact

NAME = {"application": "clicks", "client": "clicking"}
SEEN: dict[str, float | None] = {"sent": 10.0, "record_size": 286.0, "queue_time": 1001.78}
"""As the lab's producer on Kafka 4.3 showed itself: ten records of about 200 bytes a second, linger.ms=1000, gzip."""
BATCHES: dict[str, float | None] = {"batch_size": 1575.5, "compression_ratio": 0.65, "latency": 90.8}


def of(
    setting: str,
    objective: str = "throughput",
    said: dict[str, str | None] | None = None,
    *,
    delay: int = 100,
    writes: tuple[str, ...] = (),
    largest: int | None = 1048588,
    **seen: float | None,
) -> RecommendedProducerSetting:
    here = {**SEEN, **BATCHES, **seen}
    files = {"linger.ms": "1000", **(said or {})}
    observed = compute(
        send=fact("client_send", [{**NAME, **{name: here[name] for name in SEEN}}]),
        producer=fact("client_producer", [{**NAME, **{name: here[name] for name in BATCHES}}]),
        config=fact(
            "client_config",
            [
                {"client": "clicks", "kind": "producer", "setting": name, "value": value, "file": "f", "line": 7}
                for name, value in files.items()
            ],
        ),
        topic=fact("kafka_topic", [{"name": "clicks", "partitions": 3, "max_message_bytes": largest}]),
        delay=delay,
        writes=writes,
        libraries=["clicks=java-4.3"],
    )
    [row] = [row for row in observed.rows if (row.setting, row.objective) == (setting, objective)]  # type: ignore[attr-defined]
    assert isinstance(row, RecommendedProducerSetting)
    return row


def test_what_it_recommends_fills_batches_as_kafkas_perf_test_shows() -> None:
    """kafka-producer-perf-test on Kafka 4.3, 3000 records/s of 200 bytes: linger.ms=0 made 3999 requests.

    With the 36 ms that follow from that run, the next one had 649, with batches of 15594 of 16384 bytes.
    """
    measured = {"sent": 3000.0, "record_size": 286.0, "queue_time": 6.322, "compression_ratio": 1.0, "latency": 24.485}
    row = of("linger.ms", said={"linger.ms": "0"}, batch_size=3163.18, **measured)
    assert (row.in_force, row.recommended) == ("0", "36")
    assert "batches hold about 16,384 bytes" in row.trade


def test_records_that_join_a_batch_are_what_was_sent_while_it_waited() -> None:
    """Ten a second for a second make ten after the first: the lab's batches say so within two in a hundred."""
    assert "10.1 join a batch in 1,002 ms" in of("linger.ms").inputs


def test_linger_is_the_time_in_which_a_batch_fills_up_to_what_may_be_waited() -> None:
    row = of("linger.ms", said={"linger.ms": "5", "batch.size": "1800"}, sent=1000.0, queue_time=10.0, delay=900)
    assert (row.in_force, row.recommended, row.change, row.place) == ("5", "13", True, "f:7")
    assert of("linger.ms", delay=500).recommended == "500"
    assert "wait up to 500 ms (now 1000)" in of("linger.ms", delay=500).trade


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ({"linger.ms": "60"}, {"batch_size": 16000.0}),  # full
        ({"linger.ms": "13", "batch.size": "1800"}, {"queue_time": 10.0}),  # what the formula gives
        ({"linger.ms": "80"}, {"queue_time": 5000.0}),  # nothing joins in 100 ms
    ],
)
def test_linger_is_left_where_it_is_right(said: dict[str, str | None], seen: dict[str, float]) -> None:
    row = of("linger.ms", said=said, **seen)
    assert (row.change, row.recommended, row.trade) == (False, said["linger.ms"], "")


def test_of_batches_of_one_record_partitions_tell_how_many_join() -> None:
    alone: dict[str, float] = {"batch_size": 197.5, "queue_time": 0.3, "sent": 3000.0}
    assert of("linger.ms", **alone).lacking.endswith("declare the topics that it writes (`writes`)")
    row = of("linger.ms", writes=("clicks=c*",), said={"linger.ms": "0"}, **alone)
    assert (row.recommended, row.change) == ("100", True)
    assert "3,000 records/s over 3 partitions" in row.inputs


def test_latency_asks_for_no_wait_where_nothing_joins_and_for_at_most_five_ms() -> None:
    assert of("linger.ms", "latency").recommended == "0"
    assert of("linger.ms", "latency", queue_time=10.0).recommended == "5"
    assert of("linger.ms", "latency", queue_time=10.0, said={"linger.ms": "3"}).change is False
    assert of("linger.ms", "latency", batch_size=197.5, said={"linger.ms": "0"}).change is False  # 10 records/s in all


def test_a_full_batch_grows_by_what_arrives_and_no_further_than_brokers_take() -> None:
    full = {"batch_size": 16300.0, "queue_time": 10.0, "latency": 30.0}
    said: dict[str, str | None] = {"linger.ms": "5"}
    row = of("batch.size", said=said, **full)
    assert (row.in_force, row.place, row.recommended) == ("16384", "default of java 4.3", "65536")
    bounded = of("batch.size", said=said, largest=40000, **full)
    assert (bounded.recommended, bounded.warning) == ("40000", "not larger: max.message.bytes=40000 bounds it")
    small = of("batch.size", said={**said, "buffer.memory": "100000"}, writes=("clicks=clicks",), **full)
    assert small.warning == "buffer.memory=100000 has no room for 3 batches of 65536 bytes: raise it first"
    assert of("batch.size").change is False


def test_compression_that_is_off_is_tried_for_throughput_and_one_that_saves_little_ends() -> None:
    assert of("compression.type", compression_ratio=1.0).recommended == "lz4"
    assert of("compression.type", "latency", compression_ratio=1.0).change is False
    row = of("compression.type", said={"compression.type": "gzip"}, compression_ratio=0.98)
    assert (row.recommended, row.trade) == ("none", "up to 2% more bytes; saves CPU time of producers and consumers")
    assert of("compression.type", said={"compression.type": "gzip"}).change is False


@pytest.mark.parametrize("column", [*SEEN, *BATCHES])
@pytest.mark.parametrize("setting", ["linger.ms", "batch.size", "compression.type"])
@pytest.mark.parametrize("objective", ["throughput", "latency"])
def test_what_is_not_known_changes_no_recommendation(column: str, setting: str, objective: str) -> None:
    known, row = of(setting, objective), of(setting, objective, **{column: None})
    assert row.recommended in (known.recommended, None)
    assert row.change is not None or row.lacking


def test_what_is_in_force_is_named_where_it_is_not_known() -> None:
    assert of("linger.ms", said={"linger.ms": None}).lacking == "the value in force: f:7 leaves it to a variable"
