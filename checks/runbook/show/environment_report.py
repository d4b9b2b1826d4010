"""What to send with a report of a mistake: versions and states, and no name, address or value of anybody's."""

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires, version

from runbook import __version__
from runbook.judge.summary import counted
from runbook.model.fact import Fact
from runbook.parse.inventory import Target
from runbook.plugins.shipped import DISTRIBUTION
from runbook.show.reachability import ways_of

CLUSTER = "kafka_cluster"
_TOLD = ("kafka_version", "metadata_version", "mode", "brokers", "answering")
"""Of the cluster: what is no name of anybody's."""
_VERSION = re.compile(r"[\w.-]{1,40}")


def report_of(targets: Sequence[Target], facts: Mapping[str, Mapping[str, Fact]] | None) -> str:
    """Describe this installation and what environments let it see, as Markdown.

    Args:
        targets: the environments; they are numbered, and not named.
        facts: environment -> probe -> what it saw there; None if nothing was asked.
    """
    lines = [
        f"- runbook {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"- libraries: {', '.join(_libraries())}",
    ]
    for number, target in enumerate(targets, start=1):
        seen = None if facts is None else facts[target.name]
        lines += [f"- environment {number}{_cluster(seen)}", *_connections(target, seen)]
    return "\n".join(lines)


def _libraries() -> list[str]:
    named = {re.split(r"[\s;<>=!~\[(]", requirement, maxsplit=1)[0] for requirement in requires(DISTRIBUTION) or []} - {
        DISTRIBUTION
    }
    return [f"{name} {found}" for name in sorted(named) if (found := _installed(name))]


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _cluster(facts: Mapping[str, Fact] | None) -> str:
    fact = (facts or {}).get(CLUSTER)
    row = next(fact.rows(), None) if fact is not None else None
    if row is None:
        return ""
    cells = {name: "?" if row.get(name) is None else str(row[name]) for name in _TOLD}
    return ": " + ", ".join(f"{name} {text if _VERSION.fullmatch(text) else '?'}" for name, text in cells.items())


def _connections(target: Target, facts: Mapping[str, Fact] | None) -> Iterator[str]:
    for kind in target.connections:
        if facts is None:
            yield f"  - {kind}: not asked"
            continue
        seen = {probe: fact for probe, fact in facts.items() if kind in ways_of(target, probe)}
        lacking = sorted(probe for probe, fact in seen.items() if fact.gaps)
        whole = sum(fact.complete and not fact.inapplicable for fact in seen.values())
        says = f"{counted(whole, 'probe')} see{'s' if whole == 1 else ''} all"
        yield f"  - {kind}: {says}" + (f"; not all: {', '.join(lacking)}" if lacking else "")
    of = target.environment
    for word, names in (("absent", of.absent), ("unobserved", of.unobserved)):
        if names:
            yield f"  - {word}: {', '.join(sorted(names))}"
