"""What only kept a broker from our sight is undone first, whatever the order in which causes stand in the runbook."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, Kept, save_bundle
from runbook.model.diagnosis import Diagnosis
from runbook.run.check_run import Options
from support.evidence import record

OUT_OF_SIGHT = {
    "answers": False,
    "in_service": None,
    "failure": "timed out",
    "silence": "broker 3 did not answer in 10.0 s",
}


def without_sight(bundle: Bundle, broker: int) -> Bundle:
    """The same facts, seen from where this broker can't be reached; the cluster sees it alive."""

    def seen(kept: Kept) -> Kept:
        if kept.ask.probe != "kafka_broker":
            return kept
        columns: dict[str, list[Any]] = {name: [*cells] for name, cells in kept.facts[""].columns.items()}
        at = columns["broker"].index(broker)
        for name, cell in OUT_OF_SIGHT.items():
            columns[name][at] = cell
        return Kept(kept.ask, {"": replace(kept.facts[""], columns=columns)})

    return replace(bundle, kept=[*map(seen, bundle.kept)])


def diagnosed(bundle: Bundle, folder: Path) -> Diagnosis:
    save_bundle(folder / "bundle.json", bundle)
    [said] = execute(Options(runbooks=["ha"], bundle=folder / "bundle.json", deadline=60)).run.diagnoses
    return said


def test_a_broker_that_comes_back_follows_leaders_that_only_we_did_not_reach(tmp_path: Path) -> None:
    bundle = record.read(record.place_of("plain", "stop-broker", "during")).bundle
    said = diagnosed(without_sight(bundle, 3), tmp_path)
    out_of_reach, down = said.named
    assert (down.cause, out_of_reach.cause) == ("ha/broker-is-down", "ha/broker-is-out-of-our-reach")
    # A third of the partitions are led by the one that we don't reach: of them it takes both.
    assert {"ha/every-replica-is-in-sync", "ha/any-one-broker-may-fail"} <= {*down.helps} & {*out_of_reach.helps}
    assert "ha/every-replica-is-in-sync" not in said.unexplained
