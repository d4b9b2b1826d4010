"""Tasks of connectors that had failed or stood still run, and do their work; what they do then was never seen."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._rows import all_but, chosen, put


def _mine(situation: Situation) -> Any:
    return lambda connector: connector in situation.given["connectors"]


def _task(fact: Fact, situation: Situation) -> Fact:
    return put(fact, chosen(fact, ["connector"], _mine(situation)), state="RUNNING", trace="", transformation="")


def _connector(fact: Fact, situation: Situation) -> Fact:
    """All of their tasks run; into how many the work of one without any is divided is not known."""
    mine = chosen(fact, ["connector"], _mine(situation))
    there = put(fact, mine, state="RUNNING", trace="", failed=0, paused=0, unassigned=0)
    counts = zip(mine, fact.columns["tasks"], fact.columns["running"], strict=True)
    return changed(there, {"running": [(all_ or None) if of_mine else now for of_mine, all_, now in counts]}, fact.gaps)


def _error(fact: Fact, situation: Situation) -> Fact:
    """A task that is started again counts anew."""
    mine = chosen(fact, ["connector"], _mine(situation))
    words = [name for name in fact.columns if name not in ("application", "connector", "task")]
    return put(fact, mine, **dict.fromkeys(words))


def _of_sinks(fact: Fact, situation: Situation) -> list[bool]:
    """The rows of the groups as which sinks read: connect-NAME, or as they are configured."""
    groups = {f"connect-{name}" for name in situation.given["connectors"]}
    groups |= {
        row["group"]
        for row in situation.facts["connect_connector"].rows("connector", "group")
        if row["connector"] in situation.given["connectors"] and row["group"]
    }
    return chosen(fact, ["group"], lambda group: group in groups)


def _group(fact: Fact, situation: Situation) -> Fact:
    """A sink reads on from where it stopped; how far was never seen."""
    mine = _of_sinks(fact, situation)
    return put(fact, mine, state=None, members=None, committed=None, lag=None, late=None)


def _lag(fact: Fact, situation: Situation) -> Fact:
    mine = _of_sinks(fact, situation)
    return put(fact, mine, state=None, members=None, owner=None, committed=None, lag=None, behind_least=None)


_SETS = {
    "connect_task": _task,
    "connect_connector": _connector,
    "connect_task_error": _error,
    "kafka_group_lag": _lag,
    "kafka_group_offset": _group,
}

RECOVERY = Recovery(
    help="Tasks of connectors that had failed or stood still run.",
    takes=("connectors",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Apache Kafka documentation, Connect: states of connectors and tasks, and how they are restarted",),
)
