"""A lab of two sites is healed of what was broken on purpose, and of nothing else."""

from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import LabState, mirrors
from kafka_lab.state import known
from support.two_sites import Sites
from support.two_sites_move import state_of_the_flow, stop_the_flow

pytestmark = pytest.mark.live


def test_what_a_failover_has_stopped_stays_so_and_what_is_waited_for_comes_through_a_whole_link(
    sites: LabState,
) -> None:
    home, there = Path(sites.folder).parent, mirrors.standby_of(sites)
    labs.break_(sites.name, "slow-link", home=home)
    both = Sites(sites, there)
    stop_the_flow(both)
    labs.break_(sites.name, "lose-primary", home=home)
    try:
        assert labs.heal(sites.name, home=home) == ["lose-primary", "slow-link"]
        assert state_of_the_flow(both) == "STOPPED"
        assert mirrors.stopped(known(sites.name, home)) == [mirrors.SOURCE]
    finally:
        mirrors.restore(known(sites.name, home))
    assert state_of_the_flow(both) == "RUNNING"
