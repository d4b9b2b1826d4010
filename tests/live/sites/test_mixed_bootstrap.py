"""A bootstrap list that leads to two clusters: whoever answers first, nothing is asked of either."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from kafka_lab import LabState, forwarder
from kafka_lab.ports import free_ports
from kafka_lab.signs import refuses
from support.kafka_libraries import BY_LIBRARY
from support.until import until

pytestmark = pytest.mark.live
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
SAID = "bootstrap.servers leads to 2 clusters"


@pytest.fixture
def late(sites: LabState, tmp_path: Path) -> Iterator[str]:
    """An address that leads to the other site, and takes 0.2 s for each piece in either direction."""
    [port] = free_ports(1)
    ways = tmp_path / "ways.json"
    ways.write_text(json.dumps({str(port): {"delay": 0.2}}), "ascii")
    target = sites.clusters[1].brokers[0].port
    with subprocess.Popen([sys.executable, forwarder.__file__, str(ways), f"{port}:{target}"]) as process:
        try:
            assert until(lambda: not refuses(port))
            yield f"127.0.0.1:{port}"
        finally:
            process.kill()


def mixed(sites: LabState, folder: Path, *, turned: bool, pinned: bool, other: str = "", **more: str) -> str:
    """An inventory whose one environment names a broker of each site; its file."""
    servers = [sites.brokers[0].address, other or sites.clusters[1].brokers[0].address]
    kafka = {"bootstrap.servers": ",".join(reversed(servers) if turned else servers), **more}
    environment = {"kafka": kafka} | ({"cluster_id": sites.cluster_id} if pinned else {})
    file = folder / "environments.yaml"
    file.write_text(yaml.safe_dump({"environments": {"mixed": environment}}), "utf-8")
    return str(file)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would."""
    return subprocess.run([RUNBOOK, *arguments], capture_output=True, text=True, timeout=800, check=False)


@pytest.mark.parametrize("pinned", [True, False], ids=["pinned", "not pinned"])
@pytest.mark.parametrize("turned", [True, False], ids=["the other first", "the one first"])
@BY_LIBRARY
def test_nothing_passes_nothing_fails_and_the_reason_names_both(
    sites: LabState, tmp_path: Path, more: dict[str, str], *, turned: bool, pinned: bool
):
    judged(sites, mixed(sites, tmp_path, turned=turned, pinned=pinned, **more))


@BY_LIBRARY
def test_that_one_of_them_is_slow_changes_nothing(sites: LabState, tmp_path: Path, late: str, more: dict[str, str]):
    judged(sites, mixed(sites, tmp_path, turned=False, pinned=False, other=late, **more))


def judged(sites: LabState, inventory: str) -> None:
    """Run a runbook, and see that nothing was taken for known."""
    # A deadline that leaves time for processes that have to wait for a processor.
    done = run("check", "ha", "-i", inventory, "-f", "json", "--deadline", "30s")
    results = json.loads(done.stdout)["results"]
    asked = [result for result in results if result["outcome"] != "not_applicable"]
    assert {result["outcome"] for result in asked} == {"unknown"}
    assert done.returncode == 3
    assert all(
        SAID in result["reason"] for result in asked if "kafka" in result["reason"] or "cluster" in result["reason"]
    )
    assert sum(SAID in result["reason"] for result in asked) > len(asked) // 2
    assert sites.cluster_id in done.stdout
    assert sites.clusters[1].cluster_id in done.stdout


@pytest.mark.parametrize("command", [["what-if"], ["env"], ["probe", "kafka_topic"]], ids=" ".join)
def test_no_other_command_takes_one_of_them_for_the_cluster(sites: LabState, tmp_path: Path, command: list[str]):
    inventory = mixed(sites, tmp_path, turned=False, pinned=False)
    done = run(*command, "-i", inventory)
    assert SAID in " ".join((done.stdout + done.stderr).replace("│", " ").split())
    assert "survives" not in done.stdout
    assert done.returncode != 0 or command == ["env"]
