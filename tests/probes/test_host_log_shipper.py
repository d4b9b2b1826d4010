import pytest

from runbook.model.errors import Denied
from support.recorded_hosts import BROKER, look, recorded, running


def test_the_shippers_of_a_host_are_named_once_each():
    outputs = running(BROKER) | {"shippers": "812 filebeat\n813 filebeat\n90 rsyslogd\n"}
    [row] = look("host_log_shipper", recorded({"kafka-1": outputs})).rows()
    assert row == {"host": "kafka-1", "has_broker": True, "shippers": ["filebeat", "rsyslogd"]}


def test_a_host_without_one_is_a_row_too():
    [row] = look("host_log_shipper", recorded({"kafka-1": running(BROKER) | {"shippers": ""}})).rows()
    assert row["shippers"] == []


def test_a_host_whose_broker_is_down_is_a_host_of_a_broker_still():
    outputs = {"bastion": running() | {"shippers": ""}, "kafka-1": running() | {"shippers": ""}}
    rows = look("host_log_shipper", recorded(outputs, kafka_1={"broker": 1})).rows()
    assert {row["host"]: row["has_broker"] for row in rows} == {"bastion": False, "kafka-1": True}


@pytest.mark.parametrize("answer", [Denied("not on its list"), "odd\n"])
def test_a_host_that_does_not_tell_is_a_gap(answer: str | Denied):
    fact = look("host_log_shipper", recorded({"kafka-1": running(BROKER) | {"shippers": answer}}))
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"host": "kafka-1"}])


def test_a_host_that_hides_the_processes_of_others_is_a_gap():
    hidden = running() | {"process": "", "shippers": ""}
    fact = look("host_log_shipper", recorded({"kafka-1": hidden}))
    assert (len(fact), len(fact.gaps)) == (0, 1)
