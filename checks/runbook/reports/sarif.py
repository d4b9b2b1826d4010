"""The run as SARIF 2.1.0, for code hosts that show findings beside the lines of a pull request.

A failing row is a result of its own, at the line of the file that has what it is about. Each result is at some line,
as code hosts want it: what no file has is at its environment in the inventory. fail becomes `fail` with a level by
severity, unknown `open`, a waived or milder one keeps its kind and is suppressed or a note; what passed, what did not
apply and what nobody looks at by declaration is told with --full only, as `pass`, `notApplicable` and a suppressed
`open`. Without, an environment says how much it leaves unobserved.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from runbook.judge.summary import below
from runbook.judge.template import show
from runbook.model.consequence import reason_for
from runbook.model.result import Outcome, Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._excuses import excuse
from runbook.reports._places import first_place
from runbook.reports._row_groups import RowGroup, row_groups
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
_PROBLEM: Final = {"error": "error", "warning": "warning", "note": "recommendation"}
"""Level of a rule → what GitHub sorts by."""
_QUIET: Final = (Outcome.PASS, Outcome.NOT_APPLICABLE)

Json = dict[str, Any]


def report(run: Run, options: ReportOptions) -> str:
    """The document."""
    shown = [result for result in run.results if options.full or not (result.outcome in _QUIET or result.unobserved)]
    rules = {result.check: _rule(result, run.first_names.get(result.check)) for result in shown}
    order = {name: place for place, name in enumerate(rules)}
    mild = {id(result) for result in below(run.results, options.fail_on)}
    declared = {head.environment: head.place for head in run.heads}
    compared = any(result.waiver and result.waiver.base for result in run.results)
    results = [
        entry
        for result in shown
        for entry in _Results(
            result,
            order[result.check],
            declared,
            options.folder,
            first_name=run.first_names.get(result.check, result.check),
            compared=compared,
        ).entries(mild=id(result) in mild)
    ]
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


def _rule(result: Result, first_name: str | None) -> Json:
    rule: Json = {
        "id": result.check,
        "name": sanitize(result.check.rpartition("/")[2]),
        "shortDescription": {"text": sanitize(result.title)},
        "fullDescription": {"text": sanitize(f"{result.title}: {reason_for(result.consequence) or result.severity}")},
        "defaultConfiguration": {"level": _LEVEL[result.severity]},
        "properties": {
            "severity": result.severity,
            "problem.severity": _PROBLEM[_LEVEL[result.severity]],
            "runbook": f"{result.runbook} {result.runbook_version}",
            "tags": [result.runbook, *result.objectives],
        },
    }
    remedy = "\n".join(map(sanitize, (result.remedy or f"runbook show {result.check}").strip().split("\n")))
    return (
        rule | {"help": {"text": remedy, "markdown": remedy}} | ({"deprecatedIds": [first_name]} if first_name else {})
    )


class _Results:
    """The results of one check and subject."""

    def __init__(
        self,
        result: Result,
        place: int,
        declared: Mapping[str, str],
        folder: str,
        *,
        first_name: str,
        compared: bool,
    ) -> None:
        """Take the place of its rule, where the inventory has each environment, and the working directory.

        Findings are known again by the `first_name` of the check, whatever it is called now. With `compared`, the run
        says of each failure whether a commit has it, too.
        """
        self._result = result
        self._compared = compared
        self._first_name = first_name
        self._rule = place
        self._folder = folder
        lost = [gap.place for gap in result.gaps if gap.place]
        self._places = [*lost, declared.get(result.environment, "")]

    def entries(self, *, mild: bool) -> Iterator[Json]:
        """One for each row that is listed; one of the whole check where none is."""
        result = self._result
        kind = _KIND[result.outcome]
        level = "none" if kind != "fail" else "note" if mild else _LEVEL[result.severity]
        about = {"ruleId": result.check, "ruleIndex": self._rule, "kind": kind, "level": level}
        rows = [row for row in result.rows if row.outcome == result.outcome]
        if result.outcome in _QUIET or not rows:
            yield about | self._entry(_whole(result), waived=result.waived)
            return
        for excused in (False, True):
            for group in row_groups(row for row in rows if row.waived is excused):
                yield about | self._entry(f"{result.title}: {group.says}", waived=result.waived or excused, group=group)
        if left := _left(result, len(rows)):
            yield about | self._entry(f"{result.title}: {left} more, which are not listed", waived=result.waived)

    def _entry(self, text: str, *, waived: bool, group: RowGroup | None = None) -> Json:
        """What a result says, of rows or of the whole environment, where, and who excuses it."""
        result = self._result
        place = first_place([group.place if group else "", *self._places], self._folder)
        region = {"startLine": place.line, "startColumn": place.column}
        name = sanitize(": ".join(filter(None, [result.environment, _subject(group, place.file)])))
        entry: Json = {
            "message": {"text": sanitize(text)},
            "locations": [
                {
                    "logicalLocations": [{"fullyQualifiedName": name}],
                    "physicalLocation": {"artifactLocation": {"uri": _uri(place.file)}, "region": region},
                }
            ],
            "partialFingerprints": {"runbookFinding/v1": _digest(self._first_name, name)},
            "properties": {"environment": sanitize(result.environment), "subject": sanitize(result.subject)},
        }
        if self._compared and result.outcome is Outcome.FAIL and not (waived and result.waiver and result.waiver.owner):
            entry["baselineState"] = "unchanged" if waived else "new"
        if waived:
            entry["suppressions"] = [_accepted(excuse(result))]
        elif result.unobserved:
            entry["suppressions"] = [_accepted(f"not observed: {result.reason}")]
        return entry


def _subject(group: RowGroup | None, file: str) -> str:
    """What a result is about: the key of its row, or of several the file that decides; it outlasts a line's number."""
    if group is None:
        return ""
    if len(group.rows) > 1:
        return file
    return "; ".join(f"{name} {show(value)}" for name, value in group.rows[0].key.items() if value != "")


def _left(result: Result, listed: int) -> int:
    return (result.failed if result.outcome is Outcome.FAIL else result.undecided) - listed


def _whole(result: Result) -> str:
    gaps = [f"not seen: {gap.reason}" for gap in result.gaps]
    return "; ".join([f"{result.title}: {result.reason}", *gaps])


def _digest(check: str, name: str) -> str:
    """The same for the same finding of a later run, whatever its line has become."""
    return hashlib.sha256(f"{check}\n{name}".encode()).hexdigest()[:32]


def _accepted(reason: str) -> Json:
    return {"kind": "external", "status": "accepted", "justification": sanitize(reason)}


def _uri(file: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - it takes 5 ms that no other format pays

    return ("file://" if file.startswith("/") else "") + quote(sanitize(file))
