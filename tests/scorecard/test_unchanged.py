"""Tables are left as they are only where making them again would give the same bytes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import runbook
from runbook.scorecard import unchanged
from runbook.scorecard.job import roll_up
from runbook.scorecard.request import Order

W53, W01 = "2026-12-30T06:00:00Z", "2027-01-06T06:00:00Z"


class Made:
    """A store and tables that stand for those made of it."""

    def __init__(self, folder: Path, store: Any) -> None:
        self.store = store
        self.run = store.keep("prod", W01, {"ha/a": "pass"})
        self.code = folder / "code"
        for room in ("scorecard", "model", "evidence"):
            shutil.copytree(Path(runbook.__file__).parent / room, self.code / room)
        out = folder / "out"
        out.mkdir()
        for place in ("store/expected/2027-01-04/a.json", "store/weeks/2027-W01/v2-a/runs.parquet"):
            (folder / place).parent.mkdir(parents=True)
            (folder / place).write_text("as it was")
        for name in ("scorecard.json", "quarantine.jsonl", "scores.parquet"):
            (out / name).write_text(name)
        self.order = Order(str(store.folder), out, "local[2]", 53, None, None, None, None)
        unchanged.note(self.order, self.given(), [file.name for file in out.iterdir()])

    def given(self) -> unchanged.MadeOf | None:
        """What the job would be given now."""
        return unchanged.given(self.order, self.code)

    def stand(self) -> bool:
        """Whether the tables stand."""
        return unchanged.are_made(self.order, self.given())


@pytest.fixture
def made(tmp_path: Path, store_of: Callable[[Path], Any]) -> Made:
    """See the class."""
    return Made(tmp_path, store_of(tmp_path / "store"))


def _append(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


def _touch_up(file: Path) -> None:
    """Write other bytes of the same length."""
    at = file.stat().st_mtime_ns
    file.write_bytes(file.read_bytes().replace(b"pass", b"fail"))
    os.utime(file, ns=(at, at + 1))


def test_where_nothing_changed_they_stand(made: Made) -> None:
    assert made.stand()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda made: made.store.keep("prod", W53, {"ha/a": "fail"}), id="a new run, also a late one"),
        pytest.param(lambda made: _append(made.run), id="a longer run"),
        pytest.param(lambda made: _touch_up(made.run), id="a forged run of the same length"),
        pytest.param(lambda made: made.run.unlink(), id="a deleted run"),
        pytest.param(lambda made: _append(made.store.folder / "expected/2027-01-04/a.json"), id="other expectations"),
        pytest.param(lambda made: (made.store.folder / "expected/b.json").touch(), id="one more snapshot"),
        pytest.param(lambda made: shutil.rmtree(made.store.folder / "weeks"), id="compacted weeks deleted"),
        pytest.param(lambda made: _append(next(made.store.folder.glob("weeks/*/*/*"))), id="compacted weeks changed"),
        pytest.param(lambda made: _append(made.code / "scorecard/method.py"), id="another method"),
        pytest.param(lambda made: _append(made.code / "scorecard/metrics/trend.py"), id="another metric"),
        pytest.param(lambda made: (made.code / "scorecard/metrics/new.py").touch(), id="a new metric"),
        pytest.param(lambda made: _append(made.code / "evidence/reading.py"), id="another reader"),
        pytest.param(lambda made: _append(made.order.out / "scores.parquet"), id="a changed table"),
        pytest.param(lambda made: _append(made.order.out / "quarantine.jsonl"), id="a changed quarantine"),
        pytest.param(lambda made: (made.order.out / "scorecard.json").unlink(), id="a lost card"),
        pytest.param(lambda made: (made.order.out / unchanged.NOTE).unlink(), id="a lost note"),
        pytest.param(lambda made: (made.order.out / unchanged.NOTE).write_text("{"), id="a spoilt note"),
    ],
)
def test_whatever_they_depend_on_makes_them_anew(made: Made, change: Callable[[Made], object]) -> None:
    change(made)
    assert not made.stand()


@pytest.mark.parametrize(
    "asked", [{"as_of": W01}, {"weeks": 52}, {"weeks_dir": "/elsewhere"}, {"store": "hdfs://there/store"}]
)
def test_who_asks_for_something_else_gets_it(made: Made, asked: dict[str, Any]) -> None:
    made.order = structs.replace(made.order, **asked)
    assert not made.stand()


def test_another_release_of_a_library_makes_them_anew(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unchanged, "version", lambda _: "0.0.1")
    assert not made.stand()


def test_tables_that_stand_are_those_of_a_full_computation_and_a_new_run_is_never_missed(
    tmp_path: Path, store_of: Callable[[Path], Any], java_home: Path | None
) -> None:
    store = store_of(tmp_path / "store")
    store.keep("prod", W53, {"ha/a": "pass"})

    def rolled(out: str) -> tuple[bool, dict[str, bytes]]:
        made = roll_up(str(store.folder), tmp_path / out, java_home=java_home)
        return made.stands, {file.name: file.read_bytes() for file in (tmp_path / out).iterdir()}

    stood, first = rolled("out")
    assert (stood, rolled("out")) == (False, (True, first))
    assert rolled("elsewhere") == (False, first)
    store.keep("prod", W01, {"ha/a": "fail"})
    stood, second = rolled("out")
    assert not stood
    assert second["scorecard.json"] != first["scorecard.json"]
