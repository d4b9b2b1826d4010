"""The run as SARIF 2.1.0, for code hosts that show findings beside the lines of a pull request.

A failing row is a result of its own, at FILE:LINE where what it is about stands in a file, else at the name of its
entity. fail becomes `fail` with a level by severity, unknown `open`, a waived or milder one keeps its kind and is
suppressed or a note; what passed, what did not apply and what nobody looks at by declaration is told with --full only,
as `pass`, `notApplicable` and a suppressed `open`. Without, an environment says how much it leaves unobserved.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from runbook.judge.summary import below
from runbook.judge.template import show
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._unobserved import unobserved
from runbook.safety.sanitize import sanitize

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_KIND: Final = {
    Outcome.PASS: "pass",
    Outcome.FAIL: "fail",
    Outcome.UNKNOWN: "open",
    Outcome.NOT_APPLICABLE: "notApplicable",
}
_LEVEL: Final = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
_PLACE: Final = re.compile(r"\(([^()\n]*\.(?:yaml|yml|json)):(\d{1,9})\)$")
"""How messages end that name the place of what they are about."""
_PIPED: Final = "/standard-input.yaml"
"""What was piped in stands in no file of a repository."""
_QUIET: Final = (Outcome.PASS, Outcome.NOT_APPLICABLE)

Json = dict[str, Any]


def report(run: Run, options: ReportOptions) -> str:
    """The document."""
    shown = [result for result in run.results if options.full or not (result.outcome in _QUIET or result.unobserved)]
    rules = {result.check: _rule(result) for result in shown}
    order = {name: place for place, name in enumerate(rules)}
    mild = {id(result) for result in below(run.results, options.fail_on)}
    results = [entry for result in shown for entry in _results(result, order[result.check], mild=id(result) in mild)]
    driver = {"name": "runbook", "semanticVersion": run.tool_version, "rules": [*rules.values()]}
    whole = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"runbook/{run.id}"},
                "invocations": [{"executionSuccessful": not run.interrupted, "startTimeUtc": run.started_at}],
                "columnKind": "unicodeCodePoints",
                "properties": {"environments": [_environment(head, run) for head in run.heads]},
                "results": results,
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _environment(head: Head, run: Run) -> Json:
    """What a cluster says of itself; null is not known."""
    return {
        "name": sanitize(head.environment),
        "cluster_id": None if head.cluster_id is None else sanitize(head.cluster_id),
        "kafka_version": None if head.kafka_version is None else sanitize(head.kafka_version),
        "mode": None if head.mode is None else sanitize(head.mode),
        "objectives": head.ranking,
        "notes": [sanitize(note) for note in head.notes],
    } | ({"unobserved": sanitize(left)} if (left := unobserved(head, run.results)) else {})


def _rule(result: Result) -> Json:
    rule: Json = {
        "id": result.check,
        "name": sanitize(result.check.rpartition("/")[2]),
        "shortDescription": {"text": sanitize(result.title)},
        "defaultConfiguration": {"level": _LEVEL[result.severity]},
        "properties": {
            "severity": result.severity,
            "runbook": f"{result.runbook} {result.runbook_version}",
            "tags": [result.runbook, *result.objectives],
        },
    }
    if result.remedy:
        remedy = "\n".join(map(sanitize, result.remedy.strip().split("\n")))
        rule["help"] = {"text": remedy, "markdown": remedy}
    return rule


def _results(result: Result, place: int, *, mild: bool) -> Iterator[Json]:
    """A result for each row that is listed; one of the whole check where none is."""
    kind = _KIND[result.outcome]
    level = "none" if kind != "fail" else "note" if mild else _LEVEL[result.severity]
    about = {"ruleId": result.check, "ruleIndex": place, "kind": kind, "level": level}
    rows = [row for row in result.rows if row.outcome == result.outcome]
    if result.outcome in _QUIET or not rows:
        yield about | _entry(result, _whole(result), waived=result.waived)
        return
    for row in rows:
        waived = result.waived or row.waived
        yield (
            about | _entry(result, f"{result.title}: {row.message}", waived=waived) | {"locations": [_at(result, row)]}
        )
    if left := _left(result, len(rows)):
        yield about | _entry(result, f"{result.title}: {left} more, which are not listed", waived=result.waived)


def _left(result: Result, listed: int) -> int:
    return (result.failed if result.outcome is Outcome.FAIL else result.undecided) - listed


def _whole(result: Result) -> str:
    gaps = [f"not seen: {gap.reason}" for gap in result.gaps]
    return "; ".join([f"{result.title}: {result.reason}", *gaps])


def _entry(result: Result, text: str, *, waived: bool) -> Json:
    """What a result says, of the whole environment, and who excuses it."""
    entry: Json = {
        "message": {"text": sanitize(text)},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": sanitize(result.environment)}]}],
        "properties": {"environment": sanitize(result.environment), "subject": sanitize(result.subject)},
    }
    if waived and result.waiver is not None:
        reason = f"waived by {result.waiver.owner} until {result.waiver.expires}: {result.waiver.reason}"
        entry["suppressions"] = [_accepted(reason)]
    elif result.unobserved:
        entry["suppressions"] = [_accepted(f"not observed: {result.reason}")]
    return entry


def _accepted(reason: str) -> Json:
    return {"kind": "external", "status": "accepted", "justification": sanitize(reason)}


def _at(result: Result, row: JudgedRow) -> Json:
    """Where a row is: what it is about by name, and the line where that stands."""
    key = "; ".join(f"{name} {show(value)}" for name, value in row.key.items())
    name = sanitize(f"{result.environment}: {key}" if key else result.environment)
    where: Json = {"logicalLocations": [{"fullyQualifiedName": name}]}
    if (found := _PLACE.search(row.message)) and not found[1].endswith(_PIPED):
        place = {"artifactLocation": {"uri": _uri(found[1])}, "region": {"startLine": int(found[2])}}
        where["physicalLocation"] = place
    return where


def _uri(file: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - it takes 5 ms that no other format pays

    return ("file://" if file.startswith("/") else "") + quote(sanitize(file))
