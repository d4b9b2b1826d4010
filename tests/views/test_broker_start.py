from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.broker_start import VIEW, compute

FILE = "/etc/kafka/server.properties"


def of(*settings: dict[str, str] | None) -> tuple[list[Any], list[Gap]]:
    columns: dict[str, list[Any]] = {
        "host": [f"kafka-{number}" for number, _ in enumerate(settings, 1)],
        "pid": [100] * len(settings),
        "broker": list(range(1, len(settings) + 1)),
        "file": [FILE] * len(settings),
        "settings": list(settings),
    }
    fact = tabulate("broker_start", VIEW.columns, compute(file=Fact("host_broker_file", columns)))
    return [(row["host"], row["refused"]) for row in fact.rows()], list(fact.gaps)


def test_each_file_is_judged_by_itself_and_one_that_is_not_known_stays_open():
    rows, gaps = of({}, {"inter.broker.listener.name": "X"}, None)
    said = ["inter.broker.listener.name is X, which listener.security.protocol.map does not have"]
    assert (rows, gaps) == ([("kafka-1", []), ("kafka-2", said), ("kafka-3", None)], [])


def test_what_stands_elsewhere_is_a_gap_about_the_process():
    rows, [gap] = of({"listeners": "${file:/run/kafka:listeners}"})
    assert (rows, gap.keys) == ([], {"host": "kafka-1", "pid": 100})
    assert gap.reason == f"{FILE} of kafka-1 leaves listeners to a reference or to further lines"
