"""Broker 3's address leads to another cluster's broker of that number: nothing of that one is taken for ours."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import kafka_lab as labs
from kafka_lab import LabState, proxies
from support.evidence.labs import Labs
from support.evidence.making import RUNBOOK
from support.kafka_libraries import BY_LIBRARY

# Thorough, as it takes a second cluster.
pytestmark = [pytest.mark.live, pytest.mark.thorough]
RUNS = 3
STRANGER = 3


@pytest.fixture
def led_astray(running: Labs) -> Iterator[tuple[LabState, LabState]]:
    """The cluster, and the other one to which broker 3's address leads."""
    ours, other = running.of("proxied"), running.of("plain")
    proxies.say(ours, {STRANGER: {"target": other.brokers[STRANGER - 1].port}})
    time.sleep(3 * proxies.SEEN_AFTER)
    try:
        yield ours, other
    finally:
        proxies.mend(ours)


def asked(ours: LabState, folder: Path, more: dict[str, str], *command: str) -> dict[str, object]:
    """What a command says where only broker 1 is named to begin with."""
    [entry] = yaml.safe_load(labs.running_inventory(Path(ours.folder).parent).read_text("utf-8"))[
        "environments"
    ].values()
    first = entry["kafka"]["bootstrap.servers"].partition(",")[0]
    entry["kafka"] |= {"bootstrap.servers": first, **more}
    entry.pop("cluster_id", None)
    file = folder / "environments.yaml"
    file.write_text(yaml.safe_dump({"environments": {"ours": entry}}), "utf-8")
    done = subprocess.run(
        [RUNBOOK, *command, "-i", str(file), "--deadline", "30s"],
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


@BY_LIBRARY
def test_every_run_says_the_same_and_nothing_of_the_other_cluster(
    led_astray: tuple[LabState, LabState], tmp_path: Path, more: dict[str, str]
):
    ours, other = led_astray
    runs = [asked(ours, tmp_path, more, "check", "ha", "-f", "json") for _ in range(RUNS)]
    verdicts = [{result["check"]: result["outcome"] for result in run["results"]} for run in runs]  # type: ignore[attr-defined]
    assert all(verdict == verdicts[0] for verdict in verdicts)
    passed = {check for check, outcome in verdicts[0].items() if outcome == "pass"}
    assert not passed & {"ha/brokers-agree", "ha/every-broker-answers", "ha/log-directories-work"}
    if more:  # librdkafka alone may take the other's answers for ours: nothing is known then
        assert set(verdicts[0].values()) <= {"unknown", "not_applicable"}
    else:
        assert verdicts[0]["ha/every-broker-answers"] == "fail"
    shown = json.dumps(runs)
    assert other.cluster_id in shown
    assert not [broker.address for broker in other.brokers if broker.address in shown]


@BY_LIBRARY
def test_the_word_for_it_is_another_cluster(
    led_astray: tuple[LabState, LabState], tmp_path: Path, more: dict[str, str]
):
    ours, other = led_astray
    fact = asked(ours, tmp_path, more, "probe", "kafka_broker", "--format", "json")["ours"]
    assert isinstance(fact, dict)
    if more:
        assert fact["columns"]["broker"] == []
        [gap] = fact["gaps"]
        assert f"at its address another cluster answers, whose id is {other.cluster_id}" in gap["reason"]
    else:
        assert fact["columns"]["failure"] == ["", "", "another cluster"]
