"""A canary in one place over processes that are played, and what is known when they are gone."""

import time
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from runbook.canary import processes, single_cluster
from runbook.canary.messages import CanaryJob, CanaryReport, Made
from runbook.canary.single_cluster import SingleClusterCanary
from runbook.canary.single_cluster_records import GOING_ON
from runbook.model.canary import CanaryHere
from runbook.model.errors import CannotLook

Tell = Callable[[CanaryReport], None]
WHOLE = Made("a-cluster", 3, 3, insisted=True)
ROUND = 3 * GOING_ON


class Played:
    """A process that tells what the test lets it tell."""

    all: ClassVar["list[Played]"] = []
    made: ClassVar[Made] = WHOLE
    why_of: ClassVar[dict[str, str]] = {}

    def __init__(self, job: CanaryJob, take: Tell) -> None:
        self.job, self.take = job, take
        self.said: list[str] = []
        self.why = self.why_of.get(job.role, "")
        self.left: list[str] | None = []
        self.does: dict[str, Callable[[], Any]] = {"go": lambda: come(range(ROUND))}
        Played.all.append(self)

    def say(self, word: str) -> None:
        """Note it, and do what the test has it do."""
        self.said.append(word)
        if self.job.role == "writer":
            self.does.get(word, lambda: None)()

    def wait(self, kind: str, seconds: float) -> bool:
        """Whether it tells that, at once."""
        del seconds
        return not (kind == "ready" and self.why)

    def end(self, seconds: float) -> None:
        """Note it."""
        self.said.append(f"end {seconds > 0}")


def come(numbers: Any, *, read: bool = True) -> None:
    """These records are acknowledged, and read."""
    writer, reader = Played.all
    now = time.monotonic()
    writer.take(CanaryReport("acknowledged", records=[(number, now) for number in numbers]))
    if read:
        reader.take(CanaryReport("read", records=[(number, now) for number in numbers]))


@pytest.fixture
def hover(monkeypatch: pytest.MonkeyPatch) -> SingleClusterCanary:
    Played.all = []
    monkeypatch.setattr(Played, "made", WHOLE)
    monkeypatch.setattr(Played, "why_of", {})
    monkeypatch.setattr(processes, "Child", Played)
    for name in ("TAKE_OFF", "GO_ON", "SETTLE"):
        monkeypatch.setattr(single_cluster, name, 0.1)
    return SingleClusterCanary(
        CanaryHere(rate=200, kafka={"sasl.username": "canary"}), "eu", {"sasl.username": "x", "a": "b"}
    )


def quiet(_: str) -> None:
    """Say nothing."""


def going_on(words: str) -> None:
    """While it waits, records come as before."""
    if "go on" in words:
        come(range(ROUND, 2 * ROUND))


def test_it_flies_from_end_to_end_and_gives_every_figure(hover: SingleClusterCanary):
    hover.begin(quiet)
    measured = hover.measure(going_on)
    assert (measured.unknown, measured.caveats, measured.left) == ({}, [], [])
    assert (measured.acknowledged, measured.rpo_records, measured.duplicates) == (2 * ROUND, 0, 0)
    assert measured.rto_write is not None


def test_one_topic_is_written_and_read_with_settings_of_its_own_before_the_others(hover: SingleClusterCanary):
    hover.begin(quiet)
    writer, reader = (played.job for played in Played.all)
    assert writer.topic == reader.topic == writer.mark == hover.mark
    assert writer.settings == reader.settings == {"sasl.username": "canary", "a": "b"}
    assert writer.alone
    assert reader.alone


def test_where_not_every_partition_goes_on_after_the_last_step_no_time_is_told(hover: SingleClusterCanary):
    hover.begin(quiet)
    measured = hover.measure(quiet)
    assert set(measured.unknown) == {"rto_write", "rto_read"}
    assert measured.rpo_records == 0


def test_what_was_acknowledged_and_not_read_is_lost(hover: SingleClusterCanary):
    hover.begin(quiet)
    come([100], read=False)
    texts: list[str] = []
    assert hover.measure(texts.append).rpo_records == 1
    assert any("acknowledged records that it has not read" in text for text in texts)


def test_a_place_that_takes_no_topic_ends_it_and_nothing_is_left(hover: SingleClusterCanary, monkeypatch: Any):
    monkeypatch.setattr(Played, "why_of", {"writer": "it needs Create"})
    with pytest.raises(CannotLook, match="can't write at eu: it needs Create"):
        hover.begin(quiet)
    assert "clean" in Played.all[0].said


def test_a_place_that_can_not_be_read_ends_it_too(hover: SingleClusterCanary, monkeypatch: Any):
    monkeypatch.setattr(Played, "why_of", {"reader": "it needs Read"})
    with pytest.raises(CannotLook, match="can't read at eu: it needs Read"):
        hover.begin(quiet)
    assert "clean" in Played.all[0].said


def test_a_partition_that_takes_nothing_from_the_beginning_ends_it(hover: SingleClusterCanary, monkeypatch: Any):
    monkeypatch.setattr(Played, "made", Made("a-cluster", 4, 3, insisted=True))
    with pytest.raises(CannotLook, match="not every partition took 3 records"):
        hover.begin(quiet)
    assert "clean" in Played.all[0].said


@pytest.mark.parametrize(
    ("role", "unknown"),
    [
        (0, {"rpo_records", "rpo_seconds", "rto_write", "rto_read"}),
        (1, {"rpo_records", "rpo_seconds", "duplicates", "rto_read"}),
    ],
)
def test_figures_that_need_a_process_which_died_are_unknown(hover: SingleClusterCanary, role: int, unknown: set[str]):
    hover.begin(quiet)
    come(range(ROUND, 2 * ROUND))
    measured = hover.measure(lambda words: die(role, words))
    assert set(measured.unknown) >= unknown
    assert all("SIGABRT" in measured.unknown[name] for name in unknown)


def die(role: int, words: str) -> None:
    """A process dies while the canary waits, after records came once more."""
    going_on(words)
    Played.all[role].why = "its process was ended by SIGABRT"


@pytest.mark.parametrize(
    ("acks", "made", "said"),
    [
        (1, WHOLE, "acks=1: nothing follows"),
        ("all", Made("c", 2, 2), "its topic has 2 copies"),
        ("all", Made("c", 12, 3, insisted=True, idle=[13, 14]), "brokers 13, 14 led no partition"),
    ],
)
def test_what_the_figures_do_not_show_is_said(acks: Any, made: Made, said: str):
    [caveat] = SingleClusterCanary(CanaryHere(acks=acks), "eu", {}).caveats(made)
    assert said in caveat


def test_a_topic_that_could_not_be_removed_is_named(hover: SingleClusterCanary):
    hover.begin(quiet)
    Played.all[0].left = None
    assert hover.measure(going_on).left == [f"{hover.mark} at eu"]


def test_abandoned_it_knows_nothing_and_removes_its_topic(hover: SingleClusterCanary):
    hover.begin(quiet)
    measured = hover.abandon("the drill was paused")
    assert set(measured.unknown.values()) == {"the drill was paused"}
    assert measured.acknowledged == ROUND
    assert "clean" in Played.all[0].said


def test_it_stays_where_it_is_and_says_so(hover: SingleClusterCanary):
    hover.begin(quiet)
    assert "stays" in hover.switch()
    assert f"{ROUND} records acknowledged" in hover.status()
    assert f"{ROUND} read" in hover.status()
