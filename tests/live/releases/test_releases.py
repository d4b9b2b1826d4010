"""Each line of Kafka's releases from 2.8 on, started once: what it can't tell is unknown, with the release that can."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from support.one_broker import OneBroker
from support.one_broker_used import ABSENT, use

pytestmark = [pytest.mark.live, pytest.mark.thorough]
RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
WITH_ZOOKEEPER: Final = ("2.8.2", "3.0.2", "3.1.2", "3.2.3")
IN_KRAFT: Final = (
    "3.3.2",
    "3.4.1",
    "3.5.2",
    "3.6.2",
    "3.7.2",
    "3.8.1",
    "3.9.2",
    "4.0.2",
    "4.1.2",
    "4.2.2",
    "4.3.1",
    "4.4.0",
)
BEFORE_3_3: Final = {"ha/log-directories-have-room": "Kafka tells it from 3.3 on"}
BEFORE_3_0: Final = {
    "topics/no-record-is-from-the-future": "Kafka reports it from 3.0 on",
    "topics/topics-are-used": "Kafka reports it from 3.0 on",
}
ALONE: Final = {  # a server of ZooKeeper without others has no list of them
    "topologies/the-layout-with-zookeeper-is-as-decided": "no server reported who has a vote",
    "topologies/zookeeper-groups-are-data-centres": "no server reported who has a vote",
}
BY_LINE_ALONE: Final = {"security/no-line-of-releases-has-a-known-vulnerability": "a host's jars show"}


def unknown_in(release: str) -> dict[str, str]:
    """The checks of which this release can't tell all, and what they say of it."""
    line = tuple(map(int, release.split(".")[:2]))
    return {
        **(ALONE if release in WITH_ZOOKEEPER else {}),
        **(BEFORE_3_0 if line < (3, 0) else {}),
        **(BEFORE_3_3 if line < (3, 3) else {}),
        **(BY_LINE_ALONE if (3, 9) <= line <= (4, 1) else {}),
    }


@pytest.fixture(params=[*WITH_ZOOKEEPER, *IN_KRAFT])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OneBroker]:
    """One broker of a release, with a topic that a group has read."""
    started = OneBroker(tmp_path, request.param, zookeeper=request.param in WITH_ZOOKEEPER)
    try:
        started.format()
        started.start(started.configure("broker.rack=a\n"))
        use(started.address)
        yield started
    finally:
        started.end()


def checked(broker: OneBroker) -> dict[str, dict[str, Any]]:
    """Every built-in check, by its name; what only other systems tell is declared absent."""
    environment: dict[str, Any] = {
        "kafka": {"bootstrap.servers": broker.address},
        "labels": {"tier": "sandbox"},
        "active": True,
        "absent": dict.fromkeys(ABSENT, "this is one broker"),
    }
    if broker.zookeeper:
        environment["zookeeper"] = {"servers": {"zk-1": {"address": broker.zookeeper, "rack": "a"}}}
    else:
        environment["absent"]["zookeeper"] = "KRaft"
    inventory = broker.folder / "environments.yaml"
    inventory.write_text(json.dumps({"environments": {"one": environment}}), "utf-8")
    command = [RUNBOOK, "check", "-i", str(inventory), "-f", "json", "--deadline", "60s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    return {result["check"]: result for result in json.loads(done.stdout)["results"]}


def test_what_a_release_can_t_tell_is_unknown_with_the_release_that_can(broker: OneBroker) -> None:
    results = checked(broker)
    unknown = {name: result["reason"] for name, result in results.items() if result["outcome"] == "unknown"}
    expected = unknown_in(broker.release)
    assert {name: why for name, why in unknown.items() if expected.get(name, "\0") not in why} == {}
    assert expected.keys() <= unknown.keys()
    passed = {name for name, result in results.items() if result["outcome"] == "pass"}
    assert {"ha/every-partition-has-a-leader", "ha/every-broker-answers", "consumers/no-group-is-stuck"} <= passed
    assert not [name for name, result in results.items() if "this request" in json.dumps(result)]
