"""The inventory: environments, how they are reached, what they want, and what is excused."""

import datetime as dt
import pathlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from runbook.model.ask import seconds
from runbook.model.block import Objective
from runbook.model.canary import OF_LINKS, CanaryHere, Load
from runbook.model.errors import Invalid, Problem, did_you_mean
from runbook.model.link import Mirror, Name, paired
from runbook.model.objective import Ranking
from runbook.model.probe import Probe
from runbook.parse.absences import said_twice, with_reasons
from runbook.parse.allowed import refusals
from runbook.parse.connection_lines import line_for
from runbook.parse.schema import convert, mended
from runbook.parse.unobserved import Date, Unobserved, called_absent, wrong_date, wrong_ends
from runbook.parse.yaml_document import Document, Path, read_yaml
from runbook.plugins.catalog import catalog
from runbook.safety.secret import is_secret, plain_secrets, wrong_references

SHORTEST_RETENTION, LONGEST_RETENTION = 3600.0, 400 * 86400.0  # seconds that facts are kept: our judgement
LONGEST_WAIVER = dt.timedelta(days=90)  # design §3: an exception is looked at again each quarter

_OF_CANARIES = _OF_RESULTS = "kafka"  # the kind of connection whose settings canaries and stores of results take

LEAST_REASON = 10  # characters of a sentence that says why; our judgement: shorter, and nobody learns from it
FLEET = "fleet"  # the environment under which results about all environments are kept


class Waiver(Struct, frozen=True, forbid_unknown_fields=True):
    """A dated exception, in a list under `waivers:` of an environment.

    Attributes:
        check: that may fail, as RUNBOOK/CHECK.
        owner: who answers for it.
        reason: a sentence of ten characters at least: why this may be so for now, and what will end it.
        expires: the last day on which it holds, to its end in UTC, as 2026-12-31; 90 days ahead at most.
        rows: narrows it: key column or entity -> shell pattern; all of them must match.
    """

    check: str
    owner: Annotated[str, Meta(min_length=1, description="who answers for it")]
    reason: Annotated[
        str, Meta(min_length=LEAST_REASON, description="a sentence: why this may be so for now, and what will end it")
    ]
    expires: Date
    rows: dict[str, str] = {}

    def expired(self, now: dt.datetime) -> bool:
        """Whether it no longer holds."""
        return now.date() > dt.date.fromisoformat(self.expires)


class Environment(Struct, frozen=True, forbid_unknown_fields=True):
    """One environment, apart from its connections.

    Attributes:
        labels: what `labels:` of a check select by, such as tier: prod; the scorecard shows them.
        owner: who answers for it, such as a team or an address; the scorecard shows it.
        owners: shell pattern of topics -> who answers for them instead; the longest that fits.
        objectives: the ranking, either a list or {default: […], topics: [{topics: PATTERN, ranking: […]}]}.
        cluster_id: if given, anything that is not this cluster is `unknown`.
        absent: connection, or a probe that a service does not answer -> why there is none; its checks are
            `not_applicable`.
        unobserved: connection or probe -> why nobody looks there for now, who decided that, and until when; its checks
            are `unknown`, count against coverage, and do not end a run with 3.
        params: check -> parameter -> value, instead of the check's default; RUNBOOK/* stands for all of its checks that
            have such a parameter, and a check's own entry comes before it.
        waivers: dated exceptions.
        active: whether probes may try something, such as a login that must fail; without it they are not asked.
        may_read: shell patterns of the topics whose records may be read; without it none ever is.
        canary: consent to the canary of a drill of this environment alone; without it there is none.
        measure: consent to `runbook measure` and its bounds; without it nothing is measured.
    """

    labels: dict[str, str] = {}
    owner: str = ""
    owners: dict[str, Annotated[str, Meta(min_length=1)]] = {}
    objectives: list[Objective] | Ranking = []
    cluster_id: str = ""
    absent: dict[str, Annotated[str, Meta(min_length=3)]] = {}
    unobserved: dict[str, Unobserved] = {}
    params: dict[str, dict[str, Any]] = {}
    waivers: list[Waiver] = []
    active: bool = False
    may_read: list[Annotated[str, Meta(min_length=1)]] = []
    canary: CanaryHere | None = None
    measure: Load | UnsetType = UNSET  # not None: kept evidence then stays as it was

    def not_observed(self) -> dict[str, Unobserved]:
        """What nobody looks at by declaration, also where it is called absent and always exists."""
        return called_absent(self.absent) | self.unobserved

    def ranking(self) -> Ranking:
        """The ranking in force."""
        if isinstance(self.objectives, Ranking):
            return self.objectives
        return Ranking(list(self.objectives)) if self.objectives else Ranking()


class Target(Struct, frozen=True):
    """An environment of the inventory with its connections: kind -> settings, secrets as references."""

    name: str
    environment: Environment
    connections: dict[str, dict[str, Any]]

    def ways_to(self, probe: Probe) -> list[str]:
        """Of the kinds of connection that a probe can be put to, those to use; its first of all if there is none."""
        given = [kind for kind in probe.connections if kind in self.connections and self._tells(kind, probe)]
        return (given if probe.each else given[:1]) or [probe.connections[0]]

    def _tells(self, kind: str, probe: Probe) -> bool:
        return kind not in probe.needs or probe.needs[kind] in self.connections[kind]


class ResultsStore(Struct, frozen=True, forbid_unknown_fields=True):
    """Where results are kept, and the settings it takes to reach a Kafka topic; secrets as references.

    Attributes:
        to: a folder, or an address such as s3://bucket/results or kafka://broker:9092/topic.
        settings: of the client of that topic, as librdkafka names them.
        keep_facts: how long the facts of scheduled runs and of incidents are kept there too, as 14d; empty: not at all.
    """

    to: Annotated[str, Meta(min_length=1)]
    settings: dict[str, Any] = {}
    keep_facts: str = ""


OF_INVENTORY = {"environment": Environment, "waiver": Waiver}
"""What whoever writes an inventory writes -> the record of its fields."""


class Inventory(Struct, frozen=True):
    """All environments.

    Attributes:
        file: where it was read.
        default: the environment used when none is named.
        results: folder or URL of the results store; empty if runs are not kept.
        results_settings: how that store is reached, if it is a Kafka topic.
        keep_facts: seconds for which facts of scheduled runs and of incidents are kept beside results; 0: not at all.
        document: the YAML, for the places of what is found wrong later.
    """

    file: str
    document: Document
    targets: dict[str, Target]
    mirrors: list[Mirror]
    default: str = ""
    results: str = ""
    results_settings: dict[str, Any] = {}
    keep_facts: float = 0.0


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    environments: dict[Name, dict[str, Any]]
    default: str = ""
    mirrors: list[Mirror] = []
    results: str | ResultsStore = ""


def parse_inventory(text: str, file: str, today: dt.date) -> Inventory:
    """Read an inventory.

    Args:
        text: its YAML.
        file: how messages name it.
        today: waivers may not reach more than 90 days beyond it.

    Raises:
        Invalid: with every problem.
    """
    inventory, problems = survey_inventory(text, file, today)
    if problems:
        raise Invalid(problems)
    return inventory


def survey_inventory(text: str, file: str, today: dt.date) -> tuple[Inventory, list[Problem]]:
    """Read an inventory that may have mistakes, going on behind them; gives what can be read, and every mistake.

    Raises:
        Invalid: it is no YAML, or empty.
    """
    document = read_yaml(text, file)
    if document.value is None:
        raise Invalid([Problem(document.start, "the inventory is empty", "environments: {NAME: {kafka: {…}}}")])
    problems: list[Problem] = []
    targets: dict[str, Target] = {}
    try:
        whole = convert(document, _Document, "inventory")
    except Invalid as invalid:
        problems += invalid.problems
        whole = _legible(document.value)
    for name, entry in whole.environments.items():
        if name == FLEET:
            place = document.key(("environments", name))
            problems.append(Problem(place, f'"{FLEET}" stands for all environments together', "choose another name"))
        targets[name] = _target(name, entry, document, problems)
        problems += _waivers(targets[name], document, today)
        ends = targets[name].environment.unobserved
        problems += wrong_ends(ends, ("environments", name), document, today)
    problems += _references(whole, document)
    for i, mirror in enumerate(whole.mirrors):
        for side in ("source", "target") if mirror.canary else ():
            given = getattr(mirror.canary, side)
            problems += _wrong_settings(_OF_CANARIES, given, ("mirrors", i, "canary", side), document)
    address = whole.results.to if isinstance(whole.results, ResultsStore) else whole.results
    if address and "://" not in address:
        address = str(pathlib.Path(file).parent / address)  # a folder is meant from where the inventory is
    if not address.isprintable():
        place = document.place(("results",))
        problems.append(Problem(place, f"{address!r} is no address or folder: it holds invisible characters"))
    if isinstance(whole.results, ResultsStore):
        problems += _wrong_settings(_OF_RESULTS, whole.results.settings, ("results", "settings"), document)
        problems += _wrong_retention(whole.results, document)
    store = whole.results if isinstance(whole.results, ResultsStore) else None
    read = Inventory(
        file,
        document,
        targets,
        paired(whole.mirrors),
        whole.default,
        results=address,
        results_settings=store.settings if store else {},
        keep_facts=seconds(store.keep_facts) if store and store.keep_facts and not problems else 0.0,
    )
    return read, sorted(problems, key=lambda problem: (problem.place.line, problem.place.column))


def _wrong_retention(store: ResultsStore, document: Document) -> Iterator[Problem]:
    """What is wrong with how long facts are to be kept."""
    if not store.keep_facts:
        return
    place = document.place(("results", "keep_facts"))
    try:
        kept = seconds(store.keep_facts)
    except ValueError as error:
        yield Problem(place, str(error), "write days, as in keep_facts: 14d")
        return
    if not SHORTEST_RETENTION <= kept <= LONGEST_RETENTION:
        yield Problem(place, f"facts are kept for an hour at least and 400 days at most, not {store.keep_facts}")
    if store.to.startswith("kafka://"):
        yield Problem(place, "a topic keeps no facts: they need a folder or a file system", "leave keep_facts: out")


def _legible(value: Any) -> _Document:
    """What can be read of an inventory with mistakes, to find those further down too."""
    parts = value if isinstance(value, dict) else {}
    found = parts.get("environments")
    entries = {n: e if isinstance(e, dict) else {} for n, e in found.items()} if isinstance(found, dict) else {}
    default = parts.get("default")
    try:
        mirrors = msgspec.convert(parts.get("mirrors", []), list[Mirror])
    except msgspec.ValidationError:
        mirrors = []
    return _Document(entries, default if isinstance(default, str) else "", mirrors)


def _target(name: str, entry: Mapping[str, Any], document: Document, problems: list[Problem]) -> Target:
    path: Path = ("environments", name)
    kinds = catalog("connections").names()
    connections: dict[str, dict[str, Any]] = {}
    rest: dict[str, Any] = {}
    for key, value in entry.items():
        if key not in kinds:
            rest[key] = value
        elif isinstance(value, dict):
            connections[key] = value
            problems += _wrong_settings(key, value, (*path, key), document)
        else:
            message = f"{key} of {name} must be a mapping of settings"
            problems.append(Problem(document.place((*path, key)), message, _as_settings(key, value)))
    known = {*Environment.__struct_fields__, *kinds}
    for key in sorted(set(rest) - set(Environment.__struct_fields__)):
        remedy = _below(key, rest[key]) or catalog("connections").left_out(key) or did_you_mean(key, sorted(known))
        problems.append(Problem(document.key((*path, key)), f'unknown field "{key}" in environment {name}', remedy))
        del rest[key]
    rest = _without_link(rest, path, document, problems)
    rest = with_reasons(rest, path, document, problems, sorted(kinds))
    part = _within(document, path, rest)
    environment = mended(part, Environment, f"environment {name}", problems) or Environment()
    document.lost += [(*path, *lost) for lost in part.lost]
    for consent, given in (("canary", environment.canary), ("measure", environment.measure)):
        if isinstance(given, CanaryHere | Load):
            problems += _wrong_settings(_OF_CANARIES, given.kafka, (*path, consent, "kafka"), document)
    problems += said_twice(rest, connections, path, document)
    return Target(name, environment, connections)


def _as_settings(kind: str, value: Any) -> str:
    """What to write where something else, or nothing, stands in place of a connection's settings."""
    if value is None and (line := line_for(kind)):
        return f"write {line}"
    if value is False:
        return f"where there is none, write why: absent: {{{kind}: REASON}}"
    setting = getattr(catalog("connections").load(kind), "ADDRESS", "")
    if setting and isinstance(value, str) and value:
        return f'write {kind}: {{{setting}: "{value}"}}'
    given = f"{kind}: {{{setting}: …}}" if setting else f"{kind}: {{NAME: …}}"
    return f"write {kind}: {{}}, or {given}" if value is True else f"write {given}"


def _below(key: str, value: Any) -> str:
    """Where that belongs which stands in an environment by mistake: connections, or a setting of one; else ""."""
    if isinstance(value, dict) and value and {*value} <= {*catalog("connections").names()}:
        kinds = ", ".join(f"{kind}:" for kind in value)
        return f"connections stand in the environment itself: write {kinds} one level up"
    for kind in catalog("allowed").names():
        name = key.replace("_", ".")
        if name in getattr(catalog("allowed").load(kind), "ALLOWED", ()):
            shown = "{env: NAME}" if is_secret(name) else value if isinstance(value, int) else f'"{value}"'
            return f"it is a setting of the connection {kind}. Write {kind}: {{{name}: {shown}}}"
    return ""


def _without_link(rest: dict[str, Any], path: Path, document: Document, problems: list[Problem]) -> dict[str, Any]:
    """An environment's entry without what its canary says of a link, which is a mistake."""
    canary = rest.get("canary")
    if not isinstance(canary, dict):
        return rest
    for key in sorted(set(canary) & set(OF_LINKS)):
        message = f"canary.{key} is about a link, and this is the canary of {path[-1]} alone"
        remedy = "Kafka settings of its own stand under kafka: here" if key != "wait" else "leave it out"
        remedy += "; the canary of a link stands in its entry of mirrors:"
        problems.append(Problem(document.key((*path, "canary", key)), message, remedy))
    return rest | {"canary": {key: value for key, value in canary.items() if key not in OF_LINKS}}


def _wrong_settings(kind: str, settings: Mapping[str, Any], path: Path, document: Document) -> Iterator[Problem]:
    """What a file may not say of a connection, and credentials that stand in it instead of where they come from."""
    above = {*Environment.__struct_fields__} if path == ("environments", path[1], kind) else {*()}
    for refusal in refusals(kind, settings):
        name = str(refusal.path[-1])
        remedy = f"write {name}: one level up, beside {kind}:" if name in above else refusal.remedy
        yield Problem(document.key((*path, *refusal.path)), refusal.message, remedy)
    for below in plain_secrets(settings):
        name = next(str(part) for part in reversed(below) if isinstance(part, str))
        message = f"{name} stands here as plain text"
        remedy = "write where it comes from: {env: NAME}, {file: PATH} or {keyring: SERVICE, user: NAME}"
        yield Problem(document.place((*path, *below)), message, remedy)
    for wrong in wrong_references(settings):
        yield Problem(document.place((*path, *wrong.path)), wrong.message, wrong.remedy)


def _within(document: Document, path: Path, value: Any) -> Document:
    """The part of a document below a path, with its places."""
    depth = len(path)

    def below(places: Mapping[Path, Any]) -> dict[Path, Any]:
        return {key[depth:]: place for key, place in places.items() if key[:depth] == path}

    return Document(value, document.place(path), below(document.values), below(document.keys))


def _waivers(target: Target, document: Document, today: dt.date) -> Iterator[Problem]:
    for i, waiver in enumerate(target.environment.waivers):
        path: Path = ("environments", target.name, "waivers", i, "expires")
        if not document.is_lost(path):
            yield from wrong_date(waiver.expires, document, path, today, LONGEST_WAIVER, "a waiver lasts")


def _references(whole: _Document, document: Document) -> Iterator[Problem]:
    names = [*whole.environments]
    if whole.default and whole.default not in names:
        remedy = did_you_mean(whole.default, names)
        yield Problem(document.place(("default",)), f'no environment "{whole.default}"', remedy)
    seen: set[str] = set()
    for i, mirror in enumerate(whole.mirrors):
        if mirror.from_ == mirror.to:
            yield Problem(document.place(("mirrors", i)), f"{mirror.to} mirrors itself", "name two environments")
        if mirror.name in seen:
            yield Problem(document.place(("mirrors", i)), f"{mirror.name} is listed twice", "remove one of them")
        seen.add(mirror.name)
        for side, name in (("from", mirror.from_), ("to", mirror.to)):
            if name not in names:
                remedy = did_you_mean(name, names)
                yield Problem(document.place(("mirrors", i, side)), f'no environment "{name}"', remedy)
