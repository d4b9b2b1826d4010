"""What a measurement is made of, and which cluster it never writes to."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.canary import load as of_load
from runbook.canary import load_writer
from runbook.canary.load import LoadRun, longest, planned, steady
from runbook.canary.load_writer import refuse_another
from runbook.canary.messages import CanaryJob, CanaryReport
from runbook.canary.payload import HEAD, payloads
from runbook.model.canary import Load
from runbook.model.errors import CannotLook
from runbook.model.measurement import ProducerSetting

ONE, ALL = ProducerSetting(acks="1"), ProducerSetting(acks="all", size=500)


class _Admin:
    def list_topics(self, **_: Any) -> Any:
        return self

    cluster_id = "there"


def test_another_cluster_than_the_inventory_pins_is_never_written_to():
    refuse_another(_Admin(), "")  # type: ignore[arg-type]
    refuse_another(_Admin(), "there")  # type: ignore[arg-type]
    with pytest.raises(CannotLook, match="cluster_id pinned, and this is there"):
        refuse_another(_Admin(), "pinned")  # type: ignore[arg-type]


def test_settings_take_turns_and_what_warms_up_does_not_count():
    trials = planned([ONE, ALL], 2, lambda of: 1e6 / of.size, 5)
    assert [(trial.number, trial.setting.acks) for trial in trials] == [(0, "1"), (1, "all"), (2, "1"), (3, "all")]
    assert [(trial.rate, trial.records, trial.warm) for trial in trials[:2]] == [
        (1000, 5000, 1000),
        (2000, 10000, 2000),
    ]
    assert longest(trials) > sum(trial.seconds for trial in trials)


def test_of_numbered_records_all_count():
    trial = steady(ALL, 100, 60)
    assert (trial.records, trial.warm, trial.spread) == (6000, 0, True)


def test_payloads_have_the_size_asked_are_different_and_the_same_each_time():
    found = payloads(1000)
    assert {len(payload) + HEAD.size for payload in found} == {1000}
    assert len({*found}) == len(found)
    assert found == payloads(1000)
    assert b'"order_id"' in found[0]


@pytest.mark.parametrize("asks", [1, 0])
def test_what_was_never_asked_for_is_not_removed_nor_left(monkeypatch: pytest.MonkeyPatch, asks: int):
    told: list[CanaryReport] = []

    def create(*_: Any, before: Callable[[], None], **__: Any) -> Any:
        if asks:
            before()
        raise CannotLook("no")

    for name, does in {"create": create, "AdminClient": _Reached, "remove": lambda *_: ["left"]}.items():
        monkeypatch.setattr(load_writer, name, does)
    for name, result in {"hold": None, "sweep": ([], [])}.items():
        monkeypatch.setattr(load_writer, name, lambda *_, result=result: result)
    nowhere = {"bootstrap.servers": "127.0.0.1:1"}
    job = CanaryJob(role="load", settings=nowhere, topic="t", mark="m", trials=planned([ONE], 1, lambda _: 1.0, 5))
    with pytest.raises(CannotLook):
        load_writer.load(job, nowhere, SimpleNamespace(tell=told.append))  # type: ignore[arg-type]
    reports = [(report.kind, report.left) for report in told]
    assert reports == ([("creating", []), ("cleaned", ["left"])] if asks else [("cleaned", [])])


class _Reached(_Admin):
    def __init__(self, _: Any) -> None:
        pass


class _Gone:
    """A process that ended; it told as much as `told`."""

    told: tuple[str, ...] = ()
    why, left, made = "can't be reached", None, None

    def __init__(self, *_: Any) -> None:
        pass

    def wait(self, kind: str, _: float) -> bool:
        return kind in self.told

    def say(self, word: str) -> None:
        pass

    def end(self, seconds: float) -> None:
        pass


@pytest.mark.parametrize(("told", "left"), [((), 0), (("creating",), 1)])
def test_a_topic_is_left_only_where_one_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...], left: int
):
    monkeypatch.setattr(of_load, "Child", _Gone)
    monkeypatch.setattr(_Gone, "told", told)
    with LoadRun(Load(), {}, planned([ONE], 1, lambda _: 1.0, 5)) as run, pytest.raises(CannotLook):
        run.begin()
    assert run.left == [run.mark] * left
