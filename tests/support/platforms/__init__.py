"""Reference platforms: clusters that are well, to judge every check on. A file here is one; its name is the file's.

A platform has `WHAT`, a line; `MADE_BY`, which lab, or after which published reference; `bundle() -> Bundle`, its
facts; `RUNBOOKS`, those whose facts it has; and `MENDED_BY`: check that fails → where its owner changes that. It may
have `CAUSES`, the causes that are true of it, where it is not at rest. `python -m support.platforms` (with tests/ on
the path) tells how many checks fail on each.
"""

import datetime as dt
import gzip
import importlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, Kept, read_bundle, save_bundle
from runbook.model.result import Result
from runbook.model.run import Run
from runbook.parse.inventory import Environment, Target, parse_inventory
from runbook.run.check_run import Options
from support.documented import titled

TODAY: Final = dt.date(2026, 11, 24)
"""When the pages were written: their waivers are dated."""
LEVELS: Final = ("critical", "high", "medium", "low", "info")


class Platform(Struct, frozen=True):
    """A platform that is well; see the module."""

    name: str
    what: str
    made_by: str
    runbooks: Sequence[str]
    bundle: Bundle
    mended_by: Mapping[str, str]
    causes: Sequence[str]


def names() -> list[str]:
    """The names of all platforms."""
    return sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))


@cache
def platform(name: str) -> Platform:
    """A platform by its name."""
    found = importlib.import_module(f"support.platforms.{name}")
    causes = getattr(found, "CAUSES", ())
    return Platform(name, found.WHAT, found.MADE_BY, found.RUNBOOKS, found.bundle(), found.MENDED_BY, causes)


@cache
def run_on(name: str) -> Run:
    """What the runbooks say of a platform."""
    return run_over(platform(name).bundle, platform(name).runbooks)


def run_over(bundle: Bundle, runbooks: Sequence[str]) -> Run:
    """What runbooks say of facts."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle.json"
        save_bundle(file, bundle)
        return execute(Options(runbooks=list(runbooks), bundle=file, deadline=60)).run


def failing(run: Run) -> list[Result]:
    """What fails in a run."""
    return [result for result in run.results if result.outcome == "fail"]


def causes_named(run: Run) -> list[str]:
    """The causes that a run names, by their ids."""
    return [cause_found.cause.rpartition("/")[2] for said in run.diagnoses for cause_found in said.named]


def explained(run: Run) -> set[str]:
    """The failing checks, by their ids, that the named causes explain."""
    named = [cause_found for said in run.diagnoses for cause_found in said.named]
    return {check.rpartition("/")[2] for cause_found in named for check in (*cause_found.explains, *cause_found.helps)}


def recorded(name: str) -> Bundle:
    """The facts of a lab, recorded once for this platform: kept evidence is made anew, on machines that may be busy."""
    file = Path(__file__).with_name(f"{name}.json.gz")
    bundle = read_bundle(gzip.decompress(file.read_bytes()), str(file))
    return replace(bundle, kept=[*bundle.kept, *_latencies(bundle)])


def _latencies(bundle: Bundle) -> Iterator[Kept]:
    """How quickly brokers answer, by their greeting: labs were recorded before more answers were timed."""
    asked = {kept.ask.probe for kept in bundle.kept}
    for kept in bundle.kept:
        if kept.ask.probe == "kafka_broker" and "kafka_broker_latency" not in asked:
            fact = kept.facts[""]
            took = fact.columns["greeting_ms"]
            columns = {name: fact.columns[name] for name in ("broker", "silence")}
            columns |= {"answers_ms": [None if ms is None else [ms] for ms in took], "slowest_ms": took}
            latency = replace(fact, source="kafka_broker_latency", columns=columns)
            yield Kept(replace(kept.ask, probe="kafka_broker_latency"), {"": latency})
            return


def as_the_page_says(bundle: Bundle, page: str, *, params: Mapping[str, Mapping[str, Any]] | None = None) -> Bundle:
    """A bundle of one environment as the inventory has it that a page on a platform shows.

    Args:
        bundle: the facts.
        page: of docs/how-to/, without its ending.
        params: parameters that are this lab's own, beside those of the page.
    """
    [name] = bundle.environments
    said = shown(page)
    both = {check: {**values} for check, values in (params or {}).items()}
    for check, values in said.params.items():
        both.setdefault(check, {}).update(values)
    merged = replace(said, params=both, cluster_id="")
    return replace(bundle, environments={name: merged})


def shown(page: str) -> Environment:
    """The environment of the inventory that a page on a platform shows first."""
    return _target(page).environment


def settings(page: str, connection: str) -> dict[str, Any]:
    """What that inventory says of a connection, as the connection takes it."""
    return _target(page).connections[connection]


def _target(page: str) -> Target:
    inventory = parse_inventory(titled(f"docs/how-to/{page}.md", "environments.yaml"), "environments.yaml", TODAY)
    return next(iter(inventory.targets.values()))
