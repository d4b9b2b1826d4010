from typing import Any

from runbook.probes.kafka_broker_setting import is_per_broker


def test_every_broker_has_the_same_settings_but_for_those_of_its_own(healthy: Any):
    seen: dict[str, set[str | None]] = {}
    for row in healthy.observe("kafka_broker_setting").rows():
        if not row["per_broker"]:
            seen.setdefault(row["setting"], set()).add(row["value"])
    assert [setting for setting, values in seen.items() if len(values) > 1] == []
    assert "num.io.threads" in seen


def test_a_hidden_value_is_unknown_and_one_that_is_not_set_is_empty(healthy: Any):
    hidden = healthy.row("kafka_broker_setting", broker=1, setting="ssl.keystore.password")
    assert (hidden["sensitive"], hidden["value"]) == (True, None)
    unset = healthy.row("kafka_broker_setting", broker=1, setting="log.retention.ms")
    assert (unset["sensitive"], unset["value"]) == (False, "")


def test_names_addresses_and_disks_are_a_brokers_own():
    for name in ("node.id", "broker.rack", "log.dirs", "advertised.listeners"):
        assert is_per_broker(name)
    assert is_per_broker("listener.name.external.ssl.keystore.location")
    assert not is_per_broker("num.io.threads")
    assert not is_per_broker("listener.name.external.ssl.client.auth")
