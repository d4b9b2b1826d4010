"""What the sentences of gaps say decides nothing.

Over all kept scenes, with each of them replaced by random words where it is made, verdicts, causes, reach and exit
codes are the same.
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import Bundle, Kept, inventory_of, save_bundle
from runbook.model import recovery
from runbook.model.exit_code import exit_code
from runbook.model.fact import Fact, Gap
from runbook.model.recovery import WithheldCell
from runbook.model.run import Run
from runbook.plugins.catalog import catalog
from runbook.reports._unseen import unseen
from runbook.run.check_run import Options
from runbook.run.collection.single_questions import kept_answers
from runbook.show.reachability import reached
from support.built_in import asked_by
from support.evidence import record
from support.evidence.record import Evidence

SHAPES = sorted({file.parts[-3] for file in record.kept()})


def scrambled(text: object) -> str:
    """Words that tell nothing, the same for the same sentence."""
    digest = hashlib.sha256(str(text).encode()).digest()
    return " ".join("".join("bdfgklmnprstvz"[b % 14] + "aeiou"[b % 5] for b in digest[i : i + 3]) for i in (0, 3, 6, 9))


class Scrambling:
    """Stands where gaps are made."""

    def __call__(self, reason: object, *args: Any, **named: Any) -> Gap:
        """A gap."""
        return Gap(scrambled(reason), *args, **named)

    def of(self, *args: Any, **named: Any) -> Gap:
        """That of an error."""
        made = Gap.of(*args, **named)
        return replace(made, reason=scrambled(made.reason))


@pytest.fixture
def scrambling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every gap that the product makes, and what it says of what a cause withholds."""
    for room in ("probes", "views", "recoveries", "reports"):
        for name in catalog(room).names():
            catalog(room).load(name)
    cell = WithheldCell(scrambled(recovery.WITHHELD))
    monkeypatch.setattr(recovery, "_WITHHELD", str(cell))
    for name, module in list(sys.modules.items()):
        if name.startswith("runbook.") and getattr(module, "Gap", None) is Gap and module.__name__ != Gap.__module__:
            monkeypatch.setattr(module, "Gap", Scrambling())
        if name.startswith("runbook.") and getattr(module, "WITHHELD", None) is recovery.WITHHELD:
            monkeypatch.setattr(module, "WITHHELD", cell)


def without_words(bundle: Bundle) -> Bundle:
    """The bundle with scrambled gaps, as of today: nothing reads what they say."""

    def of(probe: str, fact: Fact) -> Fact:
        gaps = [replace(gap, reason=scrambled(gap.reason)) for gap in fact.gaps]
        why = {column.why for column in catalog("probes").load(probe).PROBE.columns if column.why}
        columns = {
            name: [cell and scrambled(cell) for cell in cells] if name in why else cells
            for name, cells in fact.columns.items()
        }
        return replace(fact, gaps=gaps, columns=columns)

    kept = [Kept(one.ask, {look: of(one.ask.probe, fact) for look, fact in one.facts.items()}) for one in bundle.kept]
    return replace(bundle, kept=kept, typed_gaps=True)


def known(evidence: Evidence, bundle: Bundle) -> list[Any]:
    """What comes of a bundle, without any sentence."""
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle.json"
        save_bundle(file, bundle)
        for runbook in evidence.runbooks:
            name, only = asked_by(runbook)
            run = execute(Options(runbooks=[name], only=only, bundle=file, deadline=60)).run
            found += [*_verdicts(run), *_causes(run), exit_code(run).name]
    inventory = inventory_of(bundle, "bundle")
    probes = sorted({one.ask.probe for one in bundle.kept if one.ask.given == "{}"})
    for name, target in inventory.targets.items():
        answers = kept_answers(bundle, [target], probes)
        seen = reached(target, {probe: answers[name, probe] for probe in probes if (name, probe) in answers})
        found.append((name, seen.complete))
        found += [
            (
                noted.word,
                noted.about,
                noted.kind,
                [(lack.probe, lack.more, lack.rights, lack.kind) for lack in noted.lacks],
            )
            for noted in seen.noted
        ]
    return found


def _verdicts(run: Run) -> Iterator[Any]:
    for result in run.results:
        rows = [(row.key, row.outcome) for row in result.rows]
        counts = (result.judged, result.failed, result.undecided)
        gaps = [(gap.kind, gap.keys, gap.withheld) for gap in result.gaps]
        yield result.check, result.subject, result.outcome, counts, rows, gaps
    for head in run.heads:
        lack = unseen([result for result in run.results if result.environment == head.environment])
        yield head.environment, lack and lack.kind


def _causes(run: Run) -> Iterator[Any]:
    for diagnosis in run.diagnoses:
        for cause in diagnosis.causes:
            ends = (cause.explains, cause.helps, cause.may_explain, cause.withholds)
            yield cause.cause, cause.certain, cause.keys, ends, bool(cause.beneath)
        yield diagnosis.environment, diagnosis.unexplained, diagnosis.left_over, len(diagnosis.effects)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_sentences_say_decides_nothing(shape: str, request: pytest.FixtureRequest) -> None:
    scenes = [record.read(file) for file in record.kept() if file.parts[-3] == shape]
    as_said = [known(evidence, evidence.bundle) for evidence in scenes]
    request.getfixturevalue("scrambling")
    for evidence, expected in zip(scenes, as_said, strict=True):
        found = known(evidence, without_words(evidence.bundle))
        differs = [(a, b) for a, b in zip(expected, found, strict=False) if a != b]
        assert not differs, f"{evidence.name}: {differs[:3]}"
        assert len(found) == len(expected), evidence.name
