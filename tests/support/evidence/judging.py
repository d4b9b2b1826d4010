"""Judging kept evidence: the product's own way from a bundle to results, without a process of its own."""

import tempfile
from functools import cache
from pathlib import Path

import msgspec

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, save_bundle
from runbook.model.fact import Fact
from runbook.model.result import Result
from runbook.run.check_run import Options
from support.built_in import asked_by
from support.evidence import record


def judged(bundle: Bundle, runbook: str, folder: Path) -> dict[str, Result]:
    """The results of a runbook's checks by id: over a link, of the one that leads there.

    Args:
        bundle: the facts.
        runbook: its name; with :gates after it, its checks for gates alone.
        folder: where the bundle may be written, as the command reads a file.
    """
    file = folder / "bundle.json"
    save_bundle(file, bundle)
    name, only = asked_by(runbook)
    return by_check(execute(Options(runbooks=[name], only=only, bundle=file, deadline=60)).run.results)


@cache
def judged_as_kept(shape: str, scene: str, state: str, runbook: str) -> dict[str, Result]:
    """What a runbook says of a state, from what is kept of it."""
    evidence = record.read(record.place_of(shape, scene, state))
    with tempfile.TemporaryDirectory() as folder:
        return judged(evidence.bundle, runbook, Path(folder))


def fact_in(bundle: Bundle, probe: str) -> Fact:
    """What a bundle of one environment holds of a probe that was given nothing."""
    return next(kept.facts[""] for kept in bundle.kept if (kept.ask.probe, kept.ask.given) == (probe, "{}"))


def by_check(results: list[Result]) -> dict[str, Result]:
    """Results by the check's id; of one over links, that of the end where they are judged."""
    return {result.check.rpartition("/")[2]: result for result in _without_repeated(results)}


def outcomes(document: bytes) -> dict[str, str]:
    """The outcomes in the JSON report of the command, by the check's whole name."""
    results = msgspec.convert(msgspec.json.decode(document)["results"], list[Result], strict=False)
    return {result.check: result.outcome for result in _without_repeated(results)}


def _without_repeated(results: list[Result]) -> list[Result]:
    return [result for result in results if "links are judged where" not in result.reason]
