"""What losses would stop, asked as a library: the same as the command says, with unknown as None and its reason."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runbook.api import Analysis, UsageError, what_if

HEALTHY = Path(__file__).parents[1] / "cases" / "ha" / "healthy.json"


def printed_by_command(*words: str) -> list[dict[str, Any]]:
    line = [sys.executable, "-m", "runbook", "what-if", "--from", str(HEALTHY), "--format", "json", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=800)
    found: list[dict[str, Any]] = json.loads(done.stdout)["environments"]
    return found


@pytest.mark.parametrize("lose", [[], ["broker:2"], ["broker:2", "broker:3"], ["rack:az-b"]])
def test_it_says_what_the_command_says(lose: list[str]) -> None:
    [cluster] = what_if(bundle=HEALTHY, lose=lose)
    [printed] = printed_by_command(*(word for broker in lose for word in ("--lose", broker)))
    assert isinstance(cluster, Analysis)
    assert len(cluster.scenarios) == len(printed["scenarios"]) > 0
    for name in ("name", "offline", "refusing_writes", "at_risk", "acks_1_at_risk", "quorum"):
        assert [getattr(scenario, name) for scenario in cluster.scenarios] == [
            scenario[name] for scenario in printed["scenarios"]
        ]


def test_what_is_lost_together_does_more_than_what_is_lost_alone() -> None:
    [alone], [together] = (
        what_if(bundle=HEALTHY, lose=lose)[0].scenarios for lose in (["broker:2"], ["broker:2,broker:3"])
    )
    assert alone.refusing_writes is not None
    assert together.refusing_writes is not None
    assert together.refusing_writes > alone.refusing_writes


def test_what_nobody_answered_is_none_and_said(tmp_path: Path) -> None:
    inventory = tmp_path / "environments.yaml"
    inventory.write_text("environments: {prod: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n", "utf-8")
    [cluster] = what_if(inventory=inventory, lose=["rack:az-b"], deadline=2)
    assert cluster.missing
    assert set(cluster.counts.values()) == {None}
    assert [scenario.offline for scenario in cluster.scenarios if scenario.offline is not None] == []


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="broker 77"):
        what_if(bundle=HEALTHY, lose=["broker:77"])
