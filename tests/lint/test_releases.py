"""The record of what was released: which release counts, and for which runbook."""

from pathlib import Path

import msgspec
import pytest

from runbook.lint.releases import RECORD, record, recorded
from runbook.model.errors import UsageError
from runbook.parse.runbook import Runbook, read_runbook
from support.small_runbooks import FRONT, check_text

CHECK = "facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: topic.partitions > 0}"


def written(folder: Path, name: str, **fields: str) -> Runbook:
    """A runbook in a file of its own."""
    file = folder / f"{name}.md"
    file.write_text(FRONT + check_text(CHECK, **fields), "utf-8")
    return read_runbook(file)


def test_without_a_record_nothing_was_released(tmp_path: Path) -> None:
    assert recorded(written(tmp_path, "ha")) is None


def test_the_newest_release_by_number_that_has_the_runbook_counts(tmp_path: Path) -> None:
    first = written(tmp_path, "ha", severity="low")
    record([first], "0.9.0")
    second = written(tmp_path, "ha", severity="high")
    record([second], "0.10.0")
    record([written(tmp_path, "gc")], "0.11.0")
    found = recorded(second)
    assert found is not None
    [digest] = found.checks.values()
    assert (found.name, digest) == ("release 0.10.0", second.checks()[0].digest())
    assert digest != first.checks()[0].digest()


def test_runbooks_of_several_folders_are_recorded_in_each(tmp_path: Path) -> None:
    books = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        books.append(written(tmp_path / name, "ha"))
    assert record(books, "1.0.0") == [tmp_path / "a" / RECORD, tmp_path / "b" / RECORD]


def test_the_record_holds_versions_and_digests_and_is_the_same_each_time(tmp_path: Path) -> None:
    books = [written(tmp_path, "ha"), written(tmp_path, "gc")]
    record(books, "1.0.0")
    text = (tmp_path / RECORD).read_bytes()
    document = msgspec.json.decode(text)["releases"]["1.0.0"]
    assert (list(document), set(document["ha"])) == (["gc", "ha"], {"version", "checks"})
    (tmp_path / RECORD).unlink()
    record(reversed(books), "1.0.0")
    assert (tmp_path / RECORD).read_bytes() == text


@pytest.mark.parametrize("release", ["1", "1.0", "1.0.0rc1", "01.0.0", "1.0.0\n", ""])
def test_a_release_is_three_numbers(tmp_path: Path, release: str) -> None:
    with pytest.raises(UsageError, match="write a version of three numbers"):
        record([written(tmp_path, "ha")], release)
    assert not (tmp_path / RECORD).exists()
