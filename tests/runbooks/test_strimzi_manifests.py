"""Mistakes in manifests that only files hold, several namespaces among them, and the checks that find each.

Each is a small change of a platform that is well; those in which nothing is wrong fail nothing.
"""

import json
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final

import pytest

from runbook.cli.followed_run import execute
from runbook.run.check_run import Options
from support.strimzi_played import CONNECTS, KAFKAS, POOLS, TOPICS, platform

Things = list[dict[str, Any]]
OF: Final = {"Kafka": KAFKAS, "KafkaNodePool": POOLS, "KafkaTopic": TOPICS, "KafkaConnect": CONNECTS}


def well() -> Things:
    """The platform that is well, as files declare it, without what an API server adds."""
    played = platform()
    return [
        {"apiVersion": "kafka.strimzi.io/v1", "kind": kind}
        | {"metadata": {key: thing["metadata"][key] for key in ("name", "namespace", "labels")}, "spec": thing["spec"]}
        for kind, path in OF.items()
        for thing in deepcopy(played.items(path))
    ]


def one(things: Things, kind: str, name: str) -> dict[str, Any]:
    return next(each for each in things if each["kind"] == kind and each["metadata"]["name"] == name)


def unchanged(things: Things) -> None:
    """What is well stays well."""
    del things


def misspelt(things: Things) -> None:
    kafka = one(things, "Kafka", "orders")["spec"]["kafka"]
    kafka["listners"] = kafka.pop("listeners")


def resources_of_before(things: Things) -> None:
    pool = one(things, "KafkaNodePool", "brokers")["spec"]
    one(things, "Kafka", "orders")["spec"]["kafka"]["resources"] = pool.pop("resources")


def listener_of_before(things: Things) -> None:
    """A list of names: nothing else of the resource gets unknown by it."""
    kafka = one(things, "Kafka", "orders")["spec"]["kafka"]
    kafka["listeners"] = {"tls": {}}


def before_kraft(things: Things) -> None:
    """Neither pools nor KRaft, on storage that is lost with a pod; the template names a pool that is gone."""
    kafka = one(things, "Kafka", "orders")
    kafka["apiVersion"] = "kafka.strimzi.io/v1beta2"
    kafka["spec"]["kafka"] |= {"replicas": 12, "storage": {"type": "ephemeral"}}
    kafka["spec"]["kafka"] |= {
        key: one(things, "KafkaNodePool", "brokers")["spec"][key] for key in ("resources", "template")
    }
    kafka["spec"]["zookeeper"] = deepcopy(kafka["spec"]["kafka"]) | {"replicas": 1}
    for key in set(kafka["spec"]["zookeeper"]) - {"replicas", "storage", "resources"}:
        del kafka["spec"]["zookeeper"][key]
    things[:] = [each for each in things if each["kind"] != "KafkaNodePool"]


def dual(nodes: int) -> Callable[[Things], None]:
    """Few nodes of both roles, and replicas that fit."""

    def change(things: Things) -> None:
        pool = one(things, "KafkaNodePool", "brokers")
        pool["spec"] |= {"replicas": nodes, "roles": ["controller", "broker"]}
        things[:] = [each for each in things if each["kind"] not in ("KafkaNodePool", "KafkaTopic")] + [pool]
        config = one(things, "Kafka", "orders")["spec"]["kafka"]["config"]
        config |= {key: nodes for key in config if key.endswith("replication.factor")}
        config |= {"min.insync.replicas": 1, "transaction.state.log.min.isr": 1}

    return change


SMALL: Final = {
    *("declared-topics-get-three-copies", "declared-minimum-keeps-two-copies", "declared-controllers-are-odd"),
    "declared-inner-topics-get-three-copies",
}


def topic_alone(things: Things) -> None:
    topic = one(things, "KafkaTopic", "orders")
    topic["spec"] |= {"replicas": 1, "config": {"min.insync.replicas": 1}}
    things[:] = [topic]


def label_misspelt(things: Things) -> None:
    topic = one(things, "KafkaTopic", "orders")
    topic["spec"] |= {"replicas": 3, "config": {"min.insync.replicas": 2}}
    topic["metadata"]["labels"] = {"strimz.io/cluster": "orders"}


def again(kind: str, name: str, **spec: Any) -> Callable[[Things], None]:
    """Another of the kind and name, in another namespace."""

    def change(things: Things) -> None:
        twin = deepcopy(one(things, kind, name))
        twin["metadata"]["namespace"] = "dev"
        twin["spec"] |= spec
        things.append(twin)

    return change


def other_name_elsewhere(things: Things) -> None:
    the_whole_again(things)
    topic = next(each for each in things if each["kind"] == "KafkaTopic" and each["metadata"]["namespace"] == "dev")
    topic["spec"]["topicName"] = topic["metadata"]["name"]
    topic["metadata"]["name"] = "another"


def the_whole_again(things: Things) -> None:
    for thing in deepcopy(things):
        thing["metadata"]["namespace"] = "dev"
        things.append(thing)


CHANGES: Final[dict[str, tuple[Callable[[Things], None], set[str]]]] = {
    "nothing": (unchanged, set()),
    "a field is misspelt": (misspelt, {"declared-fields-are-known"}),
    "resources where v1 has none": (
        resources_of_before,
        {"declared-fields-are-known", "declared-nodes-ask-for-what-they-use"},
    ),
    "ephemeral storage before there were pools": (
        before_kraft,
        {
            *("declared-volumes-are-claims", "declared-controllers-are-odd", "declared-nodes-keep-apart"),
            "declared-clusters-run-kraft",
        },
    ),
    "two nodes": (dual(2), SMALL),
    "one node": (
        dual(1),
        {*SMALL, "declared-brokers-are-enough", "the-operator-accepts-declared-clusters"},  # Cruise Control
    ),
    "a listener that is none": (listener_of_before, {"declared-fields-are-known"}),
    "a topic alone with one copy": (
        topic_alone,
        {"declared-topics-have-three-copies", "declared-topics-outlive-a-broker"},
    ),
    "a label is misspelt": (label_misspelt, {"declared-resources-name-their-cluster"}),
    "a Connect of the same name in another namespace": (again("KafkaConnect", "connect"), set()),
    "a pool of another namespace": (
        again("KafkaNodePool", "controllers-eu-1a", roles=["controller", "broker"]),
        set(),
    ),
    "the same cluster in two namespaces": (the_whole_again, set()),
    "a topic by another name in another namespace": (other_name_elsewhere, set()),
    "two Connects of one group, by a full name": (
        again("KafkaConnect", "connect", bootstrapServers="orders-kafka-bootstrap.kafka.svc:9093"),
        {"no-two-groups-of-workers-are-one", "no-two-groups-of-workers-share-topics"},
    ),
}


def called(name: str) -> str:
    """The environment of a change."""
    return name.replace(" ", "-").replace(",", "")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, set[str]]]:
    """Outcome → environment → the checks that have it; all are of one run."""
    folder = tmp_path_factory.mktemp("manifests")
    absent = dict.fromkeys(("kubernetes", "kafka", "zookeeper"), "files only")
    environments: dict[str, Any] = {}
    for name, (change, _) in CHANGES.items():
        things = well()
        change(things)
        file = folder / f"{called(name)}.yaml"
        file.write_text("---\n".join(json.dumps(thing) + "\n" for thing in things))
        environments[called(name)] = {"manifests": {"paths": [str(file)]}, "absent": absent}
    inventory = folder / "environments.yaml"
    inventory.write_text(json.dumps({"environments": environments}))
    inventory.chmod(0o600)
    options = Options(runbooks=["kubernetes"], environments=["*"], inventory=inventory, deadline=200)
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for result in execute(options).run.results:
        found[result.outcome][result.environment].add(result.check.removeprefix("kubernetes/"))
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_each_mistake_in_files_is_found_by_the_checks_that_are_for_it(
    outcomes: dict[str, dict[str, set[str]]], name: str
):
    assert outcomes["fail"][called(name)] == CHANGES[name][1]


def test_listeners_that_cannot_be_read_hide_nothing_else_of_their_cluster(outcomes: dict[str, dict[str, set[str]]]):
    assert outcomes["unknown"][called("a listener that is none")] == {
        *("listeners-for-outside-are-guarded", "listeners-for-outside-are-encrypted", "listeners-inside-are-guarded")
    }
