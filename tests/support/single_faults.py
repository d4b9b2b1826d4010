"""Thirty-five single faults in the repository of `platform_repository`: careless ones, and mistakes of form."""

from collections.abc import Callable
from typing import Any, Final

import yaml

from support.strimzi_fault import merged
from support.strimzi_faults import FAULTS

Files = dict[str, str]
Edit = Callable[[Files], None]

_PLACES: Final = {
    "kafkas": ("clusters/prod/orders.yaml", "orders"),
    "kafkanodepools": ("clusters/prod/orders.yaml", "brokers"),
    "kafkatopics": ("teams/checkout/prod/topics.yaml", "checkout.orders"),
    "kafkausers": ("teams/billing/prod/users.yaml", "billing-api"),
    "kafkaconnects": ("clusters/prod/orders-connect.yaml", "connect"),
    "kafkaconnectors": ("teams/fraud/prod/connectors.yaml", "fraud-db"),
    "kafkamirrormaker2s": ("clusters/prod/edge.yaml", "from-payments"),
    "kafkabridges": ("clusters/prod/bridge.yaml", "web"),
}
"""Plural of a kind → the file and name of the resource that is changed."""
_CARELESS: Final = (
    *("no default replication", "a minimum of one", "a minimum of all", "transactions with one in sync"),
    *("no such value", "unclean elections", "super users in config", "no authorizer", "no racks"),
    *("renewed three days before the end", "in the clear inside", "any pod inside", "a port that is taken"),
    *(
        "one broker left",
        "one ephemeral volume of two",
        "brokers that may share a node",
        "claims deleted with the pool",
    ),
    *("a heap as large as the memory", "a topic with one copy", "a topic with more copies than brokers"),
    *("a topic of a cluster that is not there", "a user who may write everything", "a connector with its password"),
    *("a connector with a login in an address", "a connector that drops records", "a group of two", "one worker"),
)
"""Of the 92 faults that `strimzi_faults` makes, those that stand in files."""


def single_faults() -> dict[str, Edit]:
    """The faults, by name: the edit of a repository's files that makes each."""
    found = {}
    for name in _CARELESS:
        fault = FAULTS[name]
        change = {"spec": {"groupId": "from-payments"}} if name == "a group of two" else fault.change
        found[name] = _merge(*_PLACES[fault.path.rpartition("/")[2]], change)
    return found | MISTYPED


def _text(path: str, old: str, new: str) -> Edit:
    def edit(files: Files) -> None:
        assert old in files[path], (path, old)
        files[path] = files[path].replace(old, new, 1)

    return edit


def _merge(path: str, named: str, change: dict[str, Any]) -> Edit:
    """Merge a change into a resource, as RFC 7386 says; the file is written anew."""

    def edit(files: Files) -> None:
        things = [thing for thing in yaml.safe_load_all(files[path]) if thing]
        assert any(thing["metadata"]["name"] == named for thing in things), (path, named)
        done = [merged(thing, change) if thing["metadata"]["name"] == named else thing for thing in things]
        files[path] = yaml.safe_dump_all(done, sort_keys=False)

    return edit


_FILE: Final = _PLACES["kafkatopics"][0]
MISTYPED: Final[dict[str, Edit]] = {
    "a field is misspelt": _text(_FILE, "  partitions: ", "  partition: "),
    "a field of an older API": _merge(*_PLACES["kafkas"], {"spec": {"kafka": {"replicas": 3}}}),
    "text for a number": _merge(*_PLACES["kafkatopics"], {"spec": {"replicas": "three"}}),
    "a value that there is not": _merge(*_PLACES["kafkanodepools"], {"spec": {"roles": ["brokers"]}}),
    "a field that must be there": _merge(*_PLACES["kafkanodepools"], {"spec": {"storage": None}}),
    "a kind is misspelt": _text(_FILE, "kind: KafkaTopic", "kind: KafkaTopc"),
    "a key stands twice": _text(_FILE, "  replicas: 3\n", "  replicas: 3\n  replicas: 3\n"),
    "two resources of one name": _text(_FILE, "name: checkout.events", "name: checkout.orders"),
}
"""Of form: what a schema or a parser can know of, and a name that stands twice."""
