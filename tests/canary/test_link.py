"""A canary's flight over processes that are played, and what is known when they are gone."""

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from runbook.canary import link as link_canary
from runbook.canary import processes
from runbook.canary.link import LinkCanary
from runbook.canary.messages import CanaryJob, CanaryReport, Made
from runbook.model.canary import Canary
from runbook.model.errors import CannotLook

Tell = Callable[[CanaryReport], None]


class Played:
    """A process that tells what the test lets it tell."""

    all: ClassVar["list[Played]"] = []

    def __init__(self, job: CanaryJob, take: Tell) -> None:
        self.job, self.take = job, take
        self.said: list[str] = []
        self.why = ""
        self.made = Made(job.topic)  # each site has one of its own
        self.left: list[str] | None = []
        self.does: dict[str, Callable[[], Any]] = {}
        self.never: set[str] = set()
        Played.all.append(self)
        AS_BEGUN(self)

    def say(self, word: str) -> None:
        """Note it, and do what the test has it do."""
        self.said.append(word)
        self.does.get(word, lambda: None)()

    def wait(self, kind: str, seconds: float) -> bool:
        """Whether it tells that, at once."""
        del seconds
        return kind not in self.never and not (kind == "ready" and self.why)

    def end(self, seconds: float) -> None:
        """Note it."""
        self.said.append(f"end {seconds > 0}")


def begun(played: Played) -> None:
    """A healthy world: ten records are acknowledged at the source, all come through; two are at the target."""
    now = time.monotonic()
    records = [(number, now - 20 + number) for number in range(10)]
    if played.job.role == "writer" and not played.job.topic.endswith("-target"):
        played.does["go"] = lambda: (
            played.take(CanaryReport("acknowledged", records=records)),
            Played.all[2].take(CanaryReport("copied", records=[(n, at + 0.5) for n, at in records[:COPIED]])),
        )
    elif played.job.role == "writer":
        played.does["go"] = lambda: (
            played.take(CanaryReport("acknowledged", records=[(0, time.monotonic())])),
            Played.all[2].take(CanaryReport("read", records=[(0, time.monotonic())])),
        )


AS_BEGUN: Callable[[Played], None] = begun
COPIED = 10


@pytest.fixture
def flight(monkeypatch: pytest.MonkeyPatch) -> LinkCanary:
    Played.all = []
    monkeypatch.setattr(processes, "Child", Played)
    monkeypatch.setattr(link_canary, "SETTLE", 0.1)
    monkeypatch.setattr(link_canary, "TAKEN", 0.2)
    canary = Canary(wait=1, acks=1, source={"sasl.username": "canary"})
    return LinkCanary(canary, ("eu", {"bootstrap.servers": "eu:9092", "sasl.username": "x"}), ("us", {}))


def quiet(_: str) -> None:
    """Say nothing."""


def test_a_flight_from_end_to_end_gives_every_figure(flight: LinkCanary):
    flight.begin(quiet)
    flight.switch()
    measured = flight.measure(quiet)
    assert measured.unknown == {}
    assert (measured.acknowledged, measured.rpo_records, measured.duplicates, measured.left) == (10, 0, 0, [])
    assert measured.rto_write is not None
    assert measured.rto_write > 0


def test_what_did_not_come_through_is_lost(flight: LinkCanary, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "COPIED", 7)
    flight.begin(quiet)
    flight.switch()
    measured = flight.measure(quiet)
    assert (measured.rpo_records, measured.rpo_seconds) == (3, 2.0)


def test_topics_have_a_word_that_no_other_drill_has_and_settings_of_the_canary_come_first(flight: LinkCanary):
    other = LinkCanary(Canary(), ("eu", {}), ("us", {}))
    assert flight.mark != other.mark
    flight.begin(quiet)
    source, target, reader = (played.job for played in Played.all)
    assert {job.mark for job in (source, target, reader)} == {flight.mark}
    assert (source.topic, target.topic) == (flight.mark, f"{flight.mark}-target")
    assert source.settings == {"bootstrap.servers": "eu:9092", "sasl.username": "canary"}
    assert (source.acks, reader.role) == ("1", "reader")


def test_producers_move_once_and_the_source_is_left_alone_then(flight: LinkCanary):
    flight.begin(quiet)
    flight.switch()
    flight.switch()
    source, target, _ = Played.all
    assert (source.said.count("stop"), target.said.count("go")) == (1, 1)


def test_without_a_move_nothing_is_said_of_what_was_lost(flight: LinkCanary):
    flight.begin(quiet)
    measured = flight.measure(quiet)
    assert set(measured.unknown) == {"rpo_records", "rpo_seconds", "rto_write", "rto_read"}


@pytest.mark.parametrize(
    ("which", "unknown"),
    [(0, {"rpo_records", "rpo_seconds", "rto_write"}), (2, {"rpo_records", "rpo_seconds", "duplicates"})],
)
def test_figures_that_need_a_process_which_died_are_unknown(flight: LinkCanary, which: int, unknown: set[str]):
    flight.begin(quiet)
    flight.switch()
    Played.all[which].why = "its process was ended by SIGABRT"
    measured = flight.measure(quiet)
    assert set(measured.unknown) == unknown
    assert all("SIGABRT" in why for why in measured.unknown.values())


@pytest.mark.parametrize("which", [0, 1])
def test_a_site_that_takes_no_topic_ends_it_and_nothing_is_left(flight: LinkCanary, which: int, monkeypatch: Any):
    def refused(played: Played) -> None:
        if len(Played.all) == which + 1:
            played.why = "it needs Create on topics of that name"

    monkeypatch.setitem(globals(), "AS_BEGUN", refused)
    with pytest.raises(CannotLook, match=f"can't write at {('eu', 'us')[which]}: it needs Create"):
        flight.begin(quiet)
    assert all("clean" in played.said for played in Played.all)


def test_two_names_of_one_cluster_are_refused_as_nothing_would_ever_be_lost(flight: LinkCanary, monkeypatch: Any):
    def same(played: Played) -> None:
        played.made = Made("the-same")

    monkeypatch.setitem(globals(), "AS_BEGUN", same)
    with pytest.raises(CannotLook, match="eu and us are one cluster"):
        flight.begin(quiet)
    assert all("clean" in played.said for played in Played.all)


def test_where_nothing_comes_through_the_figures_that_need_it_are_unknown(flight: LinkCanary, monkeypatch: Any):
    monkeypatch.setitem(globals(), "COPIED", 0)
    monkeypatch.setattr(link_canary, "deadline", lambda _: iter_once())
    texts: list[str] = []
    flight.begin(texts.append)
    flight.switch()
    measured = flight.measure(quiet)
    assert "no record came through the link in 1 min" in measured.unknown["rpo_records"]
    assert "no record came through" in flight.status() or measured.rto_write is not None
    assert any("waits for its first record" in text for text in texts)


def iter_once() -> Callable[[], float]:
    """Time for one look."""
    left = iter([1.0, 1.0, 1.0, 1.0])
    return lambda: next(left, 0.0)


def test_topics_that_could_not_be_removed_are_named_with_their_site(flight: LinkCanary):
    flight.begin(quiet)
    flight.switch()
    Played.all[0].left = None
    Played.all[1].left = ["eu.copy"]
    assert flight.measure(quiet).left == [f"{flight.mark} at eu", "eu.copy at us"]


def test_the_source_is_cleaned_before_the_target(flight: LinkCanary):
    flight.begin(quiet)
    order: list[str] = []
    for played, site in zip(Played.all, ("eu", "us", ""), strict=True):
        played.does["clean"] = lambda site=site: order.append(site)
    flight.measure(quiet)
    assert order == ["eu", "us"]


def test_abandoned_it_knows_nothing_and_removes_its_topics(flight: LinkCanary):
    flight.begin(quiet)
    flight.switch()
    measured = flight.abandon("the drill was paused")
    assert set(measured.unknown.values()) == {"the drill was paused"}
    assert measured.acknowledged == 10
    assert all("clean" in played.said for played in Played.all[:2])


def test_records_may_come_while_it_is_asked_how_it_goes(flight: LinkCanary):
    flight.begin(quiet)
    stop = threading.Event()

    def come() -> None:
        number = 100
        while not stop.is_set():
            Played.all[0].take(CanaryReport("acknowledged", records=[(number, time.monotonic())]))
            number += 1

    thread = threading.Thread(target=come)
    thread.start()
    try:
        statuses = {flight.status() for _ in range(200)}
    finally:
        stop.set()
        thread.join()
    assert all("records acknowledged at eu" in status for status in statuses)
