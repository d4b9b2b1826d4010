from runbook.views.setting_in_force import SettingInForce, compute
from support.client_configs import client_config


def of(
    *said: tuple[str, str | None],
    setting: str = "linger.ms",
    kind: str = "producer",
    libraries: list[str] | None = None,
) -> SettingInForce:
    config = client_config(*[("clicks", kind, name, value) for name, value in (("bootstrap.servers", "k:9092"), *said)])
    [row] = compute(config=config, setting=setting, kind=kind, libraries=libraries).rows
    assert isinstance(row, SettingInForce)
    return row


def test_what_a_file_says_is_in_force() -> None:
    row = of(("linger.ms", "20"))
    assert (row.value, row.values, row.number, row.numbers, row.said) == ("20", ["20"], 20, [20], True)
    row = of(("compression.type", "zstd"), setting="compression.type")
    assert (row.value, row.number, row.numbers) == ("zstd", None, None)


def test_a_variable_is_not_known() -> None:
    row = of(("linger.ms", None))
    assert (row.value, row.values, row.number, row.numbers, row.said) == (None, None, None, None, True)


def test_a_default_is_that_of_the_library_or_of_any() -> None:
    assert (of().number, of().numbers, of().said) == (None, [0, 5], False)
    for library, number in (("java-3.9", 0), ("java-4.0", 5), ("librdkafka-1.5", 5)):
        assert of(libraries=[f"*={library}"]).number == number
    assert of(setting="batch.size", libraries=["*=librdkafka-2.3"]).number == 1000000
    assert of(setting="batch.size", libraries=["*=librdkafka-1.4"]).numbers is None  # it had no such setting


def test_a_setting_that_only_java_knows_tells_the_library() -> None:
    assert of(("buffer.memory", "33554432"), setting="batch.size").number == 16384
    assert of(setting="batch.size").numbers == [16384, 1000000]


def test_clients_of_other_kinds_have_no_row() -> None:
    config = client_config(("clicks", "consumer", "group.id", "a"))
    assert compute(config=config, setting="linger.ms", kind="producer").rows == []
    assert of(setting="fetch.min.bytes", kind="consumer").number == 1


def test_the_default_is_known_beside_what_a_file_says() -> None:
    said = ("batch.size", "65536")
    assert of(said, setting="batch.size", libraries=["*=librdkafka-2.3"]).default == 1000000
    assert of(said, setting="batch.size", libraries=["*=java-4.3"]).default == 16384
    assert of(said, setting="batch.size").default is None
    assert of(setting="compression.type").default is None


def test_what_it_may_be_is_shown_in_words() -> None:
    assert of(("linger.ms", "20")).shown == "20"
    assert of().shown == "0 or 5, by default"
    assert of(("linger.ms", None)).shown == ""
