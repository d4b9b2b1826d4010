"""What an application logs is decided: observability.md walked at the files of an application."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from support.careful_walker import Walked, does_nothing, types
from support.forgetful import Forgetful, Notes, wrong
from support.kept_walks import Keep
from support.operators import completed

ORDERS: Final = 60
"""More of them than a chart can tell apart."""
KINDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "http_method": str,
    "route": str,
    "order_id": str,
    "duration_ms": float,
}
"""What was decided: field → type."""


class AsWords(logging.Formatter):
    """As its developers happened to write it: some lines are sentences, and a number is text."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, which is not always an object."""
        told: Mapping[str, Any] = record.__dict__
        if told["order_id"] == "0":
            return f"{told['timestamp']} order 0 took {told['duration_ms']}"
        mine = {"http_method": f"GET /orders/{told['order_id']}", "duration_ms": str(told["duration_ms"])}
        return json.dumps({"timestamp": told["timestamp"], "level": "INFO", "customer": "Ada", **mine})


class AsDecided(logging.Formatter):
    """One object a line: time, level, and the fields of the list with their types."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told: Mapping[str, Any] = record.__dict__
        fields = {name: kind(told[name]) for name, kind in KINDS.items()}
        return json.dumps({"timestamp": told["timestamp"], "level": "INFO", "message": "order read", **fields})


@pytest.fixture
def orders() -> Iterator[logging.Logger]:
    """The logger of an application, which writes nowhere yet."""
    logger = logging.getLogger("an application")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    yield logger
    deploy(logger, [])


def deploy(logger: logging.Logger, handlers: Sequence[logging.Handler]) -> None:
    """Let it log by these alone."""
    for handler in [*logger.handlers]:
        logger.removeHandler(handler)
        handler.close()
    for handler in handlers:
        logger.addHandler(handler)


def works(logger: logging.Logger, file: Path, formatter: logging.Formatter) -> None:
    """Deploy the application with a new file, and have it read some orders."""
    handler = logging.FileHandler(file, mode="w", encoding="utf-8")
    handler.setFormatter(formatter)
    deploy(logger, [handler])
    for number in range(ORDERS):
        told = {"timestamp": f"2026-11-27T05:00:{number:02}Z", "http_method": "GET", "route": "/orders/{id}"}
        logger.info("", extra={**told, "order_id": str(number), "duration_ms": 12.5})


@pytest.mark.parametrize("left_out", wrong((6,)))
def test_an_application_logs_what_was_decided(
    orders: logging.Logger, tmp_path: Path, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    log = tmp_path / "orders.log"
    files = {"logs": [{"client": "orders", "path": str(log)}]}
    (tmp_path / "environments.yaml").write_text(json.dumps({"environments": {"prod": {"files": files}}}), "utf-8")
    seen: list[str] = []

    def looks(commands: Sequence[str]) -> None:
        types(tmp_path, tmp_path, reads=seen.append)([f"{command} --env prod" for command in commands])

    def deploys(_: Sequence[str]) -> None:
        works(orders, log, AsDecided())

    works(orders, log, AsWords())
    person = Forgetful(left_out)
    record = person.walks(
        Walked(tmp_path, "observability#decide-what-to-log", "prod"), [looks, *[does_nothing] * 4, deploys]
    )
    notes(person.lines("observability#decide-what-to-log"))
    assert completed(record), record.entries[-3:]
    assert "customer" in seen[0]
    if left_out:
        closed_by = (
            "application-logs-are-json",
            "fields-to-be-averaged-are-numbers",
            "fields-for-histograms-have-few-values",
        )
        assert [check for check in closed_by if check not in person.noticed[6]] == []  # each clause shut it
    keeps(record, "files of an application of the test", person.way, person.noticed)
