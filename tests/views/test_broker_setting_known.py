from runbook.model.fact import Fact, tabulate
from runbook.views.broker_setting_known import VIEW, compute

GIVEN = [
    (1, "sasl.enabled.mechanism", "STATIC_BROKER_CONFIG"),
    (1, "listeners", "STATIC_BROKER_CONFIG"),
    (1, "num.io.thread", "DYNAMIC_BROKER_CONFIG"),  # Kafka takes what is dynamic by name alone
    (2, "opa.authorizer.url", "STATIC_BROKER_CONFIG"),
]


def test_of_what_stands_in_files_each_name_is_known_or_not():
    columns = {name: [row[place] for row in GIVEN] for place, name in enumerate(("broker", "setting", "source"))}
    rows = tabulate("known", VIEW.columns, compute(setting=Fact("kafka_broker_setting", columns))).rows()
    assert [(row["broker"], row["setting"], row["known"], row["like"]) for row in rows] == [
        (1, "sasl.enabled.mechanism", False, "sasl.enabled.mechanisms"),
        (1, "listeners", True, ""),
        (2, "opa.authorizer.url", True, ""),
    ]
