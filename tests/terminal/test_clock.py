import time

from runbook.terminal import clock


def test_a_command_begins_when_it_is_told_to_and_not_when_its_process_did():
    before = time.monotonic()
    clock.begin()
    assert before <= clock.began() <= time.monotonic()
    assert 0 <= clock.elapsed() <= time.monotonic() - before
