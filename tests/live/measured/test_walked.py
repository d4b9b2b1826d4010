"""Why a client is slow, looked into by the text of observability.md, on a lab whose clients show their metrics."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import pytest

from kafka_lab import LabState
from kafka_lab.inventory import environment
from kafka_lab.processes import Process
from support.careful_walker import Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import Operator, completed

pytestmark = [pytest.mark.live, pytest.mark.thorough]
HOW_QUICK: Final = {
    "observability/produce-is-quick": {"ms": 60_000, "least": 1},
    "observability/request-handlers-have-time": {"idle": 0.01},
    "observability/network-threads-have-time": {"idle": 0.01},
}
"""What a healthy lab may be like on a machine that has other things to do."""


@pytest.fixture
def lab(running: Labs) -> LabState:
    """Brokers, a producer and a consumer that show what they measure; nothing of them is changed."""
    up = running.of("measured")
    assert isinstance(up, LabState)
    return up


@pytest.mark.parametrize("left_out", wrong((3, 6)))
def test_it_is_found_out_why_a_client_is_slow(
    lab: LabState, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    said = environment(lab)
    said["params"] = said.get("params", {}) | HOW_QUICK
    (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {"lab": said}}), "utf-8")
    operator = Operator(lab, tmp_path)
    process = msgspec.convert(lab.parts["clients"]["processes"]["producer"], Process)

    def looks(commands: Sequence[str]) -> None:
        operator.types()(commands)
        assert "clicking" in operator.output

    def dumps(commands: Sequence[str]) -> None:
        operator.types({"PID": str(process.pid)})(commands)
        assert "kafka-producer-network-thread | clicking" in operator.output

    person = Forgetful(left_out)
    record = person.walks(
        Walked(operator.folder, "observability#find-why-a-client-is-slow", "lab"),
        [does_nothing, does_nothing, looks, does_nothing, does_nothing, dumps],
    )
    notes(person.lines("observability#find-why-a-client-is-slow"))
    assert completed(record), record.entries[-3:]
    keeps(record, "measured", person.way, person.noticed)
