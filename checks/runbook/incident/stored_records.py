"""Where the record of an incident is read from: the results store, the folder of walks, kept facts."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import structs

from runbook.evidence.kept_facts import FactStore, fact_store, kept_facts, kept_runs_of
from runbook.evidence.lines import ResultLine
from runbook.evidence.store import Store
from runbook.evidence.store_layout import EXPECTED
from runbook.incident.events import places_of, recorded_runs, walks_on_record
from runbook.incident.record import IncidentEvidence, IncidentRecord, JudgedText, ObservationSince, RecordedRun, Span
from runbook.incident.results_store import choose_store
from runbook.model import moment
from runbook.model.ask import seconds
from runbook.model.environment_option import environment_option
from runbook.model.errors import UsageError, did_you_mean
from runbook.procedure.walk_file import kept as kept_walks
from runbook.procedure.walk_file import walks_home
from runbook.procedure.walk_record import Record
from runbook.run.diagnosis.comparison import observation_of, since
from runbook.run.sources.chosen_environments import choose_one
from runbook.run.sources.inventories import find_inventory, load_inventory

_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?")
_DIGITS = 8  # of a digest: enough to tell two texts apart


def read_span(patterns: Sequence[str], inventory: Path | None, begin: str, end: str) -> Span:
    """The environment and the moments that are meant.

    Raises:
        UsageError: they are not one environment, or no moments, or the first is not before the second.
    """
    name = patterns[0] if len(patterns) == 1 and not set("*?[") & set(patterns[0]) else _one(inventory, patterns)
    return span_of(name, begin, end, dt.datetime.now(dt.UTC))


def span_of(name: str, begin: str, end: str, now: dt.datetime) -> Span:
    """The span of one environment from what --from and --to say; without an end, until now.

    Raises:
        UsageError: they are no moments, or the first is not before the second.
    """
    first = _moment(begin, now, "--from")
    last = _moment(end, now, "--to", first.astimezone(dt.UTC)) if end else now
    if first >= last:
        raise UsageError(f"--from {begin} is not before --to {end or 'now'}")
    return Span(name, moment.written(first), moment.written(last))


def _one(inventory: Path | None, patterns: Sequence[str]) -> str:
    return choose_one(load_inventory(inventory), patterns, "an incident has a page for each").name


def _moment(text: str, now: dt.datetime, option: str, after: dt.datetime | None = None) -> dt.datetime:
    """A moment: as it is written, in UTC where no zone is, or as long ago as a duration says.

    A time without a date is the first that is behind `after`; without that the last that there was, of today or else of
    yesterday.
    """
    try:
        return now - dt.timedelta(seconds=seconds(text))
    except (ValueError, OverflowError):
        pass
    try:
        if _TIME.fullmatch(text):
            hour, rest = text.split(":", 1)
            return _nearest(dt.time.fromisoformat(f"{hour:0>2}:{rest}"), now, after)
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        ways = "a moment, as 2026-11-24T06:00, a time of the last 24 hours in UTC, as 06:00, or how long ago, as 2h"
        raise UsageError(f"{option} {text}: write {ways}") from None
    return at if at.tzinfo else at.replace(tzinfo=dt.UTC)


def _nearest(time: dt.time, now: dt.datetime, after: dt.datetime | None) -> dt.datetime:
    day = dt.timedelta(days=1)
    at = dt.datetime.combine((after or now).date(), time, dt.UTC)
    if after is not None:
        return at if at > after else at + day
    return at if at <= now else at - day


def read_incident(span: Span, results: str, inventory: Path | None, walks: Path | None) -> IncidentRecord:
    """All that is on record; what can't be looked at is named in it.

    Raises:
        UsageError: the store of results can't be used, or nobody knows the environment.
    """
    store = choose_store(results, inventory)
    folder = walks or walks_home()
    _known(span.environment, store, folder, inventory)
    lacks = [] if folder.is_dir() else [f"no walks are kept in {folder}"]
    changes: list[ObservationSince] = []
    try:
        changes = _changes(store, span)
        if not changes:
            lacks.append(f"what changed: {_too_few_facts(store, span.environment, inventory)}")
    except UsageError as error:
        lacks.append(f"what changed: {error}")
    seen = _looks(store, span, walks_on_record(folder, span))
    if seen.looks and not seen.before:
        lacks.append("no run of the day before it is kept: what failed even then is not marked")
    return IncidentRecord(seen, changes, lacks)


def _looks(store: Store, span: Span, walks: list[Record]) -> IncidentEvidence:
    """The runs in the span, and apart from them those of the day before."""
    before = moment.written(moment.read(span.begin) - dt.timedelta(days=1))
    looks = recorded_runs(store, Span(span.environment, before, span.end))
    within = [look for look in looks if look.run.started_at >= span.begin]
    texts = _several_texts(within)
    told = [structs.replace(look, results=[_by_its_text(line, texts) for line in look.results]) for look in looks]
    first = len(looks) - len(within)
    return IncidentEvidence(span, told[first:], told[:first], walks, _judged_texts(within, texts))


def _several_texts(looks: Sequence[RecordedRun]) -> dict[str, dict[str, str]]:
    """Of each check that several texts judged, the version of each, by its digest; the digest where two have one."""
    versions: dict[str, dict[str, str]] = {}
    for look in looks:
        for line in look.results:
            versions.setdefault(line.check, {})[line.check_digest] = line.runbook_version
    return {
        check: of if len({*of.values()}) == len(of) else {digest: digest[:_DIGITS] for digest in of}
        for check, of in versions.items()
        if len(of) > 1
    }


def _judged_texts(looks: Sequence[RecordedRun], texts: Mapping[str, Mapping[str, str]]) -> dict[str, JudgedText]:
    """Each of those texts by its name: what no later look judged that judged the check is not judged any more."""
    judged: dict[str, JudgedText] = {}
    for look in looks:
        for line in (one for one in look.results if one.check in texts):
            for name in (_name(line.check, text) for text in texts[line.check].values()):
                if name in judged and not judged[name].ended:
                    judged[name] = JudgedText(line.check, look.run.started_at)
            judged[_by_its_text(line, texts).check] = JudgedText(line.check, "")
    return judged


def _by_its_text(line: ResultLine, texts: Mapping[str, Mapping[str, str]]) -> ResultLine:
    """The result under a name that says by which text: a built-in one beside one's own is no change of the cluster."""
    text = texts.get(line.check, {}).get(line.check_digest)
    return line if text is None else structs.replace(line, check=_name(line.check, text))


def _name(check: str, text: str) -> str:
    return f"{check} (text of {text})"


def _known(name: str, store: Store, walks: Path, inventory: Path | None) -> None:
    """Refuse an environment of which nothing is on record and that the inventory does not have: it is misspelt."""
    kept = [*store.sizes(), *(store.facts() if isinstance(store, FactStore) else ())]
    names = {path.split("/")[1] for path in kept if not path.startswith(f"{EXPECTED}/")}
    if name in names or any(name in places_of(record.begun) for _, record in kept_walks(walks)):
        return
    file = find_inventory(inventory)
    book = load_inventory(inventory) if file else None
    names |= {*book.targets} if book else set()
    if names and name not in names:
        where = f"in {store.name}" + (f" or {file}" if file else "")
        raise UsageError(f"no environment {name} {where}: {did_you_mean(name, sorted(names), 'runbook results list')}")


def _changes(store: Store, span: Span) -> list[ObservationSince]:
    """Each kept look in the span, compared with the last one before it, else with the first in it."""
    facts = fact_store(store)
    begin, end = (_as_id(at) for at in (span.begin, span.end))
    runs = [run for run in kept_runs_of(facts, span.environment, of_incidents=True) if run[: len(end)] <= end]
    before = [run for run in runs if run[: len(begin)] < begin][-1:]
    meant = [*before, *(run for run in runs if run[: len(begin)] >= begin)]
    if not meant:
        return []
    first = kept_facts(facts, span.environment, meant[0])
    asked = {*observation_of(first, span.environment).facts}
    looks = (observation_of(kept_facts(facts, span.environment, run), span.environment) for run in meant[1:])
    return [
        ObservationSince(
            since(first, look), {one.probe for one in asked} - {one.probe for one in asked - {*look.facts}}
        )
        for look in looks
    ]


def _too_few_facts(store: Store, environment: str, inventory: Path | None) -> str:
    """Why it is not told, and what is left: nothing can be compared where no facts are kept at all."""
    facts = fact_store(store)
    if kept_runs_of(facts, environment, of_incidents=True):
        too_few = f"{store.name} keeps facts of fewer than two runs around that time (--trigger incident keeps them)"
        if not kept_runs_of(facts, environment):
            return too_few
        where = environment_option(environment, inventory)
        return f"{too_few}. What has changed until now: runbook diff last {where}"
    none = f"{store.name} keeps no facts of {environment}"
    if find_inventory(inventory) and load_inventory(inventory).keep_facts:
        return f"{none}. The inventory wants them (keep_facts:); runbook check --trigger scheduled keeps them"
    wanted = f"results: {{to: {store.name}, keep_facts: 14d}}"
    who = "runs with --trigger incident and scheduled ones keep them then"
    return f"{none}. Before there is a next incident, write into the inventory: {wanted}; {who}"


def _as_id(at: str) -> str:
    """How the ids of runs begin that began at a moment: 20261124T060000Z."""
    return f"{at[:19].replace('-', '').replace(':', '')}Z"
