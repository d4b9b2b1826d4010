from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.zookeeper_address import VIEW, compute


def addresses(clients: dict[tuple[str, str], list[int]], limits: dict[str, int | None]) -> dict[str, dict[str, Any]]:
    sessions = [(server, host, port) for (server, host), ports in clients.items() for port in ports]
    columns = {name: [one[place] for one in sessions] for place, name in enumerate(("server", "host", "port"))}
    config = Fact("zookeeper_config", {"server": [*limits], "max_client_connections": [*limits.values()]})
    rows = tabulate("x", VIEW.columns, compute(client=Fact("zookeeper_client", columns), config=config)).rows()
    return {row["host"]: row for row in rows}


def test_the_server_with_the_largest_share_in_use_stands_for_an_address():
    clients = {("zk-1", "10.0.0.1"): [9, 8, 7], ("zk-2", "10.0.0.1"): [6, 5], ("zk-1", "10.0.0.2"): [4]}
    rows = addresses(clients, {"zk-1": 60, "zk-2": 2})
    crowded = rows["10.0.0.1"]
    assert (crowded["server"], crowded["sessions"], crowded["limit"], crowded["full"]) == ("zk-2", 2, 2, ["zk-2"])
    assert crowded["further_ports"] == [6, 7, 8, 9]
    assert (rows["10.0.0.2"]["sessions"], rows["10.0.0.2"]["full"]) == (1, [])


def test_a_server_without_a_limit_is_never_full():
    row = addresses({("zk-1", "10.0.0.1"): [9, 8]}, {"zk-1": 0})["10.0.0.1"]
    assert (row["limit"], row["full"]) == (0, [])


def test_a_limit_that_a_server_did_not_report_leaves_its_addresses_undecided():
    rows = addresses({("zk-1", "10.0.0.1"): [9], ("zk-3", "10.0.0.1"): [8], ("zk-1", "10.0.0.2"): [7]}, {"zk-1": 60})
    undecided = rows["10.0.0.1"]
    assert (undecided["server"], undecided["sessions"], undecided["limit"], undecided["full"]) == (None,) * 4
    assert rows["10.0.0.2"]["limit"] == 60
