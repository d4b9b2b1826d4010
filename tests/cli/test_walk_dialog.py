"""A walk in a real terminal: keys, Ctrl-C, Ctrl-D, a process that is killed."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Begun, Done, Ended, Judged, Paused, Resumed
from support.terminals import Terminal

BUNDLE = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
STEP = "q: give up > "


def walking(folder: Path, *arguments: str, over: tuple[str, ...] = ("--from", BUNDLE)) -> Terminal:
    """A walk at a terminal of its own."""
    return Terminal(folder, "procedure", "walk", *arguments, *over, "--by", "ada")


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    begun: list[Terminal] = []
    yield begun
    for terminal in begun:
        terminal.close()


def test_a_walk_from_end_to_end(tmp_path: Path, terminals: list[Terminal]):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.until(STEP)
    walk.type("\r")
    walk.until("STEP 2 of 2")
    walk.until(STEP)
    walk.type("\r")
    assert walk.end() == 0
    record = load(tmp_path / "w.jsonl")
    assert record.fault is None
    assert [entry.attended for entry in record.entries if isinstance(entry, Begun)] == [True]
    assert isinstance(record.entries[-1], Ended)
    assert record.entries[-1].outcome == "completed"


@pytest.mark.parametrize(("key", "code", "why"), [("\x03", 130, "interrupted"), ("\x04", 3, "the input ended")])
def test_ctrl_c_and_ctrl_d_pause_it_and_it_can_be_gone_on_with(
    tmp_path: Path, terminals: list[Terminal], key: str, code: int, why: str
):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.until(STEP)
    walk.type(key)
    assert walk.end() == code
    last = load(tmp_path / "w.jsonl").entries[-1]
    assert isinstance(last, Paused)
    assert last.reason == why
    terminals.append(two := walking(tmp_path, "--resume", "w.jsonl"))
    two.until("goes on at: before")
    two.until(STEP)
    two.type("p\r")
    assert two.end() == 3


def test_what_asks_its_process_to_end_pauses_it_too(tmp_path: Path, terminals: list[Terminal]):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.until(STEP)
    walk.process.terminate()
    walk.until("paused (interrupted); go on: runbook procedure walk --resume")
    assert walk.end() == 143
    record = load(tmp_path / "w.jsonl")
    assert record.fault is None
    assert isinstance(record.entries[-1], Paused)


def test_a_walk_that_goes_on_over_another_inventory_says_so(tmp_path: Path, terminals: list[Terminal]):
    inventory = tmp_path / "environments.yaml"
    over = ("-i", str(inventory), "--deadline", "2s")
    for port in (1, 2):  # where nothing listens
        inventory.write_text(f'environments: {{prod: {{kafka: {{bootstrap.servers: "127.0.0.1:{port}"}}}}}}\n', "utf-8")
        first = ("ha#restore-preferred-leaders", "--record") if port == 1 else ("--resume",)
        terminals.append(walk := walking(tmp_path, *first, "w.jsonl", over=over))
        if port == 2:
            walk.until("the inventory has changed meanwhile: environment prod")
        walk.until(STEP)
        walk.type("p\r")
        assert walk.end() == 3
    terminals.append(told := Terminal(tmp_path, "procedure", "show", "w.jsonl"))
    told.until("resumed by ada; the inventory has changed meanwhile: environment prod")


def test_a_walk_whose_process_is_killed_goes_on_where_it_was(tmp_path: Path, terminals: list[Terminal]):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.until(STEP)
    walk.type("\r")
    walk.until("STEP 2 of 2")
    walk.process.kill()
    walk.end()
    with (tmp_path / "w.jsonl").open("ab") as file:
        file.write(b'{"at":"2026-11-22T0')  # as far as it came
    terminals.append(two := walking(tmp_path, "--resume", "w.jsonl"))
    two.until("goes on at: after step 1")
    two.until("STEP 2 of 2")
    two.until(STEP)
    two.type("\r")
    assert two.end() == 0
    record = load(tmp_path / "w.jsonl")
    assert record.fault is None
    assert [entry.stage for entry in record.entries if isinstance(entry, Done)] == ["step 1", "step 2"]
    assert [entry.cut for entry in record.entries if isinstance(entry, Resumed)] == [True]


def test_keys_pressed_before_the_question_answer_nothing(tmp_path: Path, terminals: list[Terminal]):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.type("\r\r\r\r")
    walk.until(STEP)
    walk.type("p\r")
    assert walk.end() == 3
    entries = load(tmp_path / "w.jsonl").entries
    assert not [entry for entry in entries if isinstance(entry, Done)]
    assert [entry.stage for entry in entries if isinstance(entry, Judged)] == ["before"]


def test_two_terminals_do_not_walk_one_record(tmp_path: Path, terminals: list[Terminal]):
    terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl"))
    walk.until(STEP)
    terminals.append(two := walking(tmp_path, "--resume", "w.jsonl"))
    two.until("is being walked by another process")
    assert two.end() == 2


def test_ctrl_c_while_a_gate_looks_pauses_it_too(tmp_path: Path, terminals: list[Terminal]):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes connections and says nothing
        inventory = tmp_path / "environments.yaml"
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        inventory.write_text(f'environments: {{prod: {{kafka: {{bootstrap.servers: "{address}"}}}}}}\n', "utf-8")
        over = ("-i", str(inventory), "--deadline", "100s")
        terminals.append(walk := walking(tmp_path, "ha#restore-preferred-leaders", "--record", "w.jsonl", over=over))
        walk.until("GATE before")
        walk.until("waiting for")  # which is written over and over while it looks
        walk.type("\x03")
        assert walk.end() == 130
    record = load(tmp_path / "w.jsonl")
    assert record.fault is None
    assert isinstance(record.entries[-1], Paused)
    assert not [entry for entry in record.entries if isinstance(entry, Judged)]
