from typing import Any

import pytest

from runbook.connections.prometheus import connect
from runbook.formats.metrics import ScrapedPage
from runbook.model.errors import Unreachable
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.probes.prometheus_broker_page import PrometheusBrokerPage, observe
from support.metrics_played import Played


class Server:
    """Stands where the connection to a server stands."""

    def __init__(self, answer: Any) -> None:
        """Tell this."""
        self._answer = answer

    def broker_pages(self) -> Any:
        """Tell, or fail."""
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def test_a_page_is_a_row_also_where_it_was_not_scraped():
    pages = [ScrapedPage("kafka", "b1:9404", 1, 500), ScrapedPage("kafka", "b2:9404", -1, -1)]
    observed = observe(Server((pages, [Gap("partial")])))
    assert observed.rows == [
        PrometheusBrokerPage(job="kafka", instance="b1:9404", node=1, started_ms=500),
        PrometheusBrokerPage(job="kafka", instance="b2:9404", node=-1, started_ms=-1),
    ]
    assert observed.gaps == [Gap("partial")]


def test_pages_that_we_read_ourselves_have_no_targets():
    assert "no Prometheus server" in Played("pages").observe("prometheus_broker_page").inapplicable


def test_rules_that_leave_the_node_id_out_are_said():
    server = connect(
        {"url": "http://127.0.0.1:1", "selector": {"job": "kafka"}, "dialect": "strimzi"}, Deadline(60, patience=1)
    )
    assert "rules of strimzi" in observe(server).inapplicable


def test_a_server_that_does_not_answer_is_no_empty_list():
    with pytest.raises(Unreachable):
        observe(Server(Unreachable("refused")))
