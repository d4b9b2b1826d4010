"""What the page on least rights for JMX says is what the lab's agents have and what connections send."""

from kafka_lab.parts.jmx import POLICY
from runbook.connections import jolokia, prometheus
from support.documented import titled

PAGE = "docs/how-to/least-privilege-jmx.md"


def test_the_policy_that_is_shown_is_the_one_the_lab_runs_with():
    assert titled(PAGE, "jolokia-access.xml") == POLICY.read_text("utf-8")


def test_the_policy_lets_nobody_execute_or_write():
    import xml.etree.ElementTree as ET

    commands = {command.text for command in ET.parse(POLICY).getroot().iter("command")}
    assert commands == {"read", "list", "version"}


def test_the_requests_that_are_shown_are_all_there_are():
    assert titled(PAGE, "Requests").splitlines() == [*jolokia.READS, *prometheus.READS]
