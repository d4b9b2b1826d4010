import pytest

from runbook.model.errors import Misconfigured
from runbook.views.declared_setting import DeclaredSetting, compute
from support.client_configs import consumer


def test_what_was_declared_stands_beside_what_is_in_force() -> None:
    observed = compute(
        config=consumer(("session.timeout.ms", "30000")),
        declared=["bill*:session.timeout.ms=45000", "billing:heartbeat.interval.ms = 3000"],
    )
    assert observed.gaps == []
    assert observed.rows == [
        DeclaredSetting(client="billing", setting="heartbeat.interval.ms", declared="3000", value="3000", said=False),
        DeclaredSetting(client="billing", setting="session.timeout.ms", declared="45000", value="30000", said=True),
    ]


def test_the_first_declaration_that_fits_holds() -> None:
    declared = ["billing:max.poll.records=10", "*:max.poll.records=500"]
    [row] = compute(config=consumer(), declared=declared).rows
    assert row.declared == "10"


def test_a_default_that_libraries_do_not_share_is_not_known_without_the_library() -> None:
    declared = ["billing:isolation.level=read_committed"]
    assert compute(config=consumer(), declared=declared).rows[0].value is None
    [row] = compute(config=consumer(), declared=declared, libraries=["*=librdkafka-2.3"]).rows
    assert (row.value, row.said) == ("read_committed", False)


def test_a_setting_of_which_no_default_is_known_here_is_not_known() -> None:
    assert compute(config=consumer(), declared=["billing:send.buffer.bytes=1"]).rows[0].value is None


def test_spellings_of_the_same_value_are_the_same() -> None:
    config = consumer(
        ("auto.offset.reset", "smallest"),
        ("partition.assignment.strategy", "org.apache.kafka.clients.consumer.StickyAssignor,com.example.Own"),
    )
    declared = ["*:auto.offset.reset=earliest", "*:partition.assignment.strategy=sticky, Own"]
    assert [(row.declared, row.value) for row in compute(config=config, declared=declared).rows] == [
        ("earliest", "earliest"),
        ("sticky,Own", "sticky,Own"),
    ]


def test_a_client_without_a_file_is_a_gap() -> None:
    observed = compute(config=consumer(), declared=["shop:max.poll.records=10"])
    assert observed.rows == []
    assert "max.poll.records is declared for shop" in observed.gaps[0].reason


@pytest.mark.parametrize("entry", ["billing", "billing=1", ":a=1", "billing:=1"])
def test_a_declaration_names_client_setting_and_value(entry: str) -> None:
    with pytest.raises(Misconfigured, match="write billing:session"):
        compute(config=consumer(), declared=[entry])
