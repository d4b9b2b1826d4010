"""Breaking a lab on purpose, and undoing it. A file in `faults/` is a fault; its name is the file's."""

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

from kafka_lab import link, mirrors, parts
from kafka_lab.errors import LabError
from kafka_lab.inventory import called
from kafka_lab.places import held, lab_folder
from kafka_lab.recovery import bring_back, make_whole
from kafka_lab.state import LabState, known
from kafka_lab.waiting import saying
from runbook.model.errors import UsageError, did_you_mean

_FAULTS = Path(__file__).with_name("faults")
_BROKERS = 3  # which the faults name one by one
_SEEN_WITH = {
    "gc": ("files", "jmx")
}  # by runbook: parts of which one must be there, as a plain lab has nothing to look at
_STAND_STILL = ("changed-format", "killed-reader", "killed-share-reader", "stuck-reader")
_SEEN_AFTER = "in two minutes: a group whose records are younger, and whose member was heard of, may be at work still"
_NEEDS = re.compile(r"(?: \((?:with )?([a-z]+)\)\.|\. Needs ([a-z]+)\.)$")


class Fault(Protocol):
    """What a file in `faults/` has."""

    def inject(self, lab: LabState) -> None:
        """Break the lab, and return when the effect can be seen."""

    def heal(self, lab: LabState) -> None:
        """Undo it, also when it was injected in part or by another process."""

    def evident(self, lab: LabState) -> Mapping[str, bool]:
        """Ask the lab itself, without any probe, for what shows the fault: claim → whether it holds now.

        In force, every claim holds; healed, none does. What can't be asked raises LabError.
        """


def faults() -> dict[str, str]:
    """List the faults by name, each with the sentence that says what it does. Runs none of their code."""
    return {
        file.stem.replace("_", "-"): (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]
        for file in sorted(_FAULTS.glob("[!_]*.py"))
    }


def by_part() -> dict[str, dict[str, str]]:
    """The faults as `faults` lists them, by the part of a lab that they break, which their sentence names at its end.

    Those of any lab stand under "", and first.
    """
    found: dict[str, dict[str, str]] = {"": {}}
    for name, what in faults().items():
        needed = _NEEDS.search(what)
        part = next(filter(None, needed.groups())) if needed else ""
        found.setdefault(part, {})[name] = f"{what[: needed.start()]}." if needed else what
    return {part: found[part] for part in sorted(found)}


def seen_in(fault: str) -> str:
    """The runbook whose checks show a fault: what its file says as `SEEN_IN`, else ha. Runs none of its code."""
    tree = ast.parse(_FAULTS.joinpath(f"{fault.replace('-', '_')}.py").read_text("utf-8"))
    said = [
        statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "SEEN_IN"
    ]
    return str(ast.literal_eval(said[0])) if said else "ha"


def seen_after(fault: str) -> str:
    """Say how long checks need to see a fault, where they need time; empty where they see it at once."""
    return _SEEN_AFTER if fault in _STAND_STILL else ""


def unseen(fault: str, lab: LabState) -> str:
    """Say which part a lab lacks without which no check sees this fault; empty if it lacks none."""
    runbook = seen_in(fault)
    wanted = _SEEN_WITH.get(runbook, ())
    if not wanted or set(wanted) & lab.parts.keys():
        return ""
    return (
        f"{runbook} sees it in a lab with {' or '.join(wanted)}, and this one has neither: {lab.anew_with(wanted[0])}"
    )


def break_(
    name: str, fault: str, *, home: Path | None = None, progress: Callable[[str], None] | None = None
) -> LabState:
    """Inject a fault into a lab; it is in force until `heal`. One that is in force already is not injected again.

    Args:
        name: The lab's.
        fault: Its name.
        home: The folder of all labs; `lab_home()` when omitted.
        progress: Called with a line of text for what is waited for, if that lasts.

    Raises:
        UsageError: There is no such lab, no such fault, or the lab lacks its part or has too few brokers.
        LabError: The lab did not break as it should.
    """
    loaded = _load(fault)
    known(name, home)
    with held(lab_folder(name, home) / ".lock"), saying(progress):
        lab = known(name, home)
        if not lab.running:
            raise LabError(f"No broker of lab {name} is left to break; {lab.anew_with()}")
        needed = next((part for part, there in by_part().items() if fault in there), "")
        if needed and needed not in lab.parts:
            raise UsageError(f"Lab {name} has no {needed}, which this fault breaks: {lab.anew_with(needed)}")
        if len(lab.brokers) < _BROKERS:
            raise UsageError(
                f"Faults are made for labs of {_BROKERS} brokers, and {name} has {len(lab.brokers)}: "
                "start another one, as in runbook lab up --name other"
            )
        if fault not in lab.faults:
            before = _shown(loaded, lab) if lab.faults else {}
            lab.faults.append(fault)  # noted first: what is injected in part gets healed too
            lab.save()
            try:
                loaded.inject(lab)
            except LabError as error:
                if beside := ", ".join(lab.faults[:-1]):
                    raise LabError(f"{error}. It may be for {beside}: runbook lab heal --name {name}") from error
                raise
            lacking = [claim for claim, holds in before.items() if not holds]
            if lacking and _shown(loaded, lab) == before:  # as of a broker that an earlier fault has killed
                lab.faults.remove(fault)
                lab.save()
                told = f"{fault} changed nothing beside {', '.join(lab.faults)}: that {'; that '.join(lacking)}"
                raise LabError(f"{told} does not hold. First: runbook lab heal --name {name}")
            lab.save()
        return lab


def _shown(fault: Fault, lab: LabState) -> Mapping[str, bool]:
    """What shows a fault; nothing where the lab can't be asked, as when its brokers are lost."""
    try:
        return fault.evident(lab)
    except LabError:
        return {}


def heal(name: str, *, home: Path | None = None, progress: Callable[[str], None] | None = None) -> list[str]:
    """Undo every fault of a lab, the last first, and return when all brokers are back and all replicas in sync.

    Brokers that were stopped or frozen by other means come back too.

    Args:
        name: The lab's.
        home: The folder of all labs; `lab_home()` when omitted.
        progress: Called with a line of text for each fault, and for what is waited for, if that lasts.

    Returns:
        The faults that were undone.

    Raises:
        UsageError: There is no such lab.
        LabError: Something could not be undone; what is left stays noted, so that healing can be tried again. Or it
            was undone, and what is waited for after that did not come about.
    """
    known(name, home)
    with held(lab_folder(name, home) / ".lock"), saying(progress):
        lab = known(name, home)
        for cluster in lab.clusters:  # first of all: settings can be taken back only from brokers that answer
            bring_back(cluster)
        parts.bring_back(lab)
        with _left_as_it_is(lab):
            undone = []
            while lab.faults:
                if progress:
                    progress(f"Undoing {lab.faults[-1]}")
                _undo(lab)
                undone.append(_struck(lab))
            for cluster in lab.clusters:
                make_whole(cluster)
        return undone


def _undo(lab: LabState) -> None:
    """Undo the last fault of a lab; one of which nothing shows any more is off the list, also where healing then fails.

    Raises:
        LabError: It could not be undone, or what is waited for after that did not come about.
        KeyboardInterrupt: Nobody waits for it.
    """
    name = lab.faults[-1]
    fault = _load(name)
    try:
        fault.heal(lab)
    except LabError as error:
        if not _is_over(fault, lab):
            raise LabError(f"{error}\n{name} stays noted; try again: runbook lab heal --name {lab.name}") from error
        _struck(lab)
        told = f"{name} itself is undone, and off the list of faults; see what it left behind"
        raise LabError(f"{error}\n{told}: runbook check {seen_in(name)} {called(lab)}") from error
    except KeyboardInterrupt:
        if _is_over(fault, lab):
            _struck(lab)
        raise


def _is_over(fault: Fault, lab: LabState) -> bool:
    """Whether the lab can be asked, and nothing of what shows a fault holds any more."""
    shown = _shown(fault, lab)
    return bool(shown) and not any(shown.values())


def _struck(lab: LabState) -> str:
    """Take the last fault off the list, and say which it was."""
    name = lab.faults.pop()
    lab.replicas.pop(name, None)
    lab.save()
    return name


@contextmanager
def _left_as_it_is(lab: LabState) -> Iterator[None]:
    """Of a lab with two sites, what somebody has stopped is left so; the link lets everything through from now on.

    What broke after the link did is mended before it, and waited for through it.
    """
    if link.PART not in lab.parts or not lab.faults:  # where nothing is to be undone, nothing is restored either
        yield
        return
    link.mend(lab)
    with mirrors.leaving_stopped(lab):
        yield


def in_force(lab: LabState, fault: str) -> Mapping[str, bool]:
    """What shows that a fault is in force: claim → whether it holds now; all of them, and none once it is healed.

    Raises:
        UsageError: There is no such fault.
        LabError: The lab could not be asked.
    """
    return _load(fault).evident(lab)


def _load(fault: str) -> Fault:
    there = faults()
    if fault not in there:
        raise UsageError(f"There is no fault {fault!r}: {did_you_mean(fault, [*there], 'runbook lab break')}")
    return cast(Fault, importlib.import_module(f"kafka_lab.faults.{fault.replace('-', '_')}"))
