from typing import Any

import pytest

from runbook.model.fact import tabulate
from runbook.views.broker_retention import VIEW, compute
from support.kafka_facts import fact

_DEFAULT: dict[str, str | None] = {
    "log.retention.ms": "",
    "log.retention.minutes": "",
    "log.retention.hours": "168",
    "log.retention.bytes": "-1",
    "log.segment.bytes": "1073741824",
    "log.roll.ms": "",
    "log.roll.hours": "24",
}


def row(sources: dict[str, str] | None = None, **overrides: str | None) -> dict[str, Any]:
    values = _DEFAULT | {name.replace("_", "."): value for name, value in overrides.items()}
    rows = [
        {"broker": 4, "setting": name, "value": value, "source": (sources or {}).get(name, "STATIC_BROKER_CONFIG")}
        for name, value in values.items()
    ]
    setting = fact("kafka_broker_setting", rows)
    [found] = tabulate("broker_retention", VIEW.columns, compute(setting=setting)).rows()
    return found


def test_hours_count_where_nothing_finer_is_set():
    assert row() == {
        "broker": 4,
        "retention_ms": 604800000,
        "retention_bytes": -1,
        "segment_bytes": 1073741824,
        "roll_ms": 86400000,
        "given": ["log.retention.hours", "log.roll.hours"],
        "overridden": [],
        "dynamic": "",
        "longer": None,
        "untold": "",
    }


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"log_retention_minutes": "2"}, 120000),
        ({"log_retention_minutes": "2", "log_retention_ms": "7"}, 7),
        ({"log_retention_ms": "-1"}, -1),
        ({"log_retention_hours": "-1"}, -1),
    ],
)
def test_milliseconds_come_before_minutes_before_hours(settings: dict[str, str], kept: int):
    assert row(**settings)["retention_ms"] == kept


def test_milliseconds_of_rolling_come_before_hours():
    assert row(log_roll_ms="5")["roll_ms"] == 5


def test_what_is_hidden_is_unknown_and_so_is_what_comes_after_it():
    assert row(log_retention_minutes=None)["retention_ms"] is None
    assert row(log_retention_minutes=None, log_retention_ms="3")["retention_ms"] == 3
    assert row(log_retention_bytes=None)["retention_bytes"] is None
    assert row(log_retention_minutes=None)["given"] is None


_DYNAMIC = {"log.retention.ms": "DYNAMIC_DEFAULT_BROKER_CONFIG"}


def test_a_dynamic_setting_overrides_what_the_file_says():
    seen = row(_DYNAMIC, log_retention_ms="3600000")
    assert seen["dynamic"] == "log.retention.ms=3600000 (DYNAMIC_DEFAULT_BROKER_CONFIG)"
    assert seen["overridden"] == ["log.retention.hours=168"]


def test_a_dynamic_setting_of_the_same_time_overrides_nothing():
    assert row(_DYNAMIC, log_retention_ms="604800000")["overridden"] == []


def test_a_default_is_not_set_and_what_the_file_itself_says_is_not_visible_behind_the_dynamic_value():
    seen = row({**_DYNAMIC, "log.retention.hours": "DEFAULT_CONFIG"}, log_retention_ms="3600000")
    assert (seen["overridden"], seen["longer"], seen["given"]) == (None, None, ["log.retention.ms", "log.roll.hours"])
    assert seen["untold"].startswith("the file's own log.retention.ms is not visible behind the dynamic value")


@pytest.mark.parametrize(
    ("dynamic", "hours", "longer"),
    [
        ("3600000", "168", False),
        ("604800000", "168", False),
        ("2592000000", "168", True),
        ("-1", "168", True),
        ("-1", "-1", False),
        ("2592000000", "-1", False),
    ],
)
def test_whether_the_dynamic_value_is_longer_is_known(dynamic: str, hours: str, *, longer: bool):
    assert row(_DYNAMIC, log_retention_ms=dynamic, log_retention_hours=hours)["longer"] is longer


def test_of_the_file_s_settings_the_one_that_counts_is_compared():
    assert row(_DYNAMIC, log_retention_ms="3600000", log_retention_minutes="30")["longer"] is True


def test_of_two_settings_of_the_file_none_is_dynamic():
    seen = row(log_retention_ms="3600000")
    assert (seen["overridden"], seen["dynamic"]) == ([], "")


def test_what_a_hidden_setting_overrides_is_unknown():
    seen = row(log_retention_ms=None)
    assert (seen["overridden"], seen["dynamic"]) == (None, None)
