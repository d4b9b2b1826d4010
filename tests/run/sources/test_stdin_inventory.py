"""What is piped in stands in for a file, in environments that ask for it and in no others."""

import datetime as dt
import json
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.run.sources import stdin_inventory
from runbook.run.sources.stdin_inventory import LARGEST, with_standard_input


@pytest.fixture(autouse=True)
def unread() -> Iterator[None]:
    stdin_inventory._file.cache_clear()
    yield
    stdin_inventory._file.cache_clear()


def inventory(**paths: object) -> Inventory:
    environments = {name: {"manifests": {"paths": each}} for name, each in paths.items()}
    return parse_inventory(json.dumps({"environments": environments}), "environments.yaml", dt.date(2026, 11, 24))


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))


def paths(inventory_read: Inventory, name: str) -> list[str]:
    found: list[str] = inventory_read.targets[name].connections["manifests"]["paths"]
    return found


def test_it_is_kept_in_one_file_beside_those_that_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"kind: Kafka\n")
    kept = with_standard_input(inventory(one=["-", "deploy/"], two="-", three="deploy/"), ["one", "two", "three"])
    file, beside = paths(kept, "one")
    assert (Path(file).read_bytes(), beside) == (b"kind: Kafka\n", "deploy/")
    assert paths(kept, "two") == [file]
    assert paths(kept, "three") == "deploy/"


def test_nothing_is_read_for_an_environment_that_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    given = inventory(one="-", two="deploy/")
    assert with_standard_input(given, ["two"]) is given


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"x" * (LARGEST + 1))
    with pytest.raises(UsageError, match="are piped in"):
        with_standard_input(inventory(one="-"), ["one"])
