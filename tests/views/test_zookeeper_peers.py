from runbook.model.fact import tabulate
from runbook.views.zookeeper_peers import VIEW, compute
from support.kafka_facts import fact


def others_serve(*states: str | None) -> list[bool | None]:
    """What is told of each server that answers; "" is one that does not."""
    rows = [{"server": f"zk-{n}", "answers": state != "", "state": state or None} for n, state in enumerate(states)]
    computed = tabulate("zookeeper_peers", VIEW.columns, compute(server=fact("zookeeper_server", rows)))
    return [row["others_serve"] for row in computed.rows()]


def test_others_serve_where_one_of_them_leads_or_follows() -> None:
    assert others_serve("idle", "leader", "idle") == [True, False, True]


def test_without_a_majority_nobody_serves_and_who_is_silent_tells_nothing() -> None:
    assert others_serve("idle", "", "") == [False]
    assert others_serve("idle", "idle", "") == [False, False]


def test_servers_that_stand_alone_and_observers_are_no_majority() -> None:
    assert others_serve("idle", "standalone", "observer")[0] is False


def test_one_that_does_not_say_may_serve() -> None:
    assert others_serve("idle", None, "idle")[0] is None
    assert others_serve("idle", None, "leader")[0] is True
