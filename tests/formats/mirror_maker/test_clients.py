import pytest

from runbook.formats.mirror_maker.clients import Prefixes, SettingOfLink, client_settings
from runbook.formats.mirror_maker.given import as_written
from runbook.formats.mirror_maker.known import ADMIN, CONSUMER, PRODUCER


def settings(given: dict[str, str | None], kind: str = "source") -> list[SettingOfLink]:
    return client_settings(kind, as_written(given), None, Prefixes())


def of(given: dict[str, str | None], client: str, name: str) -> list[tuple[str | None, str, bool]]:
    return [
        (setting.value, setting.given, setting.in_force)
        for setting in settings(given)
        if (setting.client, setting.name) == (client, name)
    ]


def test_the_longer_prefix_holds_over_the_shorter_whatever_their_order():
    given: dict[str, str | None] = {"source.consumer.fetch.min.bytes": "2", "consumer.fetch.min.bytes": "1"}
    held = ("2", "source.consumer.fetch.min.bytes", True)
    assert of(given, "source consumer", "fetch.min.bytes") == [held, ("1", "consumer.fetch.min.bytes", False)]


def test_the_records_are_written_by_the_workers_producer_which_takes_overrides_only():
    given: dict[str, str | None] = {"producer.compression.type": "zstd", "producer.override.batch.size": "100000"}
    assert of(given, "target producer", "compression.type") == [
        (None, "", True),
        ("zstd", "producer.compression.type", False),
    ]
    assert of(given, "offset-syncs producer", "compression.type") == [("zstd", "producer.compression.type", True)]
    assert of(given, "target producer", "batch.size") == [("100000", "producer.override.batch.size", True)]
    [wrong] = [setting for setting in settings(given) if not setting.in_force]
    assert "producer.override.compression.type" in wrong.reason


@pytest.mark.parametrize(
    ("key", "client", "right"),
    [
        ("fetch.min.bytes", "source consumer", "source.consumer.fetch.min.bytes"),
        ("source.fetch.min.bytes", "source consumer", "source.consumer.fetch.min.bytes"),
        ("source.cluster.fetch.min.bytes", "source consumer", "source.consumer.fetch.min.bytes"),
        ("consumer.override.fetch.min.bytes", "source consumer", "source.consumer.fetch.min.bytes"),
        ("compression.type", "target producer", "producer.override.compression.type"),
        ("target.producer.compression.type", "target producer", "producer.override.compression.type"),
        ("fetch.message.max.bytes", "source consumer", "source.consumer.max.partition.fetch.bytes"),
        ("whitelist", "", "topics"),
        ("num.streams", "", "tasks.max"),
    ],
)
def test_a_key_that_reaches_nobody_is_told_with_the_one_that_would(key: str, client: str, right: str):
    [wrong] = [setting for setting in settings({key: "1"}) if not setting.in_force]
    assert (wrong.client, wrong.given) == (client, key)
    assert wrong.reason.endswith(f"write {right}")


@pytest.mark.parametrize(
    "key",
    ["tasks.max", "topics", "consumer.poll.timeout.ms", "admin.timeout.ms", "transforms.a.type", "acme.own", "name"],
)
def test_settings_of_connectors_and_of_others_are_none_of_a_client(key: str):
    assert [setting for setting in settings({key: "1"}) if setting.given] == []


def test_how_to_reach_a_cluster_goes_to_every_client_of_it():
    given: dict[str, str | None] = {"source.cluster.security.protocol": "SSL"}
    found = {setting.client for setting in settings(given) if setting.name == "security.protocol" and setting.in_force}
    assert found == {"source consumer", "source admin", "offset-syncs producer"}


def test_where_nothing_is_given_the_consumer_has_defaults_and_the_workers_producer_is_not_known():
    assert of({}, "source consumer", "auto.offset.reset") == [("earliest", "", True)]
    assert of({}, "target producer", "batch.size") == [(None, "", True)]
    known = client_settings("source", {}, {}, Prefixes())
    assert {
        setting_.value for setting_ in known if (setting_.client, setting_.name) == ("target producer", "batch.size")
    } == {"16384"}


def test_what_mirrormaker_sets_itself_is_not_ours_to_set():
    assert of({"consumer.enable.auto.commit": "true"}, "source consumer", "enable.auto.commit") == [
        ("true", "consumer.enable.auto.commit", False)
    ]


def test_offset_syncs_in_the_target_are_written_with_the_targets_settings():
    given: dict[str, str | None] = {"offset-syncs.topic.location": "target", "target.cluster.security.protocol": "SSL"}
    assert of(given, "offset-syncs producer", "security.protocol") == [
        ("SSL", "target.cluster.security.protocol", True)
    ]


def test_the_settings_of_a_heartbeat_connector_are_not_called_misplaced():
    assert [setting for setting in settings({"fetch.min.bytes": "1"}, "heartbeat") if not setting.in_force] == []


def test_every_client_setting_has_a_key_with_which_it_is_read():
    assert [name for name in CONSUMER | PRODUCER | ADMIN if not Prefixes().right(name)] == []
