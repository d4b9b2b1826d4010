import datetime as dt

import pytest

from runbook.parse.connection_lines import line_for
from runbook.parse.inventory import parse_inventory
from runbook.plugins.catalog import catalog


@pytest.mark.parametrize("kind", catalog("connections").names())
def test_the_line_of_each_kind_of_connection_may_stand_in_an_inventory(kind: str) -> None:
    read = parse_inventory(f"environments: {{dev: {{{line_for(kind)}}}}}", "environments.yaml", dt.date(2026, 11, 26))
    assert list(read.targets["dev"].connections) == [kind]


def test_the_brokers_that_a_cluster_told_stand_in_the_line() -> None:
    assert line_for("ssh", [(7, "b.example")]) == (
        'ssh: {user: runbook, hosts: {broker-7: {address: "b.example", broker: 7}}}'
    )
    assert line_for("jolokia", [(7, "b.example")]) == 'jolokia: {agents: {7: "http://b.example:8778/jolokia"}}'


def test_a_connection_of_somebodys_own_has_no_line() -> None:
    assert line_for("ours") == ""
