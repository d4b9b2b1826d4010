from typing import Any

import pytest

from runbook.formats.metrics import ScrapeTarget
from runbook.model.errors import Unreachable
from runbook.model.fact import Gap
from runbook.probes.prometheus_target import PrometheusTarget, observe
from support.metrics_played import Played


class Server:
    """Stands where the connection to a server stands."""

    def __init__(self, answer: Any) -> None:
        """Tell this."""
        self._answer = answer

    def targets(self) -> Any:
        """Tell, or fail."""
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def test_a_target_is_a_row():
    observed = observe(
        Server(([ScrapeTarget("kafka", "b1:9404", up=True), ScrapeTarget("connect", "c1:9404", up=False)], []))
    )
    assert observed.rows == [
        PrometheusTarget(job="kafka", instance="b1:9404", up=True),
        PrometheusTarget(job="connect", instance="c1:9404", up=False),
    ]
    assert observed.gaps == []


def test_what_the_server_warns_of_is_kept():
    assert observe(Server(([], [Gap("partial")]))).gaps == [Gap("partial")]


def test_pages_have_no_targets():
    assert "no Prometheus server" in Played("pages").observe("prometheus_target").inapplicable


def test_a_server_that_does_not_answer_is_no_empty_list():
    with pytest.raises(Unreachable):
        observe(Server(Unreachable("refused")))
