"""The checks of topologies.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

_HIERARCHY = "the lab's ensemble has three servers and no groups, which Kafka 4 has no use for: recorded servers only"
_NEAR = "all hosts of the lab are one machine, without a distance to measure: recorded connections only"
_SILENT = "a walk sees it, not a state that is kept: tests/live/stretched/test_walked.py"
NEVER_PASS: Final = {
    "lost-brokers-are-down": _SILENT,
    "brokers-use-zookeeper-of-their-data-centre": "brokers of the lab know all servers, as ha.md asks of them",
    "data-centres-are-near-each-other": _NEAR,
    "zookeeper-groups-are-data-centres": _HIERARCHY,
}
NEVER_FAIL: Final = {
    "lost-brokers-are-down": "no fault of the lab cuts a broker off from the controllers and not from us",
    "data-centres-are-near-each-other": _NEAR,
    "zookeeper-groups-are-data-centres": _HIERARCHY,
    "zookeeper-servers-agree-on-groups": "the lab starts all servers with the same members, in no groups",
    "one-location-has-three-controllers": "labs have three voters; one taken away would stay so if the test broke off",
    "one-location-has-three-zookeeper-servers": "fewer servers are another lab; without a majority of three "
    "brokers can't tell where they stand",
    "the-distance-costs-writers-little": "how long copies take to be made on one machine is not the test's to say",
}
