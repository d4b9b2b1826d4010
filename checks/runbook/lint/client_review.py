"""Review of clients' settings in a repository: the checks that need nothing else, over the files that have them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from glob import escape
from typing import Final, NamedTuple

from msgspec import structs

from runbook import __version__
from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.judge.summary import counted
from runbook.lint.client_repository import Repository
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.block import Check
from runbook.model.fact import Fact, tabulate
from runbook.model.result import JudgedRow, Result
from runbook.model.run import Run, run_id
from runbook.parse.inventory import Environment, Target
from runbook.parse.runbook import Runbook
from runbook.plugins.catalog import catalog
from runbook.run.check_run import Options, start
from runbook.run.sources.runbooks import read_sound

PROBE: Final = "client_config"
ENVIRONMENT: Final = "clients"
"""Under which results stand where no environment of an inventory is named."""
_CONNECTION: Final = "files"
_JAVA: Final = "java"
_TAKEN: Final = "ha/clients-would-start-with-their-settings"
_LABELS: Final = {"source": "repository"}
"""By which a check can tell files of a repository from those that are deployed."""


class Review(NamedTuple):
    """A finished review: the run, and the runbooks whose checks it judged."""

    run: Run
    runbooks: list[Runbook]


def review(repository: Repository, target: Target | None, library: str = "") -> Review:
    """Judge what the files of a repository say.

    Args:
        repository: what was found.
        target: by whose labels, objectives, parameters and waivers; None: by none.
        library: of all clients whose files do not tell it, as java-4.3; empty if it is not known.

    Raises:
        UsageError: a runbook or a parameter has mistakes.
    """
    probe = catalog("probes").load(PROBE)
    now = moment.now()
    fact = structs.replace(tabulate(PROBE, probe.PROBE.columns, probe.observe(repository)), collected_at=now)
    if library.startswith(_JAVA):
        fact.columns["framework"] = [framework or _JAVA for framework in fact.columns["framework"]]
    name = target.name if target else ENVIRONMENT
    environment = _with_libraries(target.environment if target else Environment(), fact, library)
    bundle = Bundle(
        format=FORMAT,
        tool_version=__version__,
        run=run_id(now),
        started_at=now,
        environments={name: environment},
        connections={name: {_CONNECTION: ["clients"]}},
        mirrors=[],
        kept=[Kept(FactQuestion(name, _CONNECTION, PROBE), {"": fact})],
        typed_gaps=True,
    )
    judged = start(Options(collected=bundle))
    for _ in judged.judged():
        pass
    run = judged.run
    run.results = _with_places(run.results, fact)
    for head in run.heads:
        head.place = next((f"{file.path}:1:1" for file in repository.files), "")
        head.notes.append(_counts(repository, fact))
    of = {result.runbook for result in run.results}
    return Review(run, [book for book in judged.runbooks if book.name in of])


def _counts(repository: Repository, fact: Fact) -> str:
    """How many files were looked at, and how many of them count."""
    files, clients = {file.path for file in repository.files}, {*fact.columns["client"]}
    looked = len(files) + len(repository.skipped)
    of_clients = f"{counted(len(files), 'file')} with settings of {counted(len(clients), 'client')}"
    skipped = f"{len(repository.skipped):,} skipped (-v lists them)"
    return f"{counted(looked, 'file')} of configuration, {repository.others:,} of other kinds: {of_clients}, {skipped}"


def _with_libraries(environment: Environment, fact: Fact, library: str) -> Environment:
    """An environment of a repository that knows what its files tell of libraries, and else that of all clients."""
    environment = structs.replace(environment, labels={**environment.labels, **_LABELS})
    of = {row["client"]: row["framework"] for row in fact.rows("client", "framework") if row["framework"]}
    java = library if library.startswith(_JAVA) else _JAVA
    said = [f"{escape(client)}={framework if framework == 'spring' else java}" for client, framework in of.items()]
    said += [f"*={library}"] if library else []
    params = {**environment.params}
    for book in [book.name for book in read_sound([])[0] if _takes_libraries(book)] if said else []:
        given = params.get(f"{book}/*", {})
        params[f"{book}/*"] = given | {"libraries": [*given.get("libraries", []), *said]}
    if release := java.partition("-")[2]:
        params[_TAKEN] = {"releases": [release]} | params.get(_TAKEN, {})
    return structs.replace(environment, params=params)


def _takes_libraries(book: Runbook) -> bool:
    return any("libraries" in check.block.params for check in book.checks() if isinstance(check.block, Check))


def _with_places(results: Sequence[Result], fact: Fact) -> list[Result]:
    """Results whose rows each stand at the setting that they are about; what several profiles share is told once."""
    by_client: dict[str, dict[str, str]] = {}
    for row in fact.rows("client", "setting", "places"):
        by_client.setdefault(row["client"], {})[row["setting"]] = row["places"][""]
    return [_once(result, by_client) for result in results]


def _once(result: Result, by_client: Mapping[str, Mapping[str, str]]) -> Result:
    rows: dict[tuple[str, ...], JudgedRow] = {}
    for row in result.rows:
        place = row.place or _place(row, by_client.get(str(row.key.get("client")), {}))
        rows.setdefault((row.outcome, place, row.message), structs.replace(row, place=place))
    less = Counter(row.outcome for row in result.rows) - Counter(row.outcome for row in rows.values())
    failed, undecided = result.failed - less["fail"], result.undecided - less["unknown"]
    return structs.replace(result, rows=[*rows.values()], failed=failed, undecided=undecided)


def _place(row: JudgedRow, settings: Mapping[str, str]) -> str:
    """Where the setting stands that a row is about by its key, or is the first that its message names, else any."""
    named = [str(row.key.get("setting", "")), *re.findall(r"[a-z][\w.]*", row.message)]
    return next((settings[name] for name in named if name in settings), next(iter(settings.values()), ""))
