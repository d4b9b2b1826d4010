import threading
import time

import pytest

from runbook.connections._memory import Memory
from runbook.model.errors import Denied


def test_an_answer_is_asked_for_once_however_many_threads_ask() -> None:
    memory, asked = Memory(), []

    def ask() -> str:
        asked.append(1)
        time.sleep(0.05)
        return "answer"

    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.append(memory.once("it", ask))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == ["answer"] * 8
    assert len(asked) == 1


def test_a_failure_is_remembered_with_its_kind() -> None:
    memory, asked = Memory(), []

    def ask() -> str:
        asked.append(1)
        raise Denied("you may not")

    for _ in range(3):
        with pytest.raises(Denied, match="you may not"):
            memory.once("it", ask)
    assert len(asked) == 1


def test_a_slow_answer_does_not_hold_up_another_question() -> None:
    memory, release = Memory(), threading.Event()
    slow = threading.Thread(target=lambda: memory.once("slow", lambda: release.wait(5)))
    slow.start()
    try:
        assert memory.once("quick", lambda: 1) == 1
        assert slow.is_alive()
    finally:
        release.set()
        slow.join()
