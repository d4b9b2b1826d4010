"""A bootstrap list that leads to two clusters: whoever answers first, nothing is asked of either."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from runbook.lab import LabState

pytestmark = pytest.mark.live
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
SAID = "bootstrap.servers leads to 2 clusters"


def mixed(sites: LabState, folder: Path, *, turned: bool, pinned: bool, **more: str) -> str:
    """An inventory whose one environment names a broker of each site; its file."""
    there = sites.clusters[1]
    servers = [sites.brokers[0].address, there.brokers[0].address]
    kafka = {"bootstrap.servers": ",".join(reversed(servers) if turned else servers), **more}
    environment = {"kafka": kafka} | ({"cluster_id": sites.cluster_id} if pinned else {})
    file = folder / "environments.yaml"
    file.write_text(yaml.safe_dump({"environments": {"mixed": environment}}), "utf-8")
    return str(file)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would."""
    return subprocess.run([RUNBOOK, *arguments], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("pinned", [True, False], ids=["pinned", "not pinned"])
@pytest.mark.parametrize("turned", [True, False], ids=["the other first", "the one first"])
@pytest.mark.parametrize("more", [{}, {"ssl.curves.list": "X25519"}], ids=["both libraries", "librdkafka alone"])
def test_nothing_passes_nothing_fails_and_the_reason_names_both(
    sites: LabState, tmp_path: Path, more: dict[str, str], *, turned: bool, pinned: bool
):
    inventory = mixed(sites, tmp_path, turned=turned, pinned=pinned, **more)
    done = run("check", "ha", "-i", inventory, "-f", "json")
    results = json.loads(done.stdout)["results"]
    asked = [one for one in results if one["outcome"] != "not_applicable"]
    assert {one["outcome"] for one in asked} == {"unknown"}
    assert done.returncode == 3
    assert all(SAID in one["reason"] for one in asked if "kafka" in one["reason"] or "cluster" in one["reason"])
    assert sum(SAID in one["reason"] for one in asked) > len(asked) // 2
    assert sites.cluster_id in done.stdout
    assert sites.clusters[1].cluster_id in done.stdout


@pytest.mark.parametrize("command", [["what-if"], ["env"], ["probe", "kafka_topic"]], ids=" ".join)
def test_no_other_command_takes_one_of_them_for_the_cluster(sites: LabState, tmp_path: Path, command: list[str]):
    inventory = mixed(sites, tmp_path, turned=False, pinned=False)
    done = run(*command, "-i", inventory)
    assert SAID in " ".join((done.stdout + done.stderr).replace("│", " ").split())
    assert "survives" not in done.stdout
    assert done.returncode != 0 or command == ["env"]
