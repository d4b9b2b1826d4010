from runbook.model.fact import Fact, Gap
from runbook.views.session_limit import SessionLimit, compute
from support.client_configs import consumer


def brokers(*settings: tuple[int, str, str | None]) -> Fact:
    nodes, names, values = ([row[at] for row in settings] for at in range(3))
    full = [f"group.{name}.session.timeout.ms" for name in names]
    return Fact("kafka_broker_setting", {"broker": nodes, "setting": full, "value": values})


BOTH = brokers((1, "min", "6000"), (1, "max", "1800000"), (2, "min", "8000"), (2, "max", "300000"))


def test_the_strictest_broker_counts() -> None:
    [row] = compute(config=consumer(("session.timeout.ms", "45000")), setting=BOTH).rows
    assert row == SessionLimit(
        client="billing", session_timeout=45000, session_timeouts=[45000], least=8000, most=300000, refused=False
    )


def test_a_broker_that_hides_its_bound_leaves_it_open() -> None:
    [row] = compute(config=consumer(), setting=brokers((1, "min", "6000"), (2, "min", None), (1, "max", "9000"))).rows
    assert (row.least, row.most) == (None, 9000)


def test_no_broker_says_no_bound() -> None:
    [row] = compute(config=consumer(), setting=brokers()).rows
    assert (row.least, row.most) == (None, None)


def test_of_the_new_protocol_there_is_no_row_and_of_an_unknown_one_nothing_is_known() -> None:
    assert compute(config=consumer(("group.protocol", "consumer")), setting=BOTH).rows == []
    observed = compute(config=consumer(("group.protocol", None), ("session.timeout.ms", "45000")), setting=BOTH)
    assert [gap.reason for gap in observed.gaps] == ["which protocol client billing speaks is not known"]
    [row] = observed.rows
    assert (row.session_timeout, row.session_timeouts) == (None, None)


def test_a_session_is_refused_where_no_broker_takes_it() -> None:
    def refused(ms: str, setting: Fact = BOTH) -> bool | None:
        return compute(config=consumer(("session.timeout.ms", ms)), setting=setting).rows[0].refused

    assert [refused(ms) for ms in ("3000", "7000", "400000", "2000000")] == [True, False, False, True]
    silent = Fact("kafka_broker_setting", BOTH.columns, [Gap("broker 3 did not answer", {"broker": 3})])
    assert refused("3000", silent) is None
    assert refused("3000", brokers()) is None
