import pytest

from runbook.model.errors import Misconfigured
from runbook.views.consumer_config import ConsumerConfig, compute
from support.client_configs import client_config, consumer


def config_of(*said: tuple[str, str | None], libraries: list[str] | None = None) -> ConsumerConfig:
    [row] = compute(config=consumer(*said), libraries=libraries).rows
    assert isinstance(row, ConsumerConfig)
    return row


def test_what_files_say_is_in_force() -> None:
    row = config_of(
        ("session.timeout.ms", "30000"),
        ("heartbeat.interval.ms", "5000"),
        ("max.poll.interval.ms", "60000"),
        ("enable.auto.commit", "False"),
        ("isolation.level", "read_committed"),
        ("auto.offset.reset", "smallest"),
        ("group.instance.id", "billing-0"),
    )
    assert (row.session_timeout, row.session_timeouts) == (30000, [30000])
    assert (row.heartbeat_interval, row.max_poll_interval) == (5000, 60000)
    assert (row.auto_commit, row.isolation_level, row.offset_reset) == (False, "read_committed", "earliest")
    assert (row.instance_id, row.static, row.group) == ("billing-0", True, "billing")
    assert row.said[0] == "auto.offset.reset"


def test_what_libraries_differ_in_is_known_only_of_a_known_one() -> None:
    row = config_of()
    assert (row.library, row.session_timeout, row.session_timeouts) == ("", None, [10000, 45000])
    assert (row.auto_commit, row.isolation_level, row.assignors) == (None, None, None)
    assert (row.heartbeat_interval, row.max_poll_interval, row.offset_reset) == (3000, 300000, "latest")
    assert (row.protocol, row.instance_id, row.static) == ("classic", "", False)


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        ("java-2.8", (10000, True, "read_uncommitted", ["range"])),
        ("java-4.3", (45000, True, "read_uncommitted", ["range", "cooperative-sticky"])),
        ("librdkafka-1.6", (10000, True, "read_committed", ["range", "roundrobin"])),
        ("librdkafka-1.1", (10000, True, "read_uncommitted", ["range", "roundrobin"])),
        ("librdkafka-2.16.0", (45000, True, "read_committed", ["range", "roundrobin"])),
        ("spring-2.2", (10000, True, "read_uncommitted", ["range"])),
        ("spring-3.1", (45000, False, "read_uncommitted", ["range", "cooperative-sticky"])),
        ("java", (None, True, "read_uncommitted", None)),  # of an unknown release
    ],
)
def test_defaults_are_those_of_the_library_and_its_release(
    library: str, expected: tuple[int | None, bool, str, list[str] | None]
) -> None:
    row = config_of(libraries=["shop=java-0.10", f"bill*={library}"])
    assert (row.session_timeout, row.auto_commit, row.isolation_level, row.assignors) == expected
    assert row.library == library.replace("-", " ")


def test_a_setting_that_only_java_knows_tells_the_library_but_no_release() -> None:
    row = config_of(("value.deserializer", "com.example.Own"))
    assert (row.library, row.isolation_level, row.session_timeout) == ("java", "read_uncommitted", None)


def test_a_variable_is_not_known_but_makes_a_static_member() -> None:
    row = config_of(("session.timeout.ms", None), ("group.instance.id", None), ("group.protocol", None))
    assert (row.session_timeout, row.session_timeouts, row.protocol, row.refused) == (None, None, None, None)
    assert (row.instance_id, row.static) == (None, True)


def test_what_is_no_number_is_not_known() -> None:
    assert config_of(("session.timeout.ms", "30s")).session_timeouts is None


def test_the_new_protocol_refuses_settings_of_the_classic_one() -> None:
    said = (("session.timeout.ms", "45000"), ("partition.assignment.strategy", "range"))
    assert config_of(("group.protocol", "CONSUMER"), *said).refused == [
        "partition.assignment.strategy",
        "session.timeout.ms",
    ]
    assert config_of(*said).refused == []


def of_streams_group(*said: tuple[str, str | None], library: str = "") -> ConsumerConfig:
    rows = [("words", "streams", *one) for one in (("group.protocol", "streams"), *said)]
    [row] = compute(config=client_config(*rows), libraries=[f"words={library}"] if library else []).rows
    assert isinstance(row, ConsumerConfig)
    return row


@pytest.mark.parametrize(
    ("library", "refused"), [("java-4.3", ["group.instance.id"]), ("java-4.4", []), ("java", None), ("", None)]
)
def test_streams_groups_have_no_static_members_before_4_4(library: str, refused: list[str] | None) -> None:
    assert of_streams_group(("group.instance.id", "a"), library=library).refused == refused
    assert of_streams_group(library=library).refused == []


def test_a_streams_group_ignores_what_its_file_says_of_standbys_and_sessions() -> None:
    said = (("session.timeout.ms", "45000"), ("num.standby.replicas", None))
    assert of_streams_group(*said).ignored == ["num.standby.replicas", "session.timeout.ms"]
    assert of_streams_group(("num.standby.replicas", "0")).ignored == []
    assert config_of(*said).ignored == []
    assert config_of(("group.protocol", None), *said).ignored is None


def test_streams_has_its_own_defaults_and_settings_for_its_consumers() -> None:
    config = client_config(
        ("shop", "streams", "application.id", "shop"),
        ("shop", "streams", "processing.guarantee", "exactly_once_v2"),
        ("shop", "consumer", "session.timeout.ms", "20000"),
        ("shop", "producer", "acks", "all"),
        ("web", "producer", "acks", "all"),
    )
    [row] = compute(config=config).rows
    assert (row.client, row.kind, row.group, row.session_timeout) == ("shop", "streams", "shop", 20000)
    assert (row.auto_commit, row.offset_reset, row.assignors) == (False, "earliest", ["stream"])
    assert row.isolation_level == "read_committed"


@pytest.mark.parametrize(
    ("guarantee", "isolation"),
    [("at_least_once", "read_uncommitted"), ("exactly_once_beta", "read_committed"), (None, None)],
)
def test_streams_reads_committed_records_if_it_promises_exactly_once(
    guarantee: str | None, isolation: str | None
) -> None:
    config = client_config(
        ("shop", "streams", "application.id", "shop"), ("shop", "streams", "processing.guarantee", guarantee)
    )
    assert compute(config=config).rows[0].isolation_level == isolation


@pytest.mark.parametrize("entry", ["billing", "billing=perl-3", "billing=java-new", "billing="])
def test_a_library_is_one_that_is_known(entry: str) -> None:
    with pytest.raises(Misconfigured, match="write billing=java"):
        compute(config=consumer(), libraries=[entry])


def test_connect_says_itself_what_decides_about_loss() -> None:
    config = client_config(("sink", "connect", "connector.class", "x"), ("sink", "consumer", "max.poll.records", "5"))
    [row] = compute(config=config).rows
    assert isinstance(row, ConsumerConfig)
    assert (row.offset_reset, row.auto_commit, row.said[:2], row.library) == (
        "earliest",
        False,
        ["auto.offset.reset", "enable.auto.commit"],
        "java",
    )
