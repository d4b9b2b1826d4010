"""What every probe of hosts promises about itself."""

import importlib

import pytest

from runbook.connections.ssh import READS
from runbook.model.column import ENTITIES
from runbook.model.probe import Probe
from runbook.plugins.catalog import catalog

NAMES = [name for name in catalog("probes").names() if name.startswith("host_")]


@pytest.fixture(params=NAMES)
def probe(request: pytest.FixtureRequest) -> Probe:
    return importlib.import_module(f"runbook.probes.{request.param}").PROBE


def test_its_commands_are_on_the_published_list(probe: Probe):
    assert probe.requests
    assert set(probe.requests) <= set(READS)


def test_it_says_what_rights_it_needs(probe: Probe):
    assert any("log in" in right for right in probe.rights)


def test_its_rows_are_keyed_by_host_and_its_columns_have_a_help(probe: Probe):
    assert probe.columns[0].name == "host"
    assert probe.columns[0].key
    assert all(column.help.endswith(".") for column in probe.columns)


def test_its_columns_are_named_once_and_name_known_entities(probe: Probe):
    names = [column.name for column in probe.columns]
    assert len(names) == len(set(names))
    assert {column.entity for column in probe.columns if column.entity} <= set(ENTITIES)
