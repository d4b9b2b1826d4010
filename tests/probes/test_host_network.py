import json
from typing import Any

from support.recorded_hosts import look, recorded

LINKS: list[dict[str, Any]] = [
    {"ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "link_type": "loopback"},
    {
        "ifname": "eth0",
        "flags": ["UP", "LOWER_UP", "SLAVE"],
        "link_type": "ether",
        "linkinfo": {"info_slave_kind": "bond"},
    },
    {"ifname": "eth1", "flags": ["UP", "NO-CARRIER"], "link_type": "ether"},
    {"ifname": "bond0", "flags": ["UP", "LOWER_UP"], "link_type": "ether", "linkinfo": {"info_kind": "bond"}},
    {"ifname": "docker0", "flags": ["UP", "LOWER_UP"], "link_type": "ether", "linkinfo": {"info_kind": "bridge"}},
]


def test_it_tells_links_to_the_outside_from_what_is_made_of_them():
    [row] = look("host_network", recorded({"kafka-1": {"links": json.dumps(LINKS)}})).rows()
    assert (row["up"], row["down"], row["bonds"]) == (["eth0"], ["eth1"], ["bond0"])


def test_an_answer_that_is_no_list_of_links_is_a_gap():
    for text in ("", "[1]", '{"ifname": "eth0"}', '[{"flags": []}]'):
        fact = look("host_network", recorded({"kafka-1": {"links": text}}))
        assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"host": "kafka-1"}])
