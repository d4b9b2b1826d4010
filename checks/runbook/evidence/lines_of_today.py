"""Lines of a run's file under the present names of checks: what is read is as it was written, and then renamed."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec import structs

from runbook.evidence.lines import RunLine
from runbook.model.run import DeclaredWaiver, NamedCause

R = TypeVar("R", bound=RunLine)


def run_of_today(run: R, names: Mapping[str, str]) -> R:
    """A first line in which expected checks, causes and waivers have their present names."""

    def named(name: str) -> str:
        return names.get(name, name)

    def cause(one: NamedCause) -> NamedCause:
        return structs.replace(one, cause=named(one.cause), explains=[*map(named, one.explains)])

    def waiver(one: DeclaredWaiver) -> DeclaredWaiver:
        return structs.replace(one, check=named(one.check))

    return structs.replace(
        run,
        expected=[structs.replace(one, check=named(one.check)) for one in run.expected],
        named_causes=[*map(cause, run.named_causes)],
        head=structs.replace(run.head, waivers=[*map(waiver, run.head.waivers)]),
    )
