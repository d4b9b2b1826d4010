"""What `runbook measure` is asked, in figures, and whether the inventory allows it."""

import itertools
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
import typer

from runbook.incident.measurement_ranking import NAMES
from runbook.model.ask import seconds
from runbook.model.canary import Load
from runbook.model.errors import UsageError
from runbook.model.measurement import ProducerSetting, Trial
from runbook.parse.inventory import Inventory

USUAL_RATE = 1_000
"""Records a second where none is asked; with records of 1,000 bytes 1 MB/s, which a cluster hardly notices."""
LONGEST: Final = 7_200
"""Seconds of one measurement: no inventory allows more."""
_FASTEST: Final = 1e9
"""Records a second: more than any inventory allows of the smallest ones."""


def as_settings(**given: str) -> list[ProducerSetting]:
    """Every combination of the values that options give.

    Raises:
        UsageError: a value is none that a producer takes.
    """
    values = {name: [_value(name, word.strip()) for word in text.split(",")] for name, text in given.items()}
    combined = [ProducerSetting(**dict(zip(values, row, strict=True))) for row in itertools.product(*values.values())]
    return list(dict.fromkeys(combined))


def _value(name: str, word: str) -> Any:
    try:
        return getattr(msgspec.convert({name: word}, ProducerSetting, strict=False), name)
    except msgspec.ValidationError as error:
        option = "record-size" if name == "size" else name.replace("_", "-")
        why = str(error).partition(" - at")[0]
        raise UsageError(f"--{option} {word}: not a value of {NAMES[name]} ({why[:1].lower()}{why[1:]})") from None


def each_seconds(asked: float) -> float:
    """How long each measurement writes.

    Raises:
        UsageError: too short to see anything, or longer than any inventory allows.
    """
    if not 1 <= asked <= LONGEST:
        raise UsageError(f"--seconds {asked:g}: write how long each measurement writes, from 1 to {LONGEST:,} s")
    return asked


def while_seconds(text: str) -> float:
    """How long `--while` lasts.

    Raises:
        UsageError: it is no duration, too short to see anything, or longer than any inventory allows.
    """
    try:
        found = seconds(text)
    except ValueError:
        found = 0.0
    if not 1 <= found <= LONGEST:
        raise UsageError(f"--while {text}: write how long, from a second to {LONGEST:,} s: 60s, 5m")
    return found


def refuse_beside(context: typer.Context, why: str, names: Collection[str]) -> None:
    """Refuse options of the command line that something else makes useless: they would be ignored in silence.

    Raises:
        UsageError: some were given.
    """
    given = [of.opts[0] for of in context.command.params if of.name in names and _is_given(context, str(of.name))]
    if given:
        raise UsageError(f"{why}: leave out {', '.join(given)}")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def allowed(inventory: Inventory, name: str, *, flag: bool) -> Load:
    """The consent to write there, of the command line and of the inventory.

    Raises:
        UsageError: one of them is missing; says what to add.
    """
    consent = inventory.targets[name].environment.measure
    lacking = [] if flag else ["\n  add to the command: --allow-measure"]
    if not consent:
        entry = f"environments:\n      {name}:\n        measure: {{megabytes: 200, megabytes_per_second: 10}}"
        lacking.append(f"\n  if its owners agree, add to {inventory.file}:\n    {entry}")
    if lacking or not consent:
        raise UsageError(f"nothing was written: runbook measure writes to {name} only with consent{''.join(lacking)}")
    if "kafka" not in inventory.targets[name].connections:
        raise UsageError(f"{name} has no kafka connection in {inventory.file}")
    return consent


def rate_of(text: str, consent: Load, setting: ProducerSetting) -> float:
    """Records a second.

    Raises:
        UsageError: it is no rate.
    """
    most = consent.megabytes_per_second * 1e6 / setting.size
    if text == "max":
        return most
    try:
        asked = float(text) if text else min(USUAL_RATE, most)
    except ValueError:
        asked = 0.0
    if not 0 < asked <= _FASTEST:
        raise UsageError(f"--rate {text}: write records a second, such as 1000, or max")
    return asked


def announced(trials: Sequence[Trial], longest: float, consent: Load, name: str, file: str) -> str:
    """What will be written at most, in a sentence.

    Raises:
        UsageError: the inventory allows less; says which bound and what it would take.
    """
    megabytes = sum(trial.records * trial.setting.size for trial in trials) / 1e6
    fastest = max(trial.rate * trial.setting.size for trial in trials) / 1e6
    lasts = sum(trial.seconds for trial in trials)
    partitions = max(trial.setting.partitions for trial in trials)
    for word, asked, most, less in (
        ("partitions", partitions, consent.partitions, "fewer --partitions"),
        ("megabytes", megabytes, consent.megabytes, "fewer settings, --repeat or --seconds, or a lower --rate"),
        ("megabytes_per_second", fastest, consent.megabytes_per_second, "a lower --rate or --record-size"),
        ("seconds", lasts, consent.seconds, "fewer settings, --repeat or --seconds"),
    ):
        if asked > most * 1.000001:
            raise UsageError(
                f"nothing was written: this would take {asked:,.1f} {word.replace('_', ' ')}, and {file} allows "
                f"{most:,g} in {name} (measure.{word}); ask for {less}, or have its owners raise it"
            )
    usual = lasts + len(trials)
    of = " or ".join(f"{count}" for count in sorted({trial.setting.partitions for trial in trials}))
    return (
        f"writes at most {megabytes:,.0f} MB (before copies) at {fastest:,.1f} MB/s, in about {usual:,.0f} s and at "
        f"most {longest:,.0f} s, to a topic of {of} partitions in {name}, and removes it"
    )
