import pytest

from runbook.model.errors import Misconfigured
from runbook.views.producer_config import ProducerConfig, compute
from support.client_configs import client_config, producer


def config_of(*said: tuple[str, str | None], library: str = "", rates: list[str] | None = None) -> ProducerConfig:
    [row] = compute(config=producer(*said), libraries=[f"billing={library}"] if library else None, rates=rates).rows
    assert isinstance(row, ProducerConfig)
    return row


def test_what_files_say_is_in_force() -> None:
    row = config_of(
        ("acks", "-1"),
        ("enable.idempotence", "true"),
        ("retries", "7"),
        ("max.in.flight.requests.per.connection", "3"),
        ("linger.ms", "20"),
        ("request.timeout.ms", "15000"),
        ("delivery.timeout.ms", "90000"),
        ("batch.size", "65536"),
        ("max.request.size", "2000000"),
        ("buffer.memory", "64000000"),
        ("compression.type", "lz4"),
        ("transactional.id", "billing-1"),
        ("transaction.timeout.ms", "45000"),
    )
    assert (row.acks, row.idempotent, row.why, row.retries, row.in_flight) == ("all", True, "", 7, 3)
    assert (row.linger, row.request_timeout, row.delivery_timeout) == (20, 15000, 90000)
    assert (row.batch_size, row.max_request_size, row.buffer_memory) == (65536, 2000000, 64000000)
    assert (row.compression, row.fixed_id, row.transactional, row.transaction_timeout) == (
        "lz4",
        "billing-1",
        True,
        45000,
    )


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        ("java-4.3.0", ("all", True, "", 5, 1048576, 33554432, "murmur2")),
        ("java-3.5", ("all", True, "", 0, 1048576, 33554432, "murmur2")),  # of the releases beside it
        ("java-3.0.0", ("all", False, "the default of its library", 0, 1048576, 33554432, "murmur2")),
        ("java-3.1", ("all", None, "", 0, 1048576, 33554432, "murmur2")),  # 3.1.0 has a defect, 3.1.1 has not
        ("java-2.8", ("1", False, "the default of its library", 0, 1048576, 33554432, "murmur2")),
        ("java-2.7", ("1", False, "the default of its library", None, None, None, "murmur2")),
        ("java-2.0", ("1", False, "the default of its library", None, None, None, "murmur2")),  # sizes are not known
        ("spring-2.7", ("1", False, "the default of its library", None, 1048576, 33554432, "murmur2")),
        ("spring-2.8", ("all", None, "", None, 1048576, 33554432, "murmur2")),  # its clients may have the defect
        ("java-9.0", ("all", True, "", 5, 1048576, 33554432, "murmur2")),
        ("spring-3.1", ("all", True, "", None, 1048576, 33554432, "murmur2")),
        ("librdkafka-2.3", ("all", False, "the default of its library", 5, 1000000, 1073741824, "crc32")),
        ("librdkafka-0.11", ("1", False, "the default of its library", None, 1000000, 1073741824, "crc32")),
        ("", (None, None, "", None, None, None, None)),
    ],
)
def test_defaults_are_those_of_the_library_and_its_release(library: str, expected: tuple[object, ...]) -> None:
    row = config_of(library=library)
    found = (row.acks, row.idempotent, row.why, row.linger, row.max_request_size, row.buffer_memory, row.hash)
    assert found == expected


@pytest.mark.parametrize(
    ("said", "idempotent", "why"),
    [
        (("acks", "1"), False, "acks=1"),
        (("acks", "0"), False, "acks=0"),
        (("retries", "0"), False, "retries=0"),
        (("max.in.flight.requests.per.connection", "6"), False, "max.in.flight.requests.per.connection=6"),
        (("max.in.flight.requests.per.connection", "5"), True, ""),
        (("acks", None), None, ""),
        (("enable.idempotence", None), None, ""),
        (("enable.idempotence", "false"), False, "enable.idempotence=false"),
    ],
)
def test_what_keeps_a_java_producer_from_being_idempotent(
    said: tuple[str, str | None], why: str, *, idempotent: bool | None
) -> None:
    row = config_of(said, library="java-3.9.1")
    assert (row.idempotent, row.why) == (idempotent, why)


@pytest.mark.parametrize(
    ("said", "library", "resends"),
    [
        ((), "", True),  # as all libraries do
        ((), "java-4.3", True),
        ((), "java-2.0", False),  # retries were 0
        ((), "java-2.4", True),
        ((("acks", "1"),), "", True),
        ((("acks", "0"),), "", False),
        ((("retries", "0"), ("enable.idempotence", "false")), "", False),
        ((("acks", None),), "java-4.3", None),
        ((("retries", None),), "java-4.3", None),
        ((("acks", None), ("retries", "0")), "java-4.3", False),
    ],
)
def test_whether_a_batch_may_be_sent_again(
    said: tuple[tuple[str, str | None], ...], library: str, *, resends: bool | None
) -> None:
    assert config_of(*said, library=library).resends is resends


def test_acks_1_turns_idempotence_off_whatever_the_library() -> None:
    assert config_of(("acks", "1")).idempotent is False


def test_a_transactional_id_turns_librdkafkas_idempotence_on() -> None:
    assert config_of(("transactional.id", "a"), library="librdkafka-2.3").idempotent is True


def test_librdkafkas_zero_is_no_end() -> None:
    assert config_of(("delivery.timeout.ms", "0"), library="librdkafka-2.3").delivery_timeout == 2147483647
    assert config_of(("delivery.timeout.ms", "0"), library="java-4.3").delivery_timeout == 0


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (("partitioner", "murmur2_random"), "murmur2"),
        (("partitioner", "random"), "none"),
        (("partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner"), "none"),
        (("partitioner.class", "org.example.ByCountry"), "ByCountry"),
        (("partitioner.class", None), None),
        (("partitioner.ignore.keys", "true"), "none"),
        (("partitioner.ignore.keys", "false"), "murmur2"),
        (("partitioner.ignore.keys", None), None),
    ],
)
def test_how_keys_become_partitions(said: tuple[str, str | None], found: str | None) -> None:
    assert config_of(said).hash == found


def test_streams_and_connect_give_their_producers_other_defaults() -> None:
    config = client_config(
        ("flow", "streams", "application.id", "flow"),
        ("safe", "streams", "application.id", "safe"),
        ("safe", "streams", "processing.guarantee", "exactly_once_v2"),
        ("open", "streams", "processing.guarantee", None),
        ("worker", "connect", "offset.storage.topic", "offsets"),
        ("worker", "producer", "compression.type", "zstd"),
        ("sink", "connect", "connector.class", "Sink"),
        ("reader", "consumer", "group.id", "a"),
        ("mirror", "mirrormaker", "clusters", "a,b"),
        ("mirror", "producer", "acks", "1"),
    )
    rows = {row.client: row for row in compute(config=config).rows if isinstance(row, ProducerConfig)}
    assert [*rows] == ["flow", "open", "safe", "worker"]
    assert (rows["flow"].linger, rows["flow"].transactional, rows["flow"].kind) == (100, False, "streams")
    safe = rows["safe"]
    assert (safe.idempotent, safe.transactional, safe.transaction_timeout, safe.fixed_id) == (True, True, 10000, "")
    assert (rows["open"].idempotent, rows["open"].transactional) == (None, None)
    worker = rows["worker"]
    assert (worker.acks, worker.idempotent, worker.why, worker.in_flight) == (
        "all",
        False,
        "the default of Connect",
        1,
    )


def test_clients_that_write_out_one_transactional_id_are_twins() -> None:
    config = client_config(
        ("a", "producer", "transactional.id", "writer"),
        ("b", "producer", "transactional.id", "writer"),
        ("c", "producer", "transactional.id", None),
        ("d", "producer", "transactional.id", None),
    )
    rows = [row for row in compute(config=config).rows if isinstance(row, ProducerConfig)]
    assert [(row.fixed_id, row.twins) for row in rows] == [("writer", ["b"]), ("writer", ["a"]), ("", []), ("", [])]


def test_the_buffer_lasts_as_long_as_its_size_over_the_rate() -> None:
    row = config_of(("buffer.memory", "1000"), rates=["shop=5", "billing=250"])
    assert row.buffered_seconds == 4.0
    assert config_of(("buffer.memory", "1000")).buffered_seconds is None
    assert config_of(("buffer.memory", "1000"), rates=["billing=0"]).buffered_seconds is None


@pytest.mark.parametrize(
    ("rate", "said", "seconds"),
    [
        ("2000000/2000", (), 50.0),  # 100000 records
        ("1073741824/10", (), 1.0),  # 1 GiB
        ("2000000", (), None),
        ("1073741824", (("queue.buffering.max.messages", "0"),), 1.0),
        ("2000000/2000", (("queue.buffering.max.messages", None),), None),
        ("2000000/2000", (("queue.buffering.max.messages", "4000"),), 2.0),
    ],
)
def test_a_queue_of_librdkafka_is_full_at_its_records_or_its_bytes(
    rate: str, said: tuple[tuple[str, str | None], ...], seconds: float | None
) -> None:
    assert config_of(*said, library="librdkafka-2.3", rates=[f"billing={rate}"]).buffered_seconds == seconds


def test_a_rate_that_is_no_number_is_a_mistake_of_the_inventory() -> None:
    with pytest.raises(Misconfigured, match="billing=2000000"):
        config_of(rates=["billing=fast"])


@pytest.mark.parametrize("support", ["enabled", None, "disabled"])
def test_a_worker_that_supports_exactly_once_makes_its_sources_idempotent(support: str | None) -> None:
    idempotent = {"enabled": True, None: None, "disabled": False}[support]
    config = client_config(
        ("worker", "connect", "exactly.once.source.support", support), ("worker", "producer", "acks", "all")
    )
    assert [row.idempotent for row in compute(config=config).rows if isinstance(row, ProducerConfig)] == [idempotent]
