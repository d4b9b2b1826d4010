"""Begin a walk, or go on with one: find the procedure, the environment and the record, then walk."""

import getpass
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from runbook import __version__
from runbook.cli.running import read_deadline
from runbook.cli.showing import find as find_block
from runbook.cli.terminal import Status, colored
from runbook.cli.walk_gate import Gates
from runbook.cli.walk_lookout import Lookout
from runbook.cli.walk_page import WalkPage
from runbook.cli.walking import Walker, Watch
from runbook.evidence.bundle import inventory_of, load_bundle
from runbook.model import moment
from runbook.model.block import Procedure
from runbook.model.errors import CannotLook, UsageError, did_you_mean
from runbook.model.run import run_id
from runbook.parse.inventory import Inventory, Target
from runbook.parse.runbook import Placed, Runbook
from runbook.plugins.catalog import add_user_checks
from runbook.procedure.placeholders import needs_login, read_set, values_of
from runbook.procedure.walk import Walk, needs_two
from runbook.procedure.walk_file import SUFFIX, WalkFile, begun_as, find, load, walks_home
from runbook.procedure.walk_record import Begun, Record, Resumed
from runbook.run.sources import choose, load_inventory


class WalkRequest(Struct, kw_only=True):
    """What `runbook procedure walk` or `runbook drill` was asked.

    Attributes:
        environment, to: where the gates look; with `to` given, it takes over from `environment`.
        drill: whether it is walked to show that it can be done.
        set: placeholders of commands and what to put in their place, as in TOPIC=orders.
        canary: makes what measures it, from the inventory and the names of both ends of the link, of which the first is
            empty where there is no link; None for no canary.
    """

    what: str
    inventory: Path | None
    environment: str
    resume: str
    record: Path | None
    by: str
    deadline: str
    bundle: Path | None
    attended: bool
    color: str
    user_checks: list[Path]
    to: str = ""
    drill: bool = False
    set: Sequence[str] = ()
    canary: Callable[[Inventory, str, str], Watch] | None = None


class _Way(Struct):
    """A procedure and where it stands."""

    runbook: Runbook
    placed: Placed
    procedure: Procedure


def start(request: WalkRequest) -> int:
    """Walk, and give the exit code.

    Raises:
        UsageError: nobody is there to answer, or something that was asked for is not there; with the remedy.
    """
    _somebody(request)
    read_deadline(request.deadline)
    colored(request.color, sys.stdout)
    for folder in request.user_checks:
        add_user_checks(folder)
    return _resume(request) if request.resume else _begin(request)


def _begin(request: WalkRequest) -> int:
    if not request.what:
        raise UsageError("which procedure? as in ha#rolling-restart; see: runbook procedure list")
    way = _way(request.what)
    place = _place_of(request)
    if needs_two(way.procedure) and not place.source:
        raise UsageError(
            f"gates of {way.placed.name} look at the environment that is left and at the one that takes over: name "
            "both, --env SOURCE --to TARGET"
        )
    if request.drill:
        _loses_something(way, place.source)
    at = moment.now()
    begun = Begun(
        walk=run_id(at),
        procedure=way.placed.name,
        title=way.procedure.title,
        runbook=way.runbook.name,
        runbook_version=way.runbook.front.version,
        runbook_digest=way.runbook.digest,
        where=_word(way.runbook),
        procedure_digest=way.placed.digest(),
        environment=place.environment,
        source=place.source,
        target=place.environment if place.source or request.drill else "",
        drill=request.drill,
        loses=way.procedure.loses if request.drill else None,
        by=_who(request),
        at=at,
        attended=request.attended,
        rehearsal=request.bundle is not None,
        steps=[" ".join(step.do.split()) for step in way.procedure.steps],
        tool_version=__version__,
        set=read_set(request.set, way.procedure),
    )
    folder = request.record or (place.drills if request.drill else None)
    watch = request.canary(place.inventory, place.source, place.environment) if request.canary else None
    with WalkFile.begin(_place(folder, begun.walk), begun.walk) as file:
        if watch is not None:
            _take_off(watch, file)
        file.append(begun)
        return _walk(request, way, Walk(way.procedure, [begun]), file, begun, watch=watch)


def _loses_something(way: _Way, source: str) -> None:
    """Refuse a drill that could prove nothing.

    Raises:
        UsageError: its procedure declares no loss, or the loss of a source where there is none.
    """
    loses, name = way.procedure.loses, way.placed.name
    if loses is None:
        raise UsageError(
            f"{name} does not declare what a drill of it loses, so that no drill of it can prove anything: add loses: "
            f"broker, rack or source to its block; or walk it: runbook procedure walk {name.replace('/', '#')}"
        )
    if loses == "source" and not source:
        raise UsageError(f"{name} loses the environment that is left: name both, --env SOURCE --to TARGET")


def _take_off(watch: Watch, file: WalkFile) -> None:
    """Let the canary begin; a drill that does not begin leaves no record.

    Raises:
        UsageError: it can't.
        KeyboardInterrupt: nobody waits for it.
    """
    print("The canary gets ready; the drill begins when its first records have come through.", flush=True)
    status = Status()
    try:
        watch.begin(status.show)
    except CannotLook as error:
        file.path.unlink()
        raise UsageError(f"{error}\ncorrect it, or drill without --allow-canary: nothing is measured then") from error
    except KeyboardInterrupt:
        file.path.unlink()
        watch.abandon("interrupted")
        raise
    finally:
        status.clear()


def _resume(request: WalkRequest) -> int:
    path = find(request.resume, _folder(request.record))
    told = load(path).begun
    way = _way(f"{told.where}#{told.procedure.rpartition('/')[2]}")
    if request.what and _way(request.what).placed.name != told.procedure:
        raise UsageError(f"{path} is a walk of {told.procedure}, not of {request.what}: leave it out")
    for asked, walked in ((request.environment, told.source or told.environment), (request.to, told.target)):
        if asked not in ("", walked):
            raise UsageError(f"{path} is a walk of {walked or told.environment}: to walk {asked}, begin anew")
    if told.rehearsal is not (request.bundle is not None):
        kind = "a rehearsal: --from FILE names its bundle" if told.rehearsal else "no rehearsal: leave --from out"
        raise UsageError(f"{path} is {kind}")
    file, record = WalkFile.reopen(path)
    with file:
        begun = begun_as(record, way.placed.digest())
        walk = Walk(way.procedure, record.entries)
        resumed = Resumed(_who(request), moment.now(), request.attended, cut=record.cut > 0)
        walk.take(resumed)
        file.append(resumed)
        return _walk(request, way, walk, file, begun, record)


def _walk(
    request: WalkRequest,
    way: _Way,
    walk: Walk,
    file: WalkFile,
    begun: Begun,
    record: Record | None = None,
    watch: Watch | None = None,
) -> int:
    inventory = _inventory(request)
    here = inventory.targets[begun.environment]
    page = WalkPage(
        begun.environment,
        shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80,
        colored(request.color, sys.stdout),
        values_of(here, inventory.targets.get(begun.source)) | begun.set | read_set(request.set, way.procedure),
        needs_login(here),
    )
    page.head(begun, way.procedure, str(file.path))
    if record is not None:
        stage = walk.stage
        page.say(f"begun {begun.at} by {begun.by}; goes on at: {stage.name if stage else 'the end'}")
        page.exceptions(walk.exceptions)
    gates = Gates(
        way.runbook,
        request.inventory,
        begun.environment,
        request.bundle,
        request.deadline,
        request.user_checks,
        begun.source,
    )
    walker = Walker(way.procedure, walk, file, gates, _who(request), page, watch, _lookout(request, begun))
    try:
        return walker.go()
    finally:
        if walker.watch is not None:  # something went wrong: its topics are to be removed all the same
            walker.watch.abandon("the drill broke off")


def _lookout(request: WalkRequest, begun: Begun) -> Lookout | None:
    """What looks for the loss of a drill; nothing does of a walk, nor at kept facts, in which nothing can be lost."""
    if begun.loses is None or begun.rehearsal:
        return None
    sites = [begun.source, begun.target] if begun.loses == "source" else [begun.environment]
    return Lookout(begun.loses, load_inventory(request.inventory), sites, request.deadline)


def _somebody(request: WalkRequest) -> None:
    if request.attended and not sys.stdin.isatty():
        raise UsageError(
            "a walk waits for a person at a terminal, and standard input is none. Start it in a terminal (ssh -t), or "
            "say that answers come as lines of standard input: --no-terminal"
        )


def _way(what: str) -> _Way:
    found = find_block(what)
    procedures = [placed for placed in found.runbook.placed() if isinstance(placed.block, Procedure)]
    if found.placed is None or not isinstance(found.placed.block, Procedure):
        known = [placed.block.id for placed in procedures]
        if not known:
            raise UsageError(f"{found.runbook.name} has no procedures; see: runbook procedure list")
        asked = f"{what} is no procedure" if found.placed else f"{what}: which procedure?"
        raise UsageError(f"{asked}: {did_you_mean(what.rpartition('#')[2], known)}")
    return _Way(found.runbook, found.placed, found.placed.block)


def _word(runbook: Runbook) -> str:
    """A word by which the runbook is found again, also from another folder."""
    return runbook.name if runbook.origin == "built-in" else str(Path(runbook.path).resolve())


class _Where(Struct):
    """Where a walk looks: the environment, the one it takes over from, and where records of drills are."""

    inventory: Inventory
    environment: str
    source: str = ""
    drills: Path | None = None


def _place_of(request: WalkRequest) -> _Where:
    patterns = [request.environment] if request.environment else []
    if request.bundle:
        patterns = patterns or load_bundle(request.bundle).selected[:1]
    inventory = _inventory(request)
    here = _one(inventory, patterns, "--env")
    if not request.to:
        return _Where(inventory, here.name, drills=_drills(here))
    there = _one(inventory, [request.to], "--to")
    if not any((one.from_, one.to) == (here.name, there.name) for one in inventory.mirrors):
        raise UsageError(
            f"{inventory.file} names no mirror from {here.name} to {there.name}; add under mirrors: "
            f"- {{from: {here.name}, to: {there.name}}}"
        )
    return _Where(inventory, there.name, here.name, _drills(there))


def _inventory(request: WalkRequest) -> Inventory:
    if request.bundle:
        return inventory_of(load_bundle(request.bundle), str(request.bundle))
    return load_inventory(request.inventory)


def _one(inventory: Inventory, patterns: list[str], option: str) -> Target:
    chosen = choose(inventory, patterns)
    if len(chosen) != 1:
        raise UsageError(f"{option} {patterns[0]} means {len(chosen)} environments: a walk has one")
    return chosen[0]


def _drills(target: Target) -> Path | None:
    """The folder in which the inventory looks for records of drills, if it does."""
    given = target.connections.get("records", {}).get("drills")
    return Path(given).expanduser() if isinstance(given, str) else None


def _who(request: WalkRequest) -> str:
    if request.by.strip():
        return request.by.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise UsageError("this login has no name: say who walks with --by NAME") from error


def _folder(record: Path | None) -> Path:
    return record if record is not None and record.suffix != SUFFIX else walks_home()


def _place(record: Path | None, walk: str) -> Path:
    return record if record is not None and record.suffix == SUFFIX else _folder(record) / f"{walk}{SUFFIX}"
