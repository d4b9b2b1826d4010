from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.zookeeper_reach import VIEW, compute
from support.placed_brokers import FOUR, SITES, brokers

SERVER = Fact(
    "zookeeper_server",
    {
        "server": ["e", "w", "x"],
        "host": ["zk-e", "zk-w", "zk-x"],
        "port": [2181] * 3,
        "rack": ["east-9", "west-9", None],
    },
)


def reach(servers: list[str] | None, racks: dict[int, str | None] | None = None) -> dict[str, Any]:
    config = Fact("kafka_broker_config", {"broker": [1], "zookeeper_servers": [servers]})
    observed = compute(config=config, broker=brokers(FOUR if racks is None else racks), server=SERVER, sites=SITES)
    return next(tabulate("zookeeper_reach", VIEW.columns, observed).rows())


def test_servers_are_near_or_far_by_data_centre_and_not_by_rack() -> None:
    row = reach(["zk-e:2181", "zk-w:2181"])
    assert (row["data_centre"], row["near"], row["far"], row["strange"]) == ("east", ["e"], ["w"], [])


def test_an_address_that_nobody_has_placed_is_strange() -> None:
    row = reach(["zk-e:2181", "zk-x:2181", "zk-e:2182"])
    assert (row["near"], row["far"], row["strange"]) == (["e"], None, ["zk-x:2181", "zk-e:2182"])
    row = reach(["zk-w:2181", "zk-x:2181"])
    assert (row["near"], row["far"]) == (None, ["w"])


def test_a_broker_of_unknown_place_or_settings_is_near_to_nobody_knows_what() -> None:
    assert reach(["zk-e:2181"], {1: None})["near"] is None
    assert reach(["zk-e:2181"], {2: "west-1"})["near"] is None
    assert reach(None)["near"] is None
