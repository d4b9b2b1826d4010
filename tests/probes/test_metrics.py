"""What all probes of metrics promise about themselves."""

from typing import Annotated

import pytest

from runbook.formats.metrics import Group, Metric, Sheets
from runbook.model.row import Cell
from runbook.plugins.catalog import catalog
from runbook.probes._metrics import (
    APART,
    OF_APPLICATIONS,
    OF_BROKERS,
    OfApplication,
    OfBroker,
    metrics_of,
    tell_brokers,
)

ALL = (*OF_BROKERS, *OF_APPLICATIONS, *APART)


def test_the_metrics_of_every_probe_are_asked_for_at_once():
    probes = catalog("probes")
    assert sorted(ALL) == [name for name in probes.names() if hasattr(probes.load(name), "GROUP")]


@pytest.mark.parametrize("probe", ALL)
def test_a_row_has_a_key_for_each_star_and_all_metrics_have_the_same_stars(probe: str):
    module = catalog("probes").load(probe)
    group: Group = module.GROUP
    assert module.PROBE.row is group.row
    of_broker = probe in OF_BROKERS or probe.startswith("broker_")
    assert issubclass(group.row, OfBroker if of_broker else OfApplication)
    assert all(group.columns[key].key for key in (group.jvm, *group.keys))
    stars = {
        len(group.keys) if metric.pairs else metric.bean.removesuffix(",*").count("*")
        for metric in group.metrics.values()
    }
    assert stars == {len(group.keys)}


MINE = Metric("my:type=own", "Value")


class Own(OfBroker):
    """A row of a user's own probe."""

    mine: Annotated[int | None, Cell("Mine."), MINE]


class Asked:
    """Remembers what it is asked for."""

    def brokers(self, asked: tuple[Metric, ...]) -> Sheets:
        """Answer nothing."""
        self.asked = asked
        return [], []

    applications = brokers


def test_what_a_users_own_probe_wants_is_asked_for_too():
    metrics = Asked()
    tell_brokers(metrics, Group(Own, nowhere="nowhere", proof=(Metric("my:type=proof", "Value"),)))
    assert metrics.asked == (*metrics_of(OF_BROKERS), MINE, Metric("my:type=proof", "Value"))
    tell_brokers(metrics, catalog("probes").load("jvm_gc").GROUP)
    assert metrics.asked == metrics_of(OF_BROKERS)
