"""The run as JUnit XML, for CI servers: one suite for each environment and runbook, one case for each check.

fail becomes `failure`; unknown becomes `error`; not_applicable becomes `skipped` with its reason. A failure that does
not fail the run (waived, or milder than `--fail-on`) becomes `skipped` too, with the failure in its message, and so
does what nobody looks at by declaration: CI servers go by these elements, and should come to the same verdict as the
exit code.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from runbook.judge.summary import below, open_rows
from runbook.judge.template import show
from runbook.model.diagnosis import of_environment
from runbook.model.errors import FilePosition
from runbook.model.result import JudgedRow, Outcome, Result
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports._excuses import excuse
from runbook.safety.sanitize import sanitize


def report(run: Run, options: ReportOptions) -> str:
    """The XML document."""
    root = Element("testsuites", name="runbook", time=f"{run.took_ms / 1000:.3f}")
    heads = {head.environment: head for head in run.heads}
    mild = {id(result) for result in below(run.results, options.fail_on)}
    suites: dict[tuple[str, str, str], list[Result]] = {}
    for result in run.results:
        suites.setdefault((result.environment, result.runbook, result.runbook_version), []).append(result)
    for (environment, runbook, version), results in suites.items():
        suite = SubElement(root, "testsuite", name=sanitize(f"{environment} {runbook} {version}"))
        suite.set("timestamp", sanitize(run.started_at.removesuffix("Z")))
        _properties(suite, heads.get(environment, Head(environment)), run)
        for result in results:
            _case(suite, result, mild=id(result) in mild)
        _count(suite)
    _count(root)
    indent(root)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + tostring(root, encoding="unicode") + "\n"


def _properties(suite: Element, head: Head, run: Run) -> None:
    known = {
        "run": run.id,
        "cluster_id": head.cluster_id,
        "kafka_version": head.kafka_version,
        "mode": head.mode,
        "objectives": ", ".join(head.ranking),
    }
    properties = SubElement(suite, "properties")
    for name, value in known.items():
        if value:
            SubElement(properties, "property", name=name, value=sanitize(value))
    for note in head.notes:
        SubElement(properties, "property", name="note", value=sanitize(note))
    diagnosis = of_environment(run.diagnoses, head.environment)
    for cause in diagnosis.named if diagnosis else []:
        SubElement(properties, "property", name="cause", value=sanitize(" ".join(cause.says.split())))
    if run.interrupted:
        SubElement(properties, "property", name="interrupted", value="true")


def _case(suite: Element, result: Result, *, mild: bool) -> None:
    name = result.check.removeprefix(f"{result.runbook}/")
    if result.subject != result.environment:
        name += f" [{result.subject}]"
    case = SubElement(
        suite, "testcase", name=sanitize(name), classname=sanitize(f"{result.environment}.{result.runbook}")
    )
    if place := next(filter(None, (FilePosition.read(row.place) for row in open_rows(result))), None):
        case.set("file", sanitize(place.file))
        case.set("line", str(place.line))
    if result.outcome is Outcome.NOT_APPLICABLE:
        SubElement(case, "skipped", message=sanitize(result.reason))
    elif result.unobserved:
        SubElement(case, "skipped", message=sanitize(f"not observed: {result.reason}"))
    elif result.waived:
        SubElement(case, "skipped", message=sanitize(f"{excuse(result)}: {result.reason}"))
    elif mild:
        SubElement(case, "skipped", message=sanitize(f"fails, too mild to fail the run: {result.reason}"))
    elif result.outcome is not Outcome.PASS:
        kind = "failure" if result.outcome is Outcome.FAIL else "error"
        finding = SubElement(case, kind, message=sanitize(result.reason), type=result.severity)
        finding.text = _details(result)


def _details(result: Result) -> str:
    lines = [result.title, *map(_row, open_rows(result)), *(f"not seen: {gap.reason}" for gap in result.gaps)]
    text = "\n".join(map(sanitize, lines))
    return f"{text}\n\n{_block(result.remedy)}" if result.remedy else text


def _row(row: JudgedRow) -> str:
    key = ", ".join(f"{name}={show(value)}" for name, value in row.key.items())
    said = f"{row.outcome}: {key}: {row.message}" if key else f"{row.outcome}: {row.message}"
    return f"{row.place}: {said}" if row.place else said


def _block(text: str) -> str:
    return "\n".join(map(sanitize, text.strip().split("\n")))


def _count(suite: Element) -> None:
    cases = list(suite.iter("testcase"))
    suite.set("tests", str(len(cases)))
    for attribute, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(child) is not None for case in cases)))
