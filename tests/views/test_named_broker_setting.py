from runbook.views.named_broker_setting import NamedBrokerSetting, compute
from support.kafka_facts import fact

SETTINGS = fact(
    "kafka_broker_setting",
    [
        {"broker": 1, "setting": "num.replica.fetchers", "value": "2"},
        {"broker": 2, "setting": "num.replica.fetchers", "value": None},
        {"broker": 3, "setting": "num.replica.fetchers", "value": "many"},
        {"broker": 1, "setting": "num.network.threads", "value": "3"},
    ],
)


def test_each_broker_has_a_row_with_the_number() -> None:
    told = compute(setting=SETTINGS, setting_name="num.replica.fetchers")
    rows = [row for row in told.rows if isinstance(row, NamedBrokerSetting)]
    assert [(row.broker, row.number) for row in rows] == [(1, 2), (2, None), (3, None)]


def test_a_setting_that_no_broker_has_gives_no_row() -> None:
    assert compute(setting=SETTINGS, setting_name="num.fetchers").rows == []
