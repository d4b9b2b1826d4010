"""`runbook what-if` of a change: what stops stands first, and the exit code opens or closes a gate."""

import json
from pathlib import Path
from typing import Any

from support.changes_asked import LEADER_1, forecast

STOPS = (
    "while it copies: 1 partition that takes acks=all writes now refuses them, "
    "each until another copy of it is in sync: t-0"
)


def test_the_command_says_first_what_stops_and_ends_with_1(tmp_path: Path, command: Any) -> None:
    forecast(tmp_path, LEADER_1, [1, 2, 3])
    words = ("--from", str(tmp_path / "b.json"), "--reassign", str(tmp_path / "plan.json"))
    ended = command("what-if", *words, "--throttle", "1000000")
    assert ended.code == 1
    assert ended.out.splitlines()[1:4] == [
        "the change: 1 partition, 2 new copies, 6.0 MB",
        STOPS,
        "it takes: at least 6 s: broker 1 has the most to send or to take. What is written meanwhile comes on top",
    ]
    printed = json.loads(command("what-if", *words, "--format", "json").out)["environments"][0]["change"]
    assert (printed["stops_meanwhile"], printed["copied"], printed["seconds_at_least"]) == (["t-0"], 6_000_000, None)


def test_a_change_that_stops_nothing_says_so_and_ends_with_0(tmp_path: Path, command: Any) -> None:
    forecast(tmp_path, LEADER_1 | {"replicas": [1, 2], "isr": [1, 2], "needs": 2}, [2])
    ended = command("what-if", "--from", str(tmp_path / "b.json"), "--reassign", str(tmp_path / "plan.json"))
    assert (ended.code, ended.out.splitlines()[2]) == (0, "nothing stops that works now, and all of it can be done")
