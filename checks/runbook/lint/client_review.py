"""Review of clients' settings in a repository: the checks that need nothing else, over the files that have them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from glob import escape
from typing import Any, Final, NamedTuple

from msgspec import structs

from runbook import __version__
from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.formats.kafka_settings import judged
from runbook.formats.setting_names import names
from runbook.judge.summary import counted
from runbook.lint.client_repository import Repository
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.block import Check
from runbook.model.errors import UsageError
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
_TELLING: Final = 6  # characters from which on a value says which setting has it. Our judgement
_LABELS: Final = {"source": "repository"}
"""By which a check can tell files of a repository from those that are deployed."""


_LIBRARIES: Final = ("java", "librdkafka", "spring")
_NEWEST: Final = max(int(release.partition(".")[0]) for release in judged("producer"))
"""The first number of the newest release of Kafka's clients that is known here."""


def check_library(library: str) -> None:
    """Check what --library names.

    Raises:
        UsageError: it is no library that is known, or a release of Kafka's clients that nobody knows.
    """
    name, _, release = library.partition("-")
    if name not in _LIBRARIES:
        near = get_close_matches(name, _LIBRARIES, 1)
        meant = (
            f"did you mean {'-'.join(filter(None, (near[0], release)))}?"
            if near
            else f"known are {', '.join(_LIBRARIES)}"
        )
        raise UsageError(f"--library {library}: no such library; {meant}")
    if (release or "-" in library) and not re.fullmatch(r"[0-9]+(\.[0-9]+){0,3}", release):
        raise UsageError(f"--library {library}: {release!r} is no release; write {name}-4.3, or {name} alone")
    if name == _JAVA and release and int(release.partition(".")[0]) > _NEWEST:
        raise UsageError(
            f"--library {library}: no such release is known here; did you mean {name}-{judged('producer')[-1]}?"
        )


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
        head.notes += [f"{one.path}: {one.why}: what it says is unknown" for one in repository.skipped if one.unread]
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
    by_client: dict[str, list[Mapping[str, Any]]] = {}
    for row in fact.rows("client", "kind", "setting", "value", "places"):
        if row["places"]:
            by_client.setdefault(row["client"], []).append(row)
    return [_once(result, by_client) for result in results]


def _once(result: Result, by_client: Mapping[str, Sequence[Mapping[str, Any]]]) -> Result:
    rows: dict[tuple[str, ...], JudgedRow] = {}
    for row in result.rows:
        place = row.place or _place(row, by_client.get(str(row.key.get("client")), ()))
        rows.setdefault((row.outcome, place, row.message), structs.replace(row, place=place))
    less = Counter(row.outcome for row in result.rows) - Counter(row.outcome for row in rows.values())
    failed, undecided = result.failed - less["fail"], result.undecided - less["unknown"]
    return structs.replace(result, rows=[*rows.values()], failed=failed, undecided=undecided)


def _place(row: JudgedRow, settings: Sequence[Mapping[str, Any]]) -> str:
    """Where the setting stands that a row is about.

    That is the one of its key, the first that its message names, or one whose value it tells; else where the client
    begins that a setting of this name, which is not there, would be of.
    """
    kind = row.key.get("kind")
    own = [one for one in settings if one["kind"] == kind] or settings
    named = [str(row.key.get("setting", "")), *re.findall(r"[a-z][\w.]*\w", row.message.rpartition(" wanted ")[2])]
    for name in named:
        if found := [one for one in own if one["setting"] == name]:
            return str(found[0]["places"][""])
    for one in own:
        told = {one["value"] or "", (one["value"] or "").rpartition(".")[2]}
        if any(len(value) > _TELLING and value in row.message for value in told):
            return str(one["places"][""])
    return _begins([one for one in own if one["kind"] in _kinds_with(named)] or own, settings)


def _kinds_with(named: Sequence[str]) -> set[str]:
    """The one kind of client that has settings of these names."""
    for name in named:
        kinds = {kind for kind in ("producer", "consumer") if any(name in of for of in names()[kind].values())}
        if len(kinds) == 1:
            return kinds
    return set()


def _begins(own: Sequence[Mapping[str, Any]], settings: Sequence[Mapping[str, Any]]) -> str:
    """The first line of a client that is of it alone, or else the first of all."""
    kinds: dict[str, set[str]] = {}
    for one in settings:
        kinds.setdefault(one["places"][""], set()).add(one["kind"])
    alone = [one["places"][""] for one in own if len(kinds[one["places"][""]]) == 1]
    places = alone or [one["places"][""] for one in own]
    return min(places, key=lambda place: [place.rsplit(":", 2)[0], *map(int, place.rsplit(":", 2)[1:])], default="")
