import pytest

from runbook.formats.mirror_maker import read_dedicated, read_link
from runbook.formats.mirror_maker.clients import SettingOfLink
from runbook.formats.mirror_maker.dedicated import Dedicated, Deployed
from runbook.model.errors import Garbled

FILE = """
clusters = us, eu
us.bootstrap.servers = us-1:9092, us-2:9092
eu.bootstrap.servers = eu-1:9092
us->eu.enabled = true
"""


def read(more: str = "") -> Dedicated:
    return read_dedicated(FILE + more, "/etc/mm2.properties")


def connector(more: str = "", name: str = "us->eu MirrorSourceConnector") -> Deployed:
    return next(connector for connector in read(more).connectors if connector.name == name)


def setting(more: str, client: str, name: str) -> list[SettingOfLink]:
    return [setting for setting in connector(more).settings() if (setting.client, setting.name) == (client, name)]


def test_a_flow_has_three_connectors_and_the_way_back_has_them_too_for_its_heartbeats():
    enabled = {connector.name: read_link(connector.kind, connector.given).enabled for connector in read().connectors}
    assert enabled["us->eu MirrorSourceConnector"] is True
    assert enabled["eu->us MirrorSourceConnector"] is False
    assert "eu->us MirrorHeartbeatConnector" in enabled


@pytest.mark.parametrize("more", ["emit.heartbeats.enabled = false", "eu->us.emit.heartbeats.enabled = no"])
def test_without_heartbeats_there_is_nothing_on_the_way_back(more: str):
    assert {connector.flow.name for connector in read(more).connectors} == {"us->eu"}


def test_a_setting_of_a_flow_holds_over_the_same_at_the_top():
    link = read_link("source", connector("topics = a.*\nus->eu.topics = b.*\noffset.lag.max = 5\n").given)
    assert (link.topics, link.offset_lag_max) == (("b.*",), 5)
    assert (link.source, link.target, link.source_bootstrap) == ("us", "eu", ("us-1:9092", "us-2:9092"))


def test_an_alias_holds_over_a_flow_as_its_prefix_is_read_later():
    found = setting(
        "us->eu.consumer.fetch.min.bytes = 1\nus.consumer.fetch.min.bytes = 2\n", "source consumer", "fetch.min.bytes"
    )
    assert {(entry.given, entry.in_force) for entry in found} == {
        ("us.consumer.fetch.min.bytes", True),
        ("us->eu.consumer.fetch.min.bytes", False),
    }


def test_the_records_are_written_with_what_stands_behind_the_targets_alias():
    more = "eu.producer.compression.type = zstd\nus->eu.producer.compression.type = lz4\n"
    found = {entry.given: entry for entry in setting(more, "target producer", "compression.type")}
    assert found["eu.producer.compression.type"].in_force
    wrong = found["us->eu.producer.compression.type"]
    assert (wrong.in_force, wrong.reason.endswith("write eu.producer.compression.type")) == (False, True)


@pytest.mark.parametrize(
    ("key", "client", "said"),
    [
        ("consumer.fetch.min.bytes", "source consumer", "write us.consumer.fetch.min.bytes"),
        ("source.consumer.fetch.min.bytes", "source consumer", "write us.consumer.fetch.min.bytes"),
        ("fetch.min.bytes", "source consumer", "write us.consumer.fetch.min.bytes"),
        ("producer.batch.size", "target producer", "write eu.producer.batch.size"),
        ("compression.type", "target producer", "write eu.producer.compression.type"),
        ("group.id", "worker", "write eu.group.id"),
        ("num.streams", "", "write tasks.max"),
        ("whitelist", "", "write topics"),
        ("us->asia.enabled", "", "no flow between the clusters us, eu"),
        ("usa.bootstrap.servers", "", "nothing reads it"),
    ],
)
def test_a_key_at_the_top_that_nobody_reads_is_told_with_the_one_that_would_be(key: str, client: str, said: str):
    [unread] = read(f"{key} = 1\n").unread
    assert (unread.given, unread.client, unread.in_force) == (key, client, False)
    assert said in unread.reason


@pytest.mark.parametrize(
    "key",
    ["topics", "tasks.max", "ssl.truststore.location", "offset.storage.replication.factor", "replication.policy.acme"],
)
def test_a_key_at_the_top_that_is_read_is_not_complained_of(key: str):
    assert read(f"{key} = 1\n").unread == ()


def test_of_two_flows_each_has_its_key():
    [unread] = read("eu->us.enabled = true\nfetch.min.bytes = 1\n").unread
    assert unread.reason.endswith("write us.consumer.fetch.min.bytes or eu.consumer.fetch.min.bytes")


def test_security_at_the_top_reaches_every_client():
    found = {
        setting.client
        for setting in connector("security.protocol = SSL\n").settings()
        if setting.name == "security.protocol"
    }
    assert found == {"source consumer", "target producer", "source admin", "target admin", "offset-syncs producer"}


def test_the_workers_of_a_flow_have_a_group_and_their_guarantee():
    plain, set_up = connector(), connector("eu.group.id = g\neu.exactly.once.source.support = enabled\n")
    assert (plain.group, plain.exactly_once) == ("us-mm2", "disabled")
    assert (set_up.group, set_up.exactly_once) == ("g", "enabled")


def test_no_credential_stays_in_what_is_told():
    more = 'us.sasl.jaas.config = required password="correct-horse";\nus.ssl.truststore.password = battery-staple\n'
    settings = repr(read(more)) + repr(connector(more).settings())
    assert "us.sasl.jaas.config" in settings
    assert ("correct-horse" in settings, "battery-staple" in settings) == (False, False)


@pytest.mark.parametrize("text", ["", "clusters =\n", "bootstrap.servers = a:1\n"])
def test_a_file_without_clusters_is_of_no_dedicated_mirrormaker(text: str):
    with pytest.raises(Garbled, match=r"/etc/x names no clusters"):
        read_dedicated(text, "/etc/x")
