"""Whether the instances of the Schema Registry tell the same of it: those that don't are of two registries."""

from typing import Annotated

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import View

_TWO = 2


class RegistryAccord(Row):
    """An instance that answers, beside the others."""

    instance: Annotated[str, Cell("Its address, as the inventory has it.", key=True, entity="endpoint")]
    compatibility: Annotated[str | None, Cell("Level that it tells for subjects without one of their own.")]
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
    of=(("instance", "answers", "compatibility"),),
    needs=(("answers",),),
)


def compute(registry: Fact, /) -> Observed:
    """Compare schema_registry's instances: they keep what they tell in one place, so it can't differ for long."""
    told = {
        row["instance"]: row["compatibility"]
        for row in registry.rows("instance", "answers", "compatibility")
        if row["answers"]
    }
    levels = {*told.values()} - {None}
    agrees = False if len(levels) >= _TWO else None if None in told.values() else True
    rows = [
        RegistryAccord(
            instance=instance,
            compatibility=level,
            others=_levels([level for name, level in told.items() if name != instance]),
            agrees=agrees,
        )
        for instance, level in told.items()
    ]
    return Observed(rows=rows, gaps=[*registry.gaps])


def _levels(told: list[str | None]) -> list[str] | None:
    known = {level for level in told if level is not None}
    return sorted(known) if None not in told else None
