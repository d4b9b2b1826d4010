"""Whether the instances of the Schema Registry tell the same of it: those that don't are of two registries."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_TWO = 2


class RegistryAccord(Row):
    """An instance that answers, beside the others."""

    instance: Annotated[str, Cell("Its address, as the inventory has it.", key=True, entity="endpoint")]
    compatibility: Annotated[str | None, Cell("Level that it reports for subjects without one of their own.")]
    others: Annotated[
        list[str] | None, Cell("Levels that the other instances tell; unknown where one of them does not tell its own.")
    ]
    agrees: Annotated[
        bool | None,
        Cell("Whether all that answer tell the same level; unknown where one of them doesn't and the others agree."),
    ]


VIEW = View(
    help="One row per instance of the Schema Registry that answers.",
    row=RegistryAccord,
    leaves_out="instances that do not answer",
    inputs={
        "registry": Input("schema_registry", columns=("instance", "answers", "compatibility"), needs=("answers",)),
    },
)


def compute(*, registry: Fact) -> Observed:
    """Compare schema_registry's instances: they keep what they tell in one place, so it can't differ for long."""
    by_instance = {
        row["instance"]: row["compatibility"]
        for row in registry.rows("instance", "answers", "compatibility")
        if row["answers"]
    }
    levels = {*by_instance.values()} - {None}
    agrees = False if len(levels) >= _TWO else None if None in by_instance.values() else True
    rows = [
        RegistryAccord(
            instance=instance,
            compatibility=level,
            others=_levels([level for name, level in by_instance.items() if name != instance]),
            agrees=agrees,
        )
        for instance, level in by_instance.items()
    ]
    return Observed(rows=rows, gaps=[*registry.gaps])


def _levels(levels: list[str | None]) -> list[str] | None:
    known = {level for level in levels if level is not None}
    return sorted(known) if None not in levels else None
