from typing import Any

from runbook.model.fact import tabulate
from runbook.views.zookeeper_entry import VIEW, compute
from support.kafka_facts import fact

KNOWN = {"peer_port": 2888, "election_port": 3888, "role": "participant", "group": 0}


def listed(server: str, **hosts: str | None) -> list[dict[str, Any]]:
    """The list of a server: member, as in m1=zk-1."""
    return [KNOWN | {"server": server, "member": int(name[1:]), "host": host} for name, host in hosts.items()]


def entries(*rows: dict[str, Any]) -> dict[tuple[str, int], str | None]:
    made = tabulate("zookeeper_entry", VIEW.columns, compute(member=fact("zookeeper_member", [*rows])))
    return {(row["server"], row["member"]): row["entry"] for row in made.rows()}


def test_a_member_that_a_server_does_not_list_is_empty_there() -> None:
    found = entries(*listed("zk-1", m1="a", m2="b"), *listed("zk-2", m1="a"))
    assert found == {
        ("zk-1", 1): "a:2888:3888:participant",
        ("zk-1", 2): "b:2888:3888:participant",
        ("zk-2", 1): "a:2888:3888:participant",
        ("zk-2", 2): "",
    }


def test_a_server_may_list_itself_by_a_wildcard() -> None:
    """ZooKeeper takes that, and tells its peers no such address (QuorumCnxManager.InitialMessage.isWildcardAddress)."""
    found = entries(*listed("zk-1", m1="0.0.0.0", m2="b"), *listed("zk-2", m1="a", m2="::"))
    assert found["zk-1", 1] == found["zk-2", 1] == "a:2888:3888:participant"
    assert found["zk-1", 2] == found["zk-2", 2] == "b:2888:3888:participant"
    assert entries(*listed("zk-1", m1="0.0.0.0"))["zk-1", 1] == "0.0.0.0:2888:3888:participant"


def test_an_observer_that_an_admin_server_leaves_out_is_not_missing() -> None:
    observer = KNOWN | {"server": "zk-1", "member": 3, "host": "c", "role": "observer"}
    by_admin = [row | {"group": None} for row in listed("zk-2", m1="a")]
    assert ("zk-2", 3) not in entries(*listed("zk-1", m1="a"), observer, *by_admin)
    assert entries(*listed("zk-1", m1="a"), observer, *listed("zk-2", m1="a"))["zk-2", 3] == ""


def test_what_is_not_known_of_a_member_is_not_compared() -> None:
    assert entries(*listed("zk-1", m1=None))["zk-1", 1] is None
