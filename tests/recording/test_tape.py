"""What was answered is told again, to whom it was; and what nobody asked then is no answer."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from runbook.model.errors import Denied, TimedOut
from runbook.model.probe import Deadline
from runbook.recording.pool import Pool
from runbook.recording.question import opened, question
from runbook.recording.secrets import stand_in, stand_ins, without_secrets
from runbook.recording.tape import (
    Header,
    NotRecordedError,
    Recorder,
    Recording,
    Replay,
    on_behalf_of,
    read_recording,
)
from runbook.safety.redaction import Redaction
from runbook.safety.secret import HIDDEN


class System:
    """Counts how often it was asked."""

    def __init__(self, clock: Deadline) -> None:
        self.clock = clock
        self.asked = 0

    @question("system", without=("patience",))
    def ask(self, what: str, patience: float = 1.0) -> dict[str, int]:  # noqa: ARG002 - no part of the question
        """Count."""
        self.asked += 1
        if what == "secret":
            raise Denied("you may not")
        return {what: self.asked}


def recorded(tmp_path: Path, play: Callable[[Deadline], object], hide: Redaction | None = None) -> Recording:
    file = tmp_path / "a.recording"
    header = Header("prod", "kafka", {}, {}, 10.0, 8.0)
    with closing(Recorder(file, header, without_secrets(hide or Redaction([])))) as tape:
        play(Deadline(8, tape=tape))
    return read_recording(file.read_bytes())


def replay(recording: Recording) -> tuple[Deadline, Replay]:
    tape = Replay(recording.kept, recording.header.left)
    return Deadline(0, tape=tape), tape


def test_answers_and_failures_are_told_again_and_nobody_is_asked(tmp_path: Path):
    def play(clock: Deadline) -> None:
        system = System(clock)
        system.ask("a", patience=3.0)
        with pytest.raises(Denied):
            system.ask("secret")

    clock, tape = replay(recorded(tmp_path, play))
    system = System(clock)
    assert system.ask("a", patience=0.1) == {"a": 1}
    with pytest.raises(Denied, match="you may not"):
        system.ask("secret")
    assert (system.asked, tape.missing) == (0, [])


def test_a_question_that_was_not_put_then_is_named(tmp_path: Path):
    clock, tape = replay(recorded(tmp_path, lambda clock: System(clock).ask("a")))
    for what in ("b", "a", "a"):  # the last of them was put once only
        try:
            System(clock).ask(what)
        except NotRecordedError:
            continue
    assert tape.missing == ["system {'what': 'b'}", "system {'what': 'a'}"]


def test_each_ask_and_look_is_told_what_it_was_told_also_in_threads(tmp_path: Path):
    def play(clock: Deadline) -> None:
        system = System(clock)
        with on_behalf_of(1):
            system.ask("a")
        with on_behalf_of(2), Pool(1) as pool:
            pool.submit(system.ask, "a").result()
        with on_behalf_of(1, second=True):
            system.ask("a")

    clock, _ = replay(recorded(tmp_path, play))
    system = System(clock)
    with on_behalf_of(1, second=True):
        assert system.ask("a") == {"a": 3}
    with on_behalf_of(2), Pool(1) as pool:
        assert pool.submit(system.ask, "a").result() == {"a": 2}
    with on_behalf_of(3):  # whose place another ask took then: connections remember answers
        assert system.ask("a") == {"a": 1}


def test_who_had_not_answered_when_the_recording_ended_does_not_answer(tmp_path: Path):
    def play(clock: Deadline) -> None:
        file = tmp_path / "a.recording"
        System(clock).ask("a")
        whole = file.read_bytes()
        end = whole.rindex(b"\x94\xa6answer") - 4
        (tmp_path / "cut").write_bytes(whole[:end])

    recorded(tmp_path, play)
    clock, tape = replay(read_recording((tmp_path / "cut").read_bytes()))
    with pytest.raises(TimedOut):
        System(clock).ask("a")
    assert tape.missing == []


def test_time_is_that_of_then(tmp_path: Path):
    seen: list[object] = []

    def play(clock: Deadline) -> None:
        seen.extend((clock.now("age"), clock.unused_name("topic"), clock.unused_name("topic")))

    recording = recorded(tmp_path, play)
    clock, _ = replay(recording)
    assert [clock.now("age"), clock.unused_name("topic"), clock.unused_name("topic")] == seen
    assert 7.5 < clock.left() <= 8
    assert clock.at_most(0.0) is None


def test_no_secret_is_kept_in_texts_or_bytes(tmp_path: Path):
    class Leaks(System):
        @question("leak")
        def leak(self) -> list[bytes | str]:
            return [b"user:hunter22\xff", "hunter22"]

    recording = recorded(tmp_path, lambda clock: Leaks(clock).leak(), Redaction(["hunter22"]))
    assert b"hunter22" not in (tmp_path / "a.recording").read_bytes()
    [kept] = recording.kept
    assert kept.answer[0].startswith(b"user:")
    assert kept.answer[0].endswith(b"\xff")
    assert kept.answer[1] == stand_in(8)  # which looks like a secret, and is as long


def test_what_stands_for_a_secret_is_hidden_as_the_secret_was():
    for length in (4, 8, 30, 64):
        assert stand_ins().text(f"a {stand_in(length)} b") == f"a {HIDDEN} b"


def test_what_can_t_be_opened_is_not_opened_again(tmp_path: Path):
    def fails() -> System:
        raise Denied("no key")

    def play(clock: Deadline) -> None:
        assert opened(clock, "a", lambda: System(clock), lambda: System(clock)).asked == 0
        with pytest.raises(Denied):
            opened(clock, "b", fails, lambda: System(clock))

    clock, _ = replay(recorded(tmp_path, play))
    instead = System(clock)
    assert opened(clock, "a", fails, lambda: instead) is instead
    with pytest.raises(Denied, match="no key"):
        opened(clock, "b", fails, lambda: instead)
