"""A whole run asks what its causes look at; a part of one asks for its own checks alone."""

from pathlib import Path

import pytest

from runbook.run.check_run import Options, start
from runbook.run.planning.plan import asks_of

INVENTORY = """
environments:
  prod:
    kafka: {bootstrap.servers: "127.0.0.1:1"}
"""


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    file = tmp_path / "inventory.yaml"
    file.write_text(INVENTORY, "utf-8")
    return file


def planned(options: Options) -> tuple[set[str], set[str]]:
    """The probes that a run asks of its one environment, and those that its checks alone ask."""
    run = start(options)
    run._prewarmed.stop()  # nothing is asked here
    of_checks = {question.probe for question in asks_of(run.runner._judgements, {})}
    return {question.probe for question in run.runner._asks}, of_checks


def test_a_whole_run_of_a_runbook_asks_what_only_its_causes_look_at(inventory: Path):
    asked, of_checks = planned(Options(runbooks=["consumers"], inventory=inventory))
    assert asked - of_checks == {"kafka_cluster", "kafka_quota"}


def test_a_run_of_some_checks_asks_for_these_alone(inventory: Path):
    asked, of_checks = planned(Options(runbooks=["consumers"], inventory=inventory, only=["no-group-is-stuck"]))
    assert asked - of_checks == {"kafka_cluster"}
