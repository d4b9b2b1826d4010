"""Begin a walk, or go on with one: find the procedure, the environment and the record, then walk."""

import getpass
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from runbook import __version__
from runbook.evidence.bundle import inventory_of, load_bundle
from runbook.model import moment
from runbook.model.block import Check, Procedure
from runbook.model.errors import CannotLook, UsageError, did_you_mean
from runbook.model.parameter import Parameter
from runbook.model.run import run_id
from runbook.parse.block_digest import digest_of
from runbook.parse.inventory import Inventory, Target
from runbook.parse.old_names import old_names, with_first_names
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.plugins.catalog import add_user_checks
from runbook.procedure.ends import Ends, ends_of, needs_two
from runbook.procedure.entries_of_today import entries_of_today
from runbook.procedure.events import Answer, CanaryStarts, SetOut, Tell, Underway
from runbook.procedure.gates import Gates, neighbour
from runbook.procedure.inventory_seen import changed_inventory, parts_of
from runbook.procedure.loss_monitor import LossMonitor
from runbook.procedure.placeholders import (
    asked_by_gates,
    gate_words,
    needs_login,
    read_set,
    said_of,
    values_of,
    words_lacking,
)
from runbook.procedure.seen_names import SeenNames, names_seen, naming_what_is_made
from runbook.procedure.walk import Walk
from runbook.procedure.walk_file import SUFFIX, WalkFile, begun_as, find, load, walks_home
from runbook.procedure.walk_record import Begun, Resumed
from runbook.procedure.walker import END, Ending, Walker, Watch
from runbook.run.planning.deadline import USUAL
from runbook.run.sources.built_in import BUILT_IN
from runbook.run.sources.inventories import load_inventory
from runbook.run.sources.runbooks import find_block, read_all

_LISTS = ("list", "ls")  # what other tools list by


class WalkOptions(Struct, kw_only=True, frozen=True):
    """What a walk is of.

    Attributes:
        what: the procedure, as ha#rolling-restart; may be left out with `resume`.
        inventory: the file of environments; None: the one in force, as for `runbook check`.
        environment, to: where the gates look; with `to` given, it takes over from `environment`.
        resume: the walk to go on with, by its id or file; empty: begin one.
        record: the folder of records, or a new file; None: the one of drills, or the user's.
        by: who walks; empty: the name of this login.
        deadline: seconds after which a gate stops waiting; None: as for `runbook check`.
        bundle: gates look at what this file holds; nothing is contacted.
        attended: whether a person answers at a terminal.
        user_checks: folders with `probes/`, `views/` and `connections/` of one's own.
        drill: whether it is walked to show that it can be done.
        set: placeholders of commands and what to put in their place, as in TOPIC=orders.
        canary: makes what measures it, from the inventory and the names of both ends of the link, of which the first is
            empty where there is no link; None for no canary.
    """

    what: str = ""
    inventory: Path | None = None
    environment: str = ""
    to: str = ""
    resume: str = ""
    record: Path | None = None
    by: str = ""
    deadline: float | None = None
    bundle: Path | None = None
    attended: bool = False
    user_checks: Sequence[Path] = ()
    drill: bool = False
    set: Sequence[str] = ()
    canary: Callable[[Inventory, str, str], Watch] | None = None


class _FoundProcedure(Struct, dict=True):
    """A procedure and where it stands."""

    runbook: Runbook
    placed: LocatedBlock
    procedure: Procedure

    @cached_property
    def checks(self) -> dict[str, Check]:
        """Those of the runbooks that its gates name."""
        return {one.name: one.block for book in self.books for one in book.checks() if isinstance(one.block, Check)}

    @cached_property
    def books(self) -> list[Runbook]:
        """Its runbook, and the others that its gates name."""
        own = self.runbook
        named = dict.fromkeys(name.partition("/")[0] for name in asked_by_gates(self.procedure, own.name))
        return [own, *read_all([neighbour(own, name) for name in named if name != own.name])]

    @property
    def digest(self) -> str:
        """SHA-256 of the procedure in which checks have their first names: a walk goes on whatever was renamed."""
        return digest_of(with_first_names(self.procedure, self.runbook.name, self.books))

    @property
    def of_gates(self) -> dict[str, Parameter]:
        """What --set may say to its gates."""
        return gate_words(self.procedure, self.runbook.name, self.checks)


class _Route(Struct):
    """What beginning a walk comes to, and going on with one."""

    chosen: _FoundProcedure
    begun: Begun
    walk: Walk
    file: WalkFile
    inventory: Inventory
    watch: Watch | None = None


def walk(options: WalkOptions, tell: Tell, answer: Answer) -> Ending:
    """Walk, on the record.

    Args:
        options: what it is of.
        tell: is given what happens, when it does.
        answer: answers what is asked.

    Raises:
        UsageError: something that was asked for is not there; with the remedy.
        Invalid: a runbook or the inventory has mistakes.
    """
    for folder in options.user_checks:
        add_user_checks(folder)
    return (_resume if options.resume else _begin)(options, tell, answer)


def require_procedure(options: WalkOptions) -> None:
    """See that the procedure to begin is there, before anything else is asked for.

    Raises:
        UsageError: it is not; with the remedy.
        Invalid: its runbook has mistakes.
    """
    _procedure_to_begin(options)


def _procedure_to_begin(options: WalkOptions) -> _FoundProcedure:
    if not options.what:
        raise UsageError("which procedure? as in ha#rolling-restart; see: runbook procedure list")
    return _found_procedure(options.what)


def _begin(options: WalkOptions, tell: Tell, answer: Answer) -> Ending:
    chosen = _procedure_to_begin(options)
    place = _place_of(options, f"{chosen.runbook.name}#{chosen.procedure.id}" if needs_two(chosen.procedure) else "")
    if options.drill:
        _loses_something(chosen, place.source)
    begun = _begun(options, chosen, place)
    folder = options.record or (place.drills if options.drill else None)
    watch = options.canary(place.inventory, place.source, place.environment) if options.canary else None
    with WalkFile.begin(_place(folder, begun.walk), begun.walk) as file:
        if watch is not None:
            _take_off(watch, file, tell)
        file.append(begun)
        route = _Route(chosen, begun, Walk(chosen.procedure, [begun]), file, place.inventory, watch)
        return _go(options, route, tell, answer)


def _begun(options: WalkOptions, chosen: _FoundProcedure, place: Ends) -> Begun:
    """The first entry of a record."""
    at = moment.now()
    return Begun(
        walk=run_id(at),
        procedure=chosen.placed.name,
        title=chosen.procedure.title,
        runbook=chosen.runbook.name,
        runbook_version=chosen.runbook.front.version,
        runbook_digest=chosen.runbook.digest,
        where=_word(chosen.runbook),
        procedure_digest=chosen.digest,
        environment=place.environment,
        source=place.source,
        target=place.environment if place.source or options.drill else "",
        drill=options.drill,
        loses=chosen.procedure.loses if options.drill else None,
        by=_who(options.by),
        at=at,
        attended=options.attended,
        rehearsal=options.bundle is not None,
        steps=[" ".join(step.do.split()) for step in chosen.procedure.steps],
        tool_version=__version__,
        set=read_set(options.set, chosen.procedure, chosen.of_gates),
        inventory=parts_of(place.inventory, place.environment, place.source),
    )


def _loses_something(chosen: _FoundProcedure, source: str) -> None:
    """Refuse a drill that could prove nothing.

    Raises:
        UsageError: its procedure declares no loss, or the loss of a source where there is none.
    """
    loses, name = chosen.procedure.loses, chosen.placed.name
    if loses is None:
        raise UsageError(
            f"{name} does not declare what a drill of it loses, so that no drill of it can prove anything: add loses: "
            f"broker, rack or source to its block; or walk it: runbook procedure walk {name.replace('/', '#')}"
        )
    if loses == "source" and not source:
        raise UsageError(f"{name} loses the environment that is left: name both, --env SOURCE --to TARGET")


def _take_off(watch: Watch, file: WalkFile, tell: Tell) -> None:
    """Let the canary begin; a drill that does not begin leaves no record.

    Raises:
        UsageError: it can't.
        KeyboardInterrupt: nobody waits for it.
    """
    tell(CanaryStarts())
    try:
        watch.begin(lambda text: tell(Underway(text)))
    except CannotLook as error:
        file.path.unlink()
        raise UsageError(f"{error}\ncorrect it, or drill without --allow-canary: nothing is measured then") from error
    except KeyboardInterrupt:
        file.path.unlink()
        watch.abandon("interrupted")
        raise


def record_to_resume(options: WalkOptions) -> Path:
    """The record of the walk to go on with.

    Raises:
        UsageError: there is none, or several could be meant.
    """
    return find(options.resume, _folder(options.record))


def _resume(options: WalkOptions, tell: Tell, answer: Answer) -> Ending:
    path = record_to_resume(options)
    beginning = load(path).begun
    chosen = _found_procedure(f"{beginning.where}#{beginning.procedure.rpartition('/')[2]}")
    if options.what and _found_procedure(options.what).placed.name != chosen.placed.name:
        raise UsageError(f"{path} is a walk of {beginning.procedure}, not of {options.what}: leave it out")
    for asked, walked in (
        (options.environment, beginning.source or beginning.environment),
        (options.to, beginning.target),
    ):
        if asked not in ("", walked):
            raise UsageError(f"{path} is a walk of {walked or beginning.environment}: to walk {asked}, begin anew")
    if beginning.rehearsal is not (options.bundle is not None):
        kind = "a rehearsal: --from FILE names its bundle" if beginning.rehearsal else "no rehearsal: leave --from out"
        raise UsageError(f"{path} is {kind}")
    inventory = _inventory(options)
    _target(inventory, beginning.environment)
    file, record = WalkFile.reopen(path)
    with file:
        begun = begun_as(record, chosen.digest, chosen.procedure.title)
        walk = Walk(chosen.procedure, entries_of_today(record.entries, old_names(chosen.books)))
        resumed = Resumed(
            _who(options.by),
            moment.now(),
            options.attended,
            cut=record.cut > 0,
            set=read_set(options.set, chosen.procedure, chosen.of_gates),
            inventory=parts_of(inventory, begun.environment, begun.source),
        )
        walk.take(resumed)
        file.append(resumed)
        return _go(options, _Route(chosen, begun, walk, file, inventory), tell, answer)


def _go(options: WalkOptions, route: _Route, tell: Tell, answer: Answer) -> Ending:
    chosen, begun, walk, inventory = route.chosen, route.begun, route.walk, route.inventory
    here = _target(inventory, begun.environment)
    goes_on = len(walk.entries) > 1
    words = said_of(walk.entries)
    about = (chosen.procedure, begun, inventory, options.deadline or USUAL, tell)
    seen = SeenNames() if begun.rehearsal else names_seen(*about)
    tell(
        SetOut(
            begun,
            chosen.procedure,
            str(route.file.path),
            values_of(here, inventory.targets.get(begun.source)) | seen.values(words),
            needs_login(here),
            (walk.stage.name if walk.stage else f"the {END}") if goes_on else "",
            walk.exceptions,
            words_lacking(chosen.procedure, chosen.runbook.name, chosen.checks, words),
            seen.choices(words),
            changed_inventory(walk.entries),
            seen.unseen,
        )
    )
    gates = Gates(
        chosen.runbook,
        options.inventory,
        begun.environment,
        options.bundle,
        options.deadline,
        options.user_checks,
        begun.source,
        words,
    )
    loss_monitor = _loss_monitor(options, begun, inventory)
    tell, by = naming_what_is_made(*about, words), _who(options.by)
    walker = Walker(
        chosen.procedure, walk, route.file, gates, by, tell, answer, watch=route.watch, loss_monitor=loss_monitor
    )
    try:
        return walker.go()
    finally:
        walker.break_off()


def _target(inventory: Inventory, name: str) -> Target:
    """The environment of a walk that goes on.

    Raises:
        UsageError: the inventory does not name it any more.
    """
    if name not in inventory.targets:
        remedy = did_you_mean(name, list(inventory.targets), "runbook env --offline")
        raise UsageError(f"no environment {name} in {inventory.file}: {remedy}")
    return inventory.targets[name]


def _loss_monitor(options: WalkOptions, begun: Begun, inventory: Inventory) -> LossMonitor | None:
    """What looks for the loss of a drill; nothing does of a walk, nor at kept facts, in which nothing can be lost."""
    if begun.loses is None or begun.rehearsal:
        return None
    sites = [begun.source, begun.target] if begun.loses == "source" else [begun.environment]
    return LossMonitor(begun.loses, inventory, sites, options.deadline or USUAL)


def _found_procedure(what: str) -> _FoundProcedure:
    try:
        found = find_block(what)
    except UsageError as error:
        if what in _LISTS:
            raise UsageError(f"{what} is no procedure; runbook procedure list names each") from error
        raise
    procedures = [placed for placed in found.runbook.placed() if isinstance(placed.block, Procedure)]
    if found.placed is None or not isinstance(found.placed.block, Procedure):
        known = [placed.block.id for placed in procedures]
        if not known:
            raise UsageError(f"{found.runbook.name} has no procedures; see: runbook procedure list")
        asked = f"{what} is no procedure:" if found.placed else f"{what}: which procedure?"
        raise UsageError(f"{asked} {did_you_mean(what.rpartition('#')[2], known, 'runbook procedure list')}")
    return _FoundProcedure(found.runbook, found.placed, found.placed.block)


def _word(runbook: Runbook) -> str:
    """A word by which the runbook is found again, also from another folder."""
    return f"{BUILT_IN}{runbook.name}" if runbook.origin == "built-in" else str(Path(runbook.path).resolve())


def _place_of(options: WalkOptions, leads_on: str) -> Ends:
    patterns = [options.environment] if options.environment else []
    if options.bundle:
        patterns = patterns or load_bundle(options.bundle).selected[:1]
    return ends_of(_inventory(options), patterns, options.to, leads_on)


def _inventory(options: WalkOptions) -> Inventory:
    if options.bundle:
        return inventory_of(load_bundle(options.bundle), str(options.bundle))
    return load_inventory(options.inventory)


def _who(by: str) -> str:
    if by.strip():
        return by.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise UsageError("this login has no name: say who walks with --by NAME") from error


def _folder(record: Path | None) -> Path:
    return record if record is not None and record.suffix != SUFFIX else walks_home()


def _place(record: Path | None, walk: str) -> Path:
    return record if record is not None and record.suffix == SUFFIX else _folder(record) / f"{walk}{SUFFIX}"
