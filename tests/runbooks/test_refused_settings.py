"""What ha.md says of files whose values Kafka refuses, each clause once, and of files that are well."""

import pytest

from runbook.judge.compiled import compile_check
from runbook.judge.judge import Context, judge
from runbook.model.block import Check
from runbook.model.fact import Fact, tabulate
from runbook.model.objective import Ranking
from runbook.model.result import Outcome
from runbook.run.sources.runbooks import read_all
from runbook.views import broker_setting_taken, client_setting_taken
from support.broker_settings import KRAFT, broker_settings, kafka_release

CLIENT = {"key.serializer": "a.B", "value.serializer": "a.B", "acks": "all"}


def outcome(name: str, **facts: Fact) -> Outcome:
    (book,) = read_all(["ha"])
    [placed] = [placed for placed in book.checks() if placed.block.id == name]
    check = placed.block
    assert isinstance(check, Check)
    params = {key: parameter.default for key, parameter in check.params.items()}
    context = Context("prod", {}, Ranking(), params, "2026-11-24T00:00:00Z")
    return judge(compile_check(placed), facts, context).outcome


def of_broker(given: dict[str, str], release: str) -> Outcome:
    setting, known = broker_settings(given), kafka_release(release)
    found = broker_setting_taken.compute(setting=setting, release=known)
    file = tabulate("broker_setting_taken", broker_setting_taken.VIEW.columns, found)
    return outcome("brokers-would-start-with-their-settings", setting=setting, release=known, file=file)


def of_client(given: dict[str, str]) -> Outcome:
    rows = {
        "client": ["a"] * len(given),
        "kind": ["producer"] * len(given),
        "setting": list(given),
        "value": list(given.values()),
        "file": ["/opt/a.properties"] * len(given),
        "line": list(range(1, len(given) + 1)),
        "spring": [False] * len(given),
    }
    config = Fact("client_config", rows)
    found = client_setting_taken.compute(config=config)
    given_ = tabulate("client_setting_taken", client_setting_taken.VIEW.columns, found)
    return outcome("clients-would-start-with-their-settings", config=config, given=given_)


@pytest.mark.parametrize(
    ("edit", "release", "expected"),
    [
        ({}, "4.3.0", "pass"),
        ({"log.retention.hours": "168"}, "3.9.1", "pass"),
        ({"log.retention.hours": "7d"}, "3.9.1", "fail"),
        ({"node.id": "1"}, "4.3.0", "fail"),  # a broker alone that is a voter
        ({"num.io.threads": "${env:THREADS}"}, "4.3.0", "unknown"),
        ({}, "7.0.0", "unknown"),
    ],
)
def test_a_brokers_file(edit: dict[str, str], release: str, expected: str):
    assert of_broker({**KRAFT, **edit}, release) == expected


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({}, "pass"),
        ({"enable.idempotence": "true", "max.in.flight.requests.per.connection": "6"}, "fail"),
        ({"retries": "0", "enable.idempotence": "true"}, "fail"),
        ({"max.in.flight.requests.per.connection": "6"}, "unknown"),  # 3.x takes it, and gives up idempotence
    ],
)
def test_a_producers_file(edit: dict[str, str], expected: str):
    assert of_client({**CLIENT, **edit}) == expected
