"""The gates of a walk: run their checks as `runbook check` would, and say what was seen."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from runbook.model import moment
from runbook.model.block import whole_name
from runbook.model.result import Outcome
from runbook.model.run import Run
from runbook.parse.runbook import Runbook
from runbook.procedure.events import Tell
from runbook.procedure.walk import Stage, closing, lacks
from runbook.procedure.walk_record import GateSeen, Judged, seen_in
from runbook.run.check_run import Options, start
from runbook.run.sources.runbooks import every_name


class GateObservation(NamedTuple):
    """What a gate saw, for the record and, as finished runs, for the person."""

    entry: Judged
    runs: list[Run]


class Gates(Struct):
    """Where the checks of gates stand, and where they look.

    Attributes:
        runbook: the procedure's own.
        inventory, environment, bundle, deadline, user_checks: as for `runbook check`.
        source: the environment that is left, where the walk is from one to another; `environment` is that other one.
        words: what the walk was told by --set, which parameters of checks for gates alone take too.
    """

    runbook: Runbook
    inventory: Path | None
    environment: str
    bundle: Path | None
    deadline: float | None
    user_checks: Sequence[Path]
    source: str = ""
    words: Mapping[str, str] = {}

    def look(self, stage: Stage, tell: Tell) -> GateObservation:
        """Run the checks of a gate; `tell` is given their results, and how far the runs are.

        Raises:
            UsageError: a check is not there, or the inventory can't be used.
            KeyboardInterrupt: the person did not wait for it.
        """
        at, began = moment.now(), time.monotonic()
        looked: list[Run] = []
        seen: list[GateSeen] = []
        clusters: list[str] = []
        for site in dict.fromkeys(asked.at for asked in stage.checks):
            environment = self.source if site == "source" else self.environment
            names = [asked.check for asked in stage.checks if asked.at == site]
            # A run for each: a site that is dark takes no time from questions to the other.
            checks = [whole_name(name, self.runbook.name) for name in names]
            run = self._run(environment, checks, tell)
            looked.append(run)
            seen += [seen_in(result, site) for result in run.results]
            clusters += [head.cluster_id or "" for head in run.heads if head.environment == environment]
        took = round((time.monotonic() - began) * 1000)
        lacking = lacks(stage, seen)
        seen += [GateSeen(asked.check, Outcome.UNKNOWN, "it was not judged", at=asked.at) for asked in lacking]
        known = ", ".join(dict.fromkeys(filter(None, clusters)))
        return GateObservation(Judged(stage.name, at, took, not closing(seen), seen, known), looked)

    def _run(self, environment: str, checks: Sequence[str], tell: Tell) -> Run:
        started = start(self._options(environment, checks))  # its deadline counts from here
        try:
            for event in started.events():
                tell(event)
        except KeyboardInterrupt:
            started.interrupt()
            raise
        return started.run

    def _options(self, environment: str, checks: Sequence[str]) -> Options:
        return Options(
            runbooks=list(dict.fromkeys(neighbour(self.runbook, check.partition("/")[0]) for check in checks)),
            inventory=self.inventory,
            environments=[environment],
            link=(self.source, self.environment) if self.source else None,
            only=list(checks),
            deadline=self.deadline,
            bundle=self.bundle,
            user_checks=self.user_checks,
            words=self.words,
        )


def neighbour(own: Runbook, name: str) -> str:
    """The word for a runbook that a gate names: the procedure's own, a neighbour of it, or a built-in one."""
    if name == own.name:
        return own.path
    if own.origin == "built-in":
        return name  # also where a project extends it
    beside = Path(own.path).parent / f"{name}.md"
    return str(beside) if beside.exists() or name not in every_name() else name
