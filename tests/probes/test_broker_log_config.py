from pathlib import Path
from typing import Any

import pytest

from runbook.connections import files
from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import broker_log_config


def observe(*entries: dict[str, Any]) -> Fact:
    connection = files.connect({"broker_logging": list(entries)}, Deadline(5))
    return tabulate("broker_log_config", broker_log_config.PROBE.columns, broker_log_config.observe(connection))


def test_each_logger_of_each_broker_is_a_row(tmp_path: Path):
    (tmp_path / "log4j.properties").write_text("log4j.logger.kafka.controller=TRACE, controllerAppender\n")
    fact = observe(*({"broker": broker, "path": str(tmp_path / "log4j.properties")} for broker in (1, 2)))
    assert fact.complete
    assert next(fact.rows()) == {
        "broker": 1,
        "logger": "kafka.controller",
        "level": "TRACE",
        "appenders": ["controllerAppender"],
        "additive": True,
        "file": str(tmp_path / "log4j.properties"),
    }
    assert fact.columns["broker"] == [1, 2]


def test_a_file_that_is_missing_or_not_understood_is_a_gap_about_its_broker(tmp_path: Path):
    (tmp_path / "log4j2.xml").write_text("<Configuration/>")
    fact = observe(
        {"broker": 1, "path": str(tmp_path / "log4j2.xml")}, {"broker": 2, "path": str(tmp_path / "log4j2.yaml")}
    )
    assert len(fact) == 0
    assert {gap.keys["broker"] for gap in fact.gaps} == {1, 2}


@pytest.mark.parametrize(
    ("entries", "said"),
    [([{"path": "/x"}], "its node id"), ([{"broker": 1, "path": "/x"}] * 2, "broker 1 twice")],
)
def test_entries_that_cannot_be_meant_are_refused(entries: list[dict[str, Any]], said: str):
    with pytest.raises(Misconfigured, match=said):
        files.connect({"broker_logging": entries}, Deadline(5))
