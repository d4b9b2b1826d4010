"""`runbook measure` without a cluster: consent, bounds, and what it says before it writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runbook.canary import load

Command = Any
NUMBERS = ("--seconds", "--rate", "--linger-ms", "--batch-size", "--record-size", "--partitions")
ENTRY = 'kafka: {bootstrap.servers: "127.0.0.1:1"}'


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(load, "Child", start)


@pytest.fixture
def inventory(here: Path) -> Callable[[str], None]:
    def write(more: str) -> None:
        (here / "environments.yaml").write_text(f"environments: {{stage: {{{ENTRY}{more}}}}}\n")

    return write


def test_without_consent_nothing_is_written_and_both_lacks_are_told(command: Command, inventory: Any):
    inventory("")
    ended = command("measure")
    assert ended.code == 2
    assert "nothing was written" in ended.err
    assert "add to the command: --allow-measure" in ended.err
    assert "measure: {megabytes: 200, megabytes_per_second: 10}" in ended.err


def test_a_canary_of_the_inventory_is_no_consent(command: Command, inventory: Any):
    inventory(", canary: {}")
    ended = command("measure", "--allow-measure")
    assert ended.code == 2
    assert "add to environments.yaml" in ended.err.replace(str(Path.cwd()) + "/", "")
    assert "--allow-measure" not in ended.err


def test_the_entry_alone_is_no_consent(command: Command, inventory: Any):
    inventory(", measure: {}")
    ended = command("measure")
    assert ended.code == 2
    assert "--allow-measure" in ended.err
    assert "megabytes" not in ended.err


@pytest.mark.parametrize(
    ("allowed", "asked", "bound"),
    [
        ("megabytes: 10", (), "25.0 megabytes"),
        ("megabytes_per_second: 0.5", ("--rate", "1000"), "1.0 megabytes per second"),
        ("seconds: 20", (), "25.0 seconds"),
        ("partitions: 2", (), "3.0 partitions"),
        ("megabytes: 2", ("--while", "60s"), "6.0 megabytes"),
        ("partitions: 12, megabytes: 1", ("--partitions", "500"), "500.0 partitions"),
    ],
)
def test_more_than_the_inventory_allows_is_refused(
    command: Command, inventory: Any, allowed: str, asked: tuple[str, ...], bound: str
):
    inventory(f", measure: {{{allowed}}}")
    ended = command("measure", "--allow-measure", *asked)
    assert ended.code == 2
    assert f"nothing was written: this would take {bound}" in ended.err
    assert f"measure.{allowed.partition(':')[0]}" in ended.err


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--acks", "2", "--acks 2"),
        ("--linger-ms", "0,x", "--linger-ms x"),
        ("--compression", "zip", "--compression zip"),
        ("--record-size", "5", "--record-size 5"),
        ("--rate", "fast", "--rate fast"),
        ("--rate", "-1", "--rate -1"),
        ("--while", "soon", "--while soon"),
        *((option, value, f"{option} {value[:2]}") for option in NUMBERS for value in ("nan", "inf", "-inf", "1e300")),
        ("--repeat", "1e300", "--repeat"),
        ("--while", "9" * 400 + "s", "--while"),
        ("--while", "3h", "--while 3h"),
        ("--format", "xml", "--format xml"),
    ],
)
def test_a_value_that_can_not_be_is_told(command: Command, inventory: Any, option: str, value: str, says: str):
    inventory(", measure: {}")
    ended = command("measure", "--allow-measure", option, value)
    assert ended.code == 2
    assert says in ended.err


def test_while_takes_one_setting(command: Command, inventory: Any):
    inventory(", measure: {}")
    ended = command("measure", "--allow-measure", "--while", "60s", "--acks", "1,all")
    assert ended.code == 2
    assert "one value of each option" in ended.err


def test_what_will_be_written_is_told_before(command: Command, inventory: Any):
    inventory(", measure: {}")
    said = command("measure", "--allow-measure", "--acks", "1,all").err
    announced, begun = said.index("writes at most 50 MB (before copies) at 1.0 MB/s"), said.index("process was started")
    assert announced < begun
    assert "in about 60 s" in said
    assert "topic of 3 partitions in stage" in said


PERF_TESTS = Path(__file__).parents[1] / "formats" / "perf_test_output"


def test_outputs_of_kafkas_perf_tests_are_one_table(command: Command):
    files = [str(PERF_TESTS / f"{name}-4.3.0.txt") for name in ("producer", "consumer", "end-to-end")]
    ended = command("measure", *(word for file in files for word in ("--read", file)))
    assert ended.code == 0
    assert [line.split()[-1] for line in ended.out.splitlines()[1:5]] == ["828", "411", "-", "-"]
    assert '"p99": 608.0' in command("measure", "--read", files[0], "--format", "json").out


def test_a_file_without_a_summary_is_told(command: Command):
    file = str(PERF_TESTS / "consumer-detailed-3.9.1.txt")
    ended = command("measure", "--read", file)
    assert ended.code == 2
    assert "--show-detailed-stats prints none" in ended.err
    assert "can't be read" in command("measure", "--read", "missing.txt").err


@pytest.mark.parametrize(
    "ignored", [("--keep",), ("--plot", "p.svg"), ("--while", "60s"), ("--allow-measure",), ("--rate", "5")]
)
def test_what_only_a_measurement_heeds_is_refused_beside_files_that_are_read(
    command: Command, ignored: tuple[str, ...]
):
    ended = command("measure", "--read", str(PERF_TESTS / "producer-4.3.0.txt"), *ignored)
    assert ended.code == 2
    assert f"--read measures nothing: leave out {ignored[0]}" in ended.err


@pytest.mark.parametrize("ignored", ["--seconds", "--repeat"])
def test_what_only_a_comparison_heeds_is_refused_beside_while(command: Command, inventory: Any, ignored: str):
    inventory(", measure: {}")
    ended = command("measure", "--allow-measure", "--while", "60s", ignored, "5")
    assert ended.code == 2
    assert f"--while writes once, for as long as it says: leave out {ignored}" in ended.err
