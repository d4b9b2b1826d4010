"""What every Kafka probe promises about itself."""

import importlib

import pytest

from runbook.connections.kafka import READS
from runbook.model.column import ENTITIES
from runbook.model.probe import Probe
from runbook.plugins.catalog import catalog

NAMES = [name for name in catalog("probes").names() if name.startswith("kafka_")]


@pytest.fixture(params=NAMES)
def probe(request: pytest.FixtureRequest) -> Probe:
    return importlib.import_module(f"runbook.probes.{request.param}").PROBE


def test_its_requests_are_on_the_published_list(probe: Probe):
    assert set(probe.requests) <= set(READS)


def test_its_rows_have_a_key_and_its_columns_a_help(probe: Probe):
    assert any(column.key for column in probe.columns)
    assert all(column.help.endswith(".") or column.help.endswith("…") for column in probe.columns)


def test_its_columns_are_named_once_and_name_known_entities(probe: Probe):
    names = [column.name for column in probe.columns]
    assert len(names) == len(set(names))
    assert {column.entity for column in probe.columns if column.entity} <= set(ENTITIES)


def test_nothing_that_changes_a_cluster_is_on_the_published_list():
    verbs = ("Create", "Delete", "Alter", "Incremental", "Produce", "Write", "Update", "Elect", "Add", "Init", "End")
    assert not [name for name in READS if name.startswith(verbs)]
