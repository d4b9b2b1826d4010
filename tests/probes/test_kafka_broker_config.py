from typing import Any

from msgspec import structs
from msgspec.structs import asdict

from runbook.answers.kafka import Setting
from runbook.model.quantity import BrokerId, Milliseconds
from runbook.probes.kafka_broker_config import NEVER, decided, row


def test_settings_are_typed(healthy: Any):
    settings = healthy.row("kafka_broker_config", broker=1)
    assert settings["min_insync_replicas"] >= 1
    assert settings["unclean_leader_election"] is False
    assert settings["process_roles"] == ["broker", "controller"]
    assert settings["zookeeper_connect"] == ""
    assert settings["flush_messages"] == NEVER
    assert settings["flush_ms"] == NEVER
    assert len(settings["log_dirs"]) == 1
    assert settings["controller_voters"]


def test_the_source_of_a_setting_is_told(healthy: Any):
    sources = healthy.row("kafka_broker_config", broker=2)["sources"]
    assert sources["process.roles"] == "STATIC_BROKER_CONFIG"
    assert sources["auto.leader.rebalance.enable"] in {"DEFAULT_CONFIG", "STATIC_BROKER_CONFIG"}


def test_a_silent_broker_is_a_gap_and_the_others_are_rows(broker_stopped: Any):
    fact = broker_stopped.observe("kafka_broker_config")
    assert fact.columns["broker"] == [1, 2]
    assert [gap.keys for gap in fact.gaps] == [{"broker": 3}]
    assert "connection refused" in fact.gaps[0].reason


def typed(settings: dict[str, str | None], **more: Setting) -> dict[str, object]:
    given = {name: Setting(value, "STATIC_BROKER_CONFIG") for name, value in settings.items()} | more
    return asdict(row(BrokerId(1), given))


def test_a_setting_that_is_not_told_is_unknown():
    assert typed({})["min_insync_replicas"] is None
    assert typed({})["log_dirs"] is None
    assert typed({})["flush_ms"] is None


def test_the_session_timeout_is_the_one_of_the_mode():
    both = {"broker.session.timeout.ms": "9000", "zookeeper.session.timeout.ms": "18000"}
    assert typed({**both, "process.roles": "broker,controller"})["session_timeout"] == 9000
    assert typed({**both, "zookeeper.connect": "zk:2181"})["session_timeout"] == 18000


def test_log_dir_stands_in_where_log_dirs_is_not_set():
    assert typed({"log.dirs": None, "log.dir": "/data"})["log_dirs"] == ["/data"]
    assert typed({"log.dirs": "/a, /b", "log.dir": "/data"})["log_dirs"] == ["/a", "/b"]


def test_a_flush_interval_that_is_not_set_falls_back_to_the_schedulers():
    assert typed({"log.flush.interval.ms": None, "log.flush.scheduler.interval.ms": str(NEVER)})["flush_ms"] == NEVER
    assert typed({"log.flush.interval.ms": "1000"})["flush_ms"] == 1000


def test_the_session_timeout_of_controllers_that_run_apart_is_not_known_to_brokers():
    found = typed({"broker.session.timeout.ms": "9000", "process.roles": "broker"})
    assert found["session_timeout"] is None
    assert found["apart"]
    assert not typed({"process.roles": "broker,controller"})["apart"]


def test_brokers_that_are_controllers_tell_what_decides_about_the_others():
    names = ("broker", "broker,controller", "broker,controller")
    told = [
        row(BrokerId(number), {name: Setting(value, "STATIC_BROKER_CONFIG") for name, value in settings.items()})
        for number, settings in enumerate(
            {"broker.session.timeout.ms": f"{9 if roles == 'broker' else 6}000", "process.roles": roles}
            for roles in names
        )
    ]
    known = decided(told)
    assert [(one.session_timeout, one.apart) for one in known] == [(6000, "")] * 3
    other = structs.replace(told[1], session_timeout=Milliseconds(8000))
    assert [one.session_timeout for one in decided([told[0], other, told[2]])] == [None, 8000, 6000]
    assert decided(told[:1]) == told[:1]
