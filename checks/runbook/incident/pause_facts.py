"""The facts of a picture of stops: of one environment, or of GC logs on this machine that are named."""

import datetime as dt
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from runbook.model.ask import seconds
from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.model.gap_kind import GapKind
from runbook.model.sentence import each_shown
from runbook.parse.inventory import parse_inventory
from runbook.run.collection.single_questions import Answers
from runbook.run.sources.chosen_environments import choose_one
from runbook.run.sources.inventories import load_inventory

_PAUSES, _TIMEOUTS = "jvm_gc_pause", "kafka_broker_config"
_WINDOW = "24h"
_ALL = "all"
_NAMED = re.compile(r"([0-9]{1,9})=(.+)")


Ask = Callable[..., Answers]
"""Puts probes to environments, with parameters that are `given`."""


class PauseFacts(Struct):
    """The long stops, the session timeouts in force, and what could not be seen of either, as sentences."""

    pauses: Fact
    timeouts: Fact
    gaps: list[str] = field(default_factory=list)

    def nothing_there(self) -> str | None:
        """Why there is no log to draw: there is none, or nobody is to look; None where logs were looked for."""
        if self.pauses.inapplicable:
            return self.pauses.inapplicable
        kinds = {gap.kind for gap in self.pauses.gaps}
        unlooked = kinds == {GapKind.UNOBSERVED} and not len(self.pauses)
        return "\n".join(each_shown(gap.reason for gap in self.pauses.gaps)) if unlooked else None


def from_logs(logs: Sequence[str], timeout: str, window: str, at_least: float, ask: Ask) -> PauseFacts:
    """Read logs of this machine.

    Args:
        logs: each as BROKER=PATH; several paths of one broker are one log.
        timeout: the session timeout to draw, such as 9s; empty for none.
        window: how far to look back; empty for all.
        at_least: milliseconds from which a stop is drawn.
        ask: puts the question.

    Raises:
        UsageError: one of them is not written like this.
    """
    paths: dict[int, list[str]] = {}
    for word in logs:
        named = _NAMED.fullmatch(word)
        if not named:
            raise UsageError(f"{word}: write the broker's number before its log, as in 1={word}")
        paths.setdefault(int(named[1]), []).append(str(Path(named[2]).absolute()))
    entries = [{"broker": broker, "path": files} for broker, files in paths.items()]
    text = json.dumps({"environments": {"logs": {"files": {"gc_logs": entries}}}})
    book = parse_inventory(text, "the logs that were named", dt.datetime.now(dt.UTC).date())
    given = {"window": window or _ALL, "at_least": at_least}
    fact = ask([book.targets["logs"]], [_PAUSES], given=given)["logs", _PAUSES]
    cells: dict[str, list[Any]] = {"broker": sorted(paths), "session_timeout": [_ms(timeout)] * len(paths)}
    return PauseFacts(fact, Fact(_TIMEOUTS, cells), each_shown(gap.reason for gap in fact.gaps))


def from_environment(inventory: Path | None, env: Sequence[str], window: str, at_least: float, ask: Ask) -> PauseFacts:
    """Read the logs that one environment of the inventory has, and ask its brokers for their timeouts.

    Args:
        inventory: the inventory's file; None for the one in force.
        env: names which environment.
        window: how far to look back; empty for a day.
        at_least: milliseconds from which a stop is drawn.
        ask: puts the questions.

    Raises:
        UsageError: it is not clear which one is meant.
    """
    book = load_inventory(inventory)
    target = choose_one(book, env, "there is a picture for each")
    given = {"window": window or _WINDOW, "at_least": at_least}
    fact = ask([target], [_PAUSES], given=given)[target.name, _PAUSES]
    timeouts = ask([target], [_TIMEOUTS])[target.name, _TIMEOUTS]
    return PauseFacts(fact, timeouts, each_shown(gap.reason for part in (fact, timeouts) for gap in part.gaps))


def _ms(timeout: str) -> int | None:
    if not timeout:
        return None
    try:
        return round(seconds(timeout) * 1000)
    except ValueError as error:
        raise UsageError(f"--timeout {timeout}: {error}") from None
