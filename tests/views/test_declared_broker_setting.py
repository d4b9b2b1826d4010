import pytest

from runbook.model.errors import Misconfigured
from runbook.views.declared_broker_setting import DeclaredBrokerSetting, compute
from support.kafka_facts import fact

SETTINGS = fact(
    "kafka_broker_setting",
    [
        {"broker": 1, "setting": "num.io.threads", "value": "8"},
        {"broker": 2, "setting": "num.io.threads", "value": None},
        {"broker": 1, "setting": "num.network.threads", "value": "3"},
    ],
)


def test_each_broker_has_a_row_for_each_declared_setting() -> None:
    told = compute(setting=SETTINGS, declared=[" num.io.threads = 16 "])
    rows = [row for row in told.rows if isinstance(row, DeclaredBrokerSetting)]
    assert [(row.broker, row.setting, row.declared, row.value) for row in rows] == [
        (1, "num.io.threads", "16", "8"),
        (2, "num.io.threads", "16", None),
    ]
    assert told.gaps == []


def test_a_name_that_no_broker_has_is_a_gap() -> None:
    told = compute(setting=SETTINGS, declared=["num.io.thread=16", "num.network.threads=3"])
    assert [gap.reason for gap in told.gaps] == ["num.io.thread is declared, but no broker has a setting of this name"]
    assert len(told.rows) == 1


def test_nothing_is_declared() -> None:
    told = compute(setting=SETTINGS)
    assert (told.rows, told.gaps) == ([], [])


def test_what_is_no_declaration_is_a_mistake_of_the_inventory() -> None:
    with pytest.raises(Misconfigured, match=r"num\.io\.threads=16"):
        compute(setting=SETTINGS, declared=["num.io.threads"])
