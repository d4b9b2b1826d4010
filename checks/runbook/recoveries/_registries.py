"""What recoveries of the Schema Registry as a whole have in common.

A subject without a value of its own has the registry's. Which subjects those are is not told: where one has what the
registry had, what it would have is not known.
"""

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._elsewhere import all_but, chosen, put


def set_to(value: str, *, column: str, of_subjects: str, help_: str, source: str) -> Recovery:
    """The recovery by which the registry has another value in a column, and subjects that had none of their own."""

    def registry(fact: Fact, _: Situation) -> Fact:
        return put(fact, chosen(fact, ["answers"], bool), **{column: value})

    def subject(fact: Fact, situation: Situation) -> Fact:
        had = {*situation.facts["schema_registry"].columns[column]} - {None}
        return put(fact, chosen(fact, [column], lambda cell: cell in had), **{column: None})

    sets: dict[str, Change] = {"schema_registry": registry, of_subjects: subject}
    return Recovery(help=help_, takes=(), sets=sets, leaves=all_but(sets), entity="", of="", sources=(source,))
