from typing import Any

import pytest

from runbook.model.errors import Denied


def test_nothing_moves_in_a_healthy_cluster(healthy: Any):
    fact = healthy.observe("kafka_reassignment")
    assert fact.complete
    assert len(fact) == 0


def test_without_the_right_to_ask_nothing_is_known(healthy: Any):
    healthy.python.refused["ListPartitionReassignments"] = 31
    with pytest.raises(Denied):
        healthy.observe("kafka_reassignment")
