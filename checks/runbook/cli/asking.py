"""Ask single questions outside a run: for authors, and to test connections."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from runbook.cli.running import read_deadline
from runbook.cli.terminal import Status
from runbook.engine.ask import Ask, ask
from runbook.engine.block import FactRequest
from runbook.engine.catalog import catalog
from runbook.engine.fact import Fact
from runbook.engine.gather import unreachable
from runbook.engine.inventory import Inventory, Target
from runbook.engine.workers import Work, Workers


def ask_all(
    targets: Sequence[Target],
    inventory: Inventory,
    probes: Sequence[str],
    deadline: str,
    *,
    given: Mapping[str, Any] | None = None,
    user_checks: Sequence[str] = (),
) -> dict[tuple[str, str], Fact]:
    """Put probes to environments.

    Returns:
        (environment, probe) -> fact; every one of them is there, with its gaps if it was not answered in time.
    """
    facts: dict[tuple[str, str], Fact] = {}
    works: dict[tuple[str, str], list[Ask]] = {}
    for target in targets:
        for probe in probes:
            kind = catalog("probes").load(probe).PROBE.connection
            one = ask(target.name, kind, FactRequest(probe, dict(given or {})), {})
            if kind in target.connections:
                works.setdefault((target.name, kind), []).append(one)
            else:
                facts[target.name, probe] = unreachable(one, target)[""]
    todo = [Work(name, kind, inventory.targets[name].connections[kind], asks) for (name, kind), asks in works.items()]
    workers = Workers(todo, time.monotonic() + read_deadline(deadline), list(user_checks))
    status = Status()
    try:
        for done in range(sum(len(asks) for asks in works.values())):
            status.show(f"{done} answers")
            answered = workers.answers.get()
            facts[answered.ask.environment, answered.ask.probe] = answered.facts[""]
    finally:
        workers.stop()
        status.clear()
    return facts
