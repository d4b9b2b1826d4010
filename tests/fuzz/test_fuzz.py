"""Hostile input, in short: a few cases of every parser, and that the harness would see what it looks for.

`python tests/fuzz/run.py --cases 1000000 --seed N` is the long form.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import UsageError
from support.fuzz.executing import Target, attempt, report, run_target
from support.fuzz.mutating import LONGEST, case
from support.fuzz.targets import TARGETS

SEED = 20261122
CASES = 40
"""Of each target; all of them together take some seconds."""


@pytest.mark.parametrize("name", TARGETS)
def test_hostile_input_is_read_or_refused(name: str) -> None:
    tally = run_target(TARGETS[name], SEED, range(CASES))
    assert tally.cases == CASES
    assert not tally.failures, report([tally], SEED)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_valid_is_read(name: str) -> None:
    """A target that refuses its own samples would say nothing of anything."""
    target = TARGETS[name]
    assert target.corpus
    results = [attempt(target, sample) for sample in target.corpus]
    assert [found for found, _ in results if found] == []
    assert not all(refused for _, refused in results)


def test_a_case_is_the_same_wherever_it_is_made() -> None:
    corpus = [b'{"a":[1,2,{"b":null}]}', b"name = value\nother = 7\n"]
    made = [case(corpus, 1, "any", number) for number in range(300)]
    assert made == [case(corpus, 1, "any", number) for number in range(300)]
    assert made != [case(corpus, 2, "any", number) for number in range(300)]
    assert len(set(made)) > 250
    assert max(map(len, made)) <= LONGEST


def planted(read: Callable[[bytes], Iterable[Any]], *errors: type[Exception]) -> Target:
    return Target("planted", lambda: [b"one 1\ntwo 2\n"], read, errors)


def refuse(error: BaseException) -> Callable[[bytes], Iterable[Any]]:
    def read(data: bytes) -> Iterable[Any]:
        if b"o" in data:
            raise error
        return [data]

    return read


def kinds(read: Callable[[bytes], Iterable[Any]], *errors: type[Exception]) -> list[str]:
    return [kind for kind, _ in attempt(planted(read, *errors), b"one")[0]]


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError(), MemoryError(), BaseException("a panic")])
def test_a_planted_crash_is_seen(error: BaseException) -> None:
    assert kinds(refuse(error)) == ["crash"]
    tally = run_target(planted(refuse(error)), SEED, range(50))
    assert tally.count("crash") > 10
    [failure] = tally.failures.values()
    assert failure.data == b"o"  # the shortest that does it
    assert "crash" in report([tally], SEED)
    assert f"seed {SEED}, number {failure.number}" in report([tally], SEED)


def test_a_documented_error_is_none() -> None:
    assert attempt(planted(refuse(KeyError("x")), KeyError), b"one") == ([], True)


def test_a_crash_after_the_first_answer_is_seen_too() -> None:
    def read(data: bytes) -> Iterable[Any]:
        yield data
        raise KeyError(data)

    assert kinds(read) == ["crash"]


def test_a_planted_hang_is_ended_and_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.fuzz.executing.LIMIT", 0.2)

    def read(data: bytes) -> Iterable[Any]:
        while data:
            pass
        return []

    begin = time.process_time()
    tally = run_target(planted(read), SEED, [0])
    assert tally.count("slow") == 1
    assert time.process_time() - begin < 5


def test_what_takes_long_and_ends_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.fuzz.executing.LIMIT", 0.2)

    def read(data: bytes) -> Iterable[Any]:
        return [data, pow(3, 4 * 10**6 + 1).bit_length()]  # in C, where no alarm gets in

    assert "slow" in kinds(read)


@pytest.mark.parametrize("char", ["\x1b", "\x9b", "\u202e", "\x00", "\r"])
def test_a_planted_control_character_is_seen(char: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command's way out lets none through; were it open, the harness would say so."""
    shown, printed = refuse(UsageError(f"no {char}[2J")), lambda data: [f"{char}[2J", data]
    assert kinds(shown, UsageError) == kinds(printed) == []
    monkeypatch.setattr("runbook.terminal.safe_stdout.sanitize_lines", lambda text: text)
    assert kinds(shown, UsageError) == kinds(printed) == ["control character"]


def test_a_forged_line_is_seen() -> None:
    assert kinds(refuse(UsageError("no such\nPASS forged")), UsageError) == ["forged line"]
    assert kinds(refuse(ValueError("no such\nPASS forged")), ValueError) == []  # a reason: reports show it in one line


def test_a_file_beside_the_store_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that writes wherever it is told."""

    def write(store: Path, path: str, content: bytes) -> Path:
        file = store / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    monkeypatch.setattr("support.fuzz.files.write_into", write)
    assert [kind for kind, _ in attempt(TARGETS["place in a store"], b"../outside")[0]] == ["escape"]
    assert attempt(TARGETS["place in a store"], b"runs/inside")[0] == []
