import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest

import kafka_lab as labs
from kafka_lab import breaking, processes, recovery
from kafka_lab.errors import LabError
from kafka_lab.state import LabState, known
from kafka_lab.waiting import wait_until
from runbook.model.errors import UsageError

Pretend = Callable[[str], LabState]

RUNBOOKS = Path(__file__).parents[2] / "runbooks"


def test_every_fault_says_what_it_does_and_has_both_ways() -> None:
    for name, description in breaking.faults().items():
        assert description.endswith("."), name
        fault = breaking._load(name)
        assert callable(fault.inject)
        assert callable(fault.heal)


def test_listing_the_faults_runs_none_of_their_code() -> None:
    program = "import sys; from kafka_lab.breaking import faults; faults(); print('kafka_lab.faults' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_unknown_fault_is_said_with_the_ones_of_a_like_name(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    with pytest.raises(UsageError, match=r"no fault 'earthquake': runbook lab break names all \d+$"):
        labs.break_("one", "earthquake", home=tmp_path)
    with pytest.raises(UsageError, match=r"no fault 'stop-brokers'.*stop-broker\b"):
        labs.break_("one", "stop-brokers", home=tmp_path)


def test_a_lab_that_is_not_up_can_t_be_broken(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No lab named one is up"):
        labs.break_("one", "stop-broker", home=tmp_path)
    assert not (tmp_path / "one").exists()


def test_a_lab_without_a_living_broker_can_t_be_broken(pretend: Pretend, tmp_path: Path) -> None:
    for broker in pretend("one").brokers:
        processes.terminate(broker.process, patience=0)
    with pytest.raises(LabError, match="No broker of lab one is left to break"):
        labs.break_("one", "stop-broker", home=tmp_path)


def test_a_lab_of_one_broker_is_broken_by_no_fault_and_none_is_noted(pretend: Pretend, tmp_path: Path) -> None:
    small = pretend("one")
    for broker in small.brokers[1:]:
        processes.terminate(broker.process, patience=0)
    del small.brokers[1:]
    small.save()
    with pytest.raises(UsageError, match=r"made for labs of 3 brokers, and one has 1: .* runbook lab up --name other"):
        labs.break_("one", "freeze-broker", home=tmp_path)
    assert known("one", tmp_path).faults == []


def test_a_fault_of_a_part_that_the_lab_lacks_is_refused_and_not_noted(pretend: Pretend, tmp_path: Path) -> None:
    pretend("one")
    with pytest.raises(UsageError, match=r"Lab one has no groups, .* runbook lab up --name one --with groups$"):
        labs.break_("one", "stuck-reader", home=tmp_path)
    assert known("one", tmp_path).faults == []


class Recorder:
    """A fault that notes what is done with it."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self.log = log

    def inject(self, lab: LabState) -> None:
        """Note it, and fail where the name says so."""
        assert self.name in known(lab.name, Path(lab.folder).parent).faults
        self.log.append(f"inject {self.name}")
        if self.name == "fails":
            raise LabError("half done")

    def heal(self, _: LabState) -> None:
        """Note it, and wait in vain where the name says so."""
        self.log.append(f"heal {self.name}")
        if self.name == "lasts":
            looks = iter([False, True])
            wait_until(lambda: next(looks), "rain", within=60)
        if self.name.startswith("waits"):
            raise LabError("Waited 120 s in vain for rain")
        if self.name == "interrupted":
            raise KeyboardInterrupt

    def evident(self, _: LabState) -> Mapping[str, bool]:
        """Say that the lab can't be asked, but for what is healed: whether a part of it is left is in the name."""
        if f"heal {self.name}" not in self.log or self.name.endswith("unasked"):
            raise LabError("no broker answers")
        return {"it is dry": self.name.endswith("left"), "it is hot": False}


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    entries: list[str] = []
    monkeypatch.setattr(breaking, "_load", lambda name: Recorder(name, entries))
    monkeypatch.setattr(breaking, "bring_back", lambda _: entries.append("bring back"))
    monkeypatch.setattr(breaking, "make_whole", lambda _: entries.append("make whole"))
    return entries


def test_faults_are_undone_the_last_first(pretend: Pretend, tmp_path: Path, log: list[str]) -> None:
    pretend("one")
    for fault in ("a", "b", "a"):
        labs.break_("one", fault, home=tmp_path)
    assert labs.heal("one", home=tmp_path) == ["b", "a"]
    assert log == ["inject a", "inject b", "bring back", "heal b", "heal a", "make whole"]
    assert known("one", tmp_path).faults == []


def test_it_is_said_what_is_undone_and_what_is_waited_for_if_that_lasts(
    pretend: Pretend, tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend("one")
    labs.break_("one", "lasts", home=tmp_path)
    said: list[str] = []
    clock = count()
    monkeypatch.setattr("kafka_lab.waiting.time.monotonic", lambda: float(next(clock)))
    assert labs.heal("one", home=tmp_path, progress=said.append) == ["lasts"]
    assert said == ["Undoing lasts", "Waiting for rain"]
    assert log[-1] == "make whole"


def test_a_fault_injected_in_part_is_healed_too(pretend: Pretend, tmp_path: Path, log: list[str]) -> None:
    pretend("one")
    with pytest.raises(LabError, match="half done"):
        labs.break_("one", "fails", home=tmp_path)
    assert labs.heal("one", home=tmp_path) == ["fails"]
    assert log[-3:] == ["bring back", "heal fails", "make whole"]


def test_what_is_undone_is_off_the_list_also_where_what_follows_is_waited_for_in_vain(
    pretend: Pretend, tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend("one")
    for fault in ("a", "waits"):
        labs.break_("one", fault, home=tmp_path)
    told = r"vain for rain\nwaits itself is undone, and off the list of faults; .*: runbook check ha .*--env one$"
    monkeypatch.setattr(breaking, "seen_in", lambda _: "ha")
    with pytest.raises(LabError, match=told):
        labs.heal("one", home=tmp_path)
    assert known("one", tmp_path).faults == ["a"]
    assert labs.heal("one", home=tmp_path) == ["a"]
    assert log[-2:] == ["heal a", "make whole"]


@pytest.mark.parametrize("fault", ["waits, something left", "waits, unasked"])
def test_what_is_not_undone_or_not_known_to_be_stays_on_the_list(
    pretend: Pretend, tmp_path: Path, log: list[str], fault: str
) -> None:
    pretend("one")
    labs.break_("one", fault, home=tmp_path)
    with pytest.raises(LabError, match=rf"rain\n{fault} stays noted; try again: runbook lab heal --name one$"):
        labs.heal("one", home=tmp_path)
    assert known("one", tmp_path).faults == [fault]
    assert "make whole" not in log


def test_what_is_undone_is_off_the_list_also_for_who_waits_no_longer(
    pretend: Pretend, tmp_path: Path, log: list[str]
) -> None:
    pretend("one")
    labs.break_("one", "interrupted", home=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        labs.heal("one", home=tmp_path)
    assert known("one", tmp_path).faults == []
    assert log[-1] == "heal interrupted"


def test_a_rack_is_lost_at_once_where_no_majority_is_left_to_fence_it(
    pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kafka_lab.recovery.wait_until_all_see", lambda *_, **__: waited.append("for the cluster"))
    waited: list[str] = []
    lab = pretend("one")
    assert recovery.has_majority(lab)
    labs.break_("one", "stop-broker", home=tmp_path)
    assert (recovery.has_majority(lab), waited) == (True, ["for the cluster"])
    lab = labs.break_("one", "lose-rack", home=tmp_path)
    assert (recovery.has_majority(lab), waited) == (False, ["for the cluster"])
    assert lab.faults == ["stop-broker", "lose-rack"]
    assert [broker.condition for broker in lab.brokers] == ["alive", "stopped", "stopped"]


def test_a_fault_of_a_lab_that_can_not_be_asked_is_injected_all_the_same(
    pretend: Pretend, tmp_path: Path, log: list[str]
) -> None:
    pretend("one")
    labs.break_("one", "a", home=tmp_path)
    assert labs.break_("one", "b", home=tmp_path).faults == ["a", "b"]
    assert log == ["inject a", "inject b"]
    with pytest.raises(LabError, match=r"half done\. It may be for a, b: runbook lab heal --name one"):
        labs.break_("one", "fails", home=tmp_path)


def test_a_broker_that_is_lost_already_is_not_said_to_be_frozen(
    pretend: Pretend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kafka_lab.recovery.wait_until_all_see", lambda *_, **__: None)
    monkeypatch.setattr("kafka_lab.faults.freeze_broker.live_brokers", lambda _: {1, 2})
    monkeypatch.setattr(
        "kafka_lab.faults.stop_broker.losses", lambda lab, _: {"gone": lab.broker(2).condition == "stopped"}
    )
    pretend("one")
    labs.break_("one", "lose-rack", home=tmp_path)
    said = "freeze-broker changed nothing beside lose-rack: that the process of broker 3 is frozen does not hold"
    with pytest.raises(LabError, match=rf"{said}\. First: runbook lab heal --name one"):
        labs.break_("one", "freeze-broker", home=tmp_path)
    assert known("one", tmp_path).faults == ["lose-rack"]
    assert labs.break_("one", "stop-broker", home=tmp_path).faults == ["lose-rack", "stop-broker"]


def test_every_fault_names_a_runbook_that_there_is_and_shows_it():
    seen = {fault: breaking.seen_in(fault) for fault in breaking.faults()}
    assert set(seen.values()) <= {file.stem for file in RUNBOOKS.glob("*.md")}
    assert (seen["stop-broker"], seen["tiny-heap"], seen["full-disk"]) == ("ha", "gc", "ha")
