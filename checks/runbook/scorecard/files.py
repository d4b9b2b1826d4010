"""Write the finished tables under fixed names: all of them, or none."""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import msgspec
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

_UNFINISHED: Final = ".unfinished-"
_YOUNG: Final = 60.0
"""Seconds after which a folder that nobody holds is a leftover: one is made before it is held."""


@contextmanager
def folder_to_fill(out: Path) -> Iterator[Path]:
    """Give a folder to write in; its files replace those of the same name in `out` when the block ends well."""
    out.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(out)
    passing = Path(mkdtemp(prefix=_UNFINISHED, dir=out))
    held = _hold(passing)
    try:
        yield passing
        for file in sorted(path for path in passing.iterdir() if path.is_file()):
            file.replace(out / file.name)
    finally:
        shutil.rmtree(passing, ignore_errors=True)
        if held is not None:
            os.close(held)


def _remove_leftovers(out: Path) -> None:
    """Remove what jobs that were killed left behind: folders that no living job holds."""
    for folder in out.glob(f"{_UNFINISHED}*"):
        if not folder.is_symlink() and abs(time.time() - _changed(folder)) > _YOUNG:  # or its clock was ahead
            held = _hold(folder)
            if held is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(held)


def _changed(folder: Path) -> float:
    """When something in a folder changed last; now, if it has gone meanwhile."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return time.time()


def _hold(folder: Path) -> int | None:
    """Lock a folder for as long as what is given is open, at most this process's life.

    None: another one holds it, has removed it, or owns it.
    """
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened


def write_parquet(frame: DataFrame, file: Path) -> None:
    """Write a table as a Parquet file, here and not by Spark: the bytes of Spark's differ from one Java to the next.

    (It lists a column's encodings in an order that depends on where Java's memory put them.) gzip is the codec that
    every reader has and that needs no native library.
    """
    pq.write_table(frame.toArrow(), file, compression="gzip")


def write_json_lines(frame: DataFrame | None, file: Path) -> None:
    """Write a table as a file of JSON lines; None has no rows."""
    with file.open("wb") as lines:
        for row in frame.toLocalIterator() if frame is not None else ():
            lines.write(msgspec.json.encode(row.asDict()) + b"\n")


def write_json(content: Mapping[str, Any], file: Path) -> None:
    """Write one JSON document."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")


def first_lines(file: Path, count: int) -> list[dict[str, Any]]:
    """Read the first of a file's JSON lines."""
    with file.open("rb") as lines:
        return [msgspec.json.decode(line) for line in islice(lines, count)]


def distinct(file: Path, *columns: str) -> dict[str, list[Any]]:
    """Say which values each of these columns of a Parquet file has, in order."""
    table = pq.read_table(file, columns=list(columns))
    return {name: sorted(table[name].unique().to_pylist()) for name in columns}
