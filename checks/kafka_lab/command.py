"""`runbook lab`: a real cluster on this machine, to learn on and to break."""

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = {
    "up": ("runbook lab up", "runbook lab up --with jmx,prometheus"),
    "parts": ("runbook lab parts",),
    "status": ("runbook lab status",),
    "tools": ("runbook lab tools", "runbook lab tools bin --name broken"),
    "down": ("runbook lab down",),
    "break": ("runbook lab break", "runbook lab break stop-broker"),
    "heal": ("runbook lab heal",),
    "demo": ("runbook lab demo",),
    "history": ("runbook lab history made-up --environments 50 --checks 200 --weeks 52",),
}

group = typer.Typer(help="Start, break and stop a real Kafka cluster on this machine.", no_args_is_help=True)


def _labs(incomplete: str) -> list[str]:
    from kafka_lab.cluster import labs

    return [name for name in labs() if name.startswith(incomplete)]


def _faults(incomplete: str) -> list[str]:
    from kafka_lab.breaking import faults

    return [name for name in faults() if name.startswith(incomplete)]


def _parts(incomplete: str) -> list[str]:
    from kafka_lab.parts import parts

    before, comma, last = incomplete.rpartition(",")
    named = before.split(",")
    return [f"{before}{comma}{name}" for name in parts() if name.startswith(last) and name not in named]


_NAME = "lab"
_ROOM = 20  # columns, below which a text is not worth breaking. Our judgement
_PID = len("pid 4194304")  # the largest that Linux gives
Name = Annotated[
    str, typer.Option("--name", "-n", help="Name of the lab; several can run side by side.", autocompletion=_labs)
]


@group.command()
def up(
    name: Name = _NAME,
    with_: Annotated[
        str,
        typer.Option(
            "--with",
            "-w",
            metavar="PARTS",
            help="What else to start, such as jmx,prometheus; see runbook lab parts.",
            autocompletion=_parts,
        ),
    ] = "",
) -> int:
    """Start three brokers in three racks, or do nothing if they run already."""
    from kafka_lab.cluster import up as start
    from kafka_lab.inventory import called
    from kafka_lab.state import option
    from runbook.terminal.status import Steps

    with Steps() as progress:
        state = start(name, progress=progress, with_parts=[part for part in with_.split(",") if part])
    beside = f" with {', '.join(state.parts)}" if state.parts else ""
    print(f"lab {name} is up{beside}: Kafka {state.kafka}, {state.bootstrap}")
    print(f"try: runbook check {'dr' if 'dr' in state.parts else 'ha'} {called(state)}")
    print(f"Kafka's command line tools for it: runbook lab tools{option(name)}")
    return 0


@group.command(name="parts")
def parts_() -> int:
    """List what can be started beside the brokers, and what this machine lacks for it."""
    from kafka_lab.parts import lacking, parts

    for part, what in parts().items():
        _say(f"{part:12} ", what)
        if reason := lacking(part):
            _say(f"{'':12} ", f"not on this machine: {reason}")
    return 0


def _say(head: str, text: str) -> None:
    """Print a name and what there is to say of it: at a terminal in lines of its width, the text beneath itself."""
    import shutil
    import sys
    import textwrap

    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    lines = textwrap.wrap(text, room - len(head)) if room > len(head) + _ROOM else [text]
    print(head + f"\n{' ' * len(head)}".join(lines))


@group.command()
def status(
    name: Annotated[
        str, typer.Option("--name", "-n", metavar="NAME", help="Only this lab. Default: all.", autocompletion=_labs)
    ] = "",
) -> int:
    """Show which brokers of which labs run, and what is broken on purpose."""
    from kafka_lab.cluster import labs
    from kafka_lab.cluster import status as look

    names = [name] if name else labs()
    if not names:
        print("no lab runs; start one: runbook lab up")
    for lab in names:
        found = look(lab)
        print(f"{lab}  Kafka {found.kafka}  cluster {found.cluster_id}  broken: {', '.join(found.faults) or 'nothing'}")
        if found.parts:
            print(f"  with {', '.join(found.parts)}")
        for part, reason in found.left_out.items():
            print(f"  without {part}: {reason}")
        for cluster in (found, *found.beside):
            if cluster is not found:
                print(f"  {cluster.name}  Kafka {cluster.kafka}  cluster {cluster.cluster_id}")
            for broker in cluster.brokers:
                where = f"pid {broker.pid}" if broker.pid else ""
                place = f"{broker.rack}  {broker.address}"
                output = f"  {broker.log.with_suffix('.out')}" if broker.condition == "stopped" else ""
                print(f"  broker {broker.number}  {place}  {broker.condition:8} {where:{_PID}}  {broker.log}{output}")
    return 0


@group.command()
def tools(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Folder to write them to. Default: the lab's folder.")
    ] = None,
    name: Name = _NAME,
) -> int:
    """Write Kafka's command line tools, such as kafka-topics.sh, and print the line that puts them on the PATH.

    They use the lab's jars and work with any cluster. What is missing is downloaded once (1 MB).
    """
    import shlex

    from kafka_lab.state import known
    from kafka_lab.tools import FOLDER, write_tools
    from runbook.terminal.status import Steps

    lab = known(name)
    with Steps() as progress:
        there = write_tools(lab, folder or Path(lab.folder, FOLDER), progress)
    print(f"export PATH={shlex.quote(str(there))}:$PATH")
    return 0


@group.command()
def down(name: Name = _NAME) -> int:
    """Stop a lab and remove its data; its logs stay."""
    from kafka_lab.cluster import down as stop
    from kafka_lab.cluster import labs
    from runbook.model.errors import UsageError, did_you_mean

    there = labs()
    if not stop(name):
        if there or name != _NAME:
            remedy = did_you_mean(name, there, "runbook lab status") if there else "none is up"
            raise UsageError(f"there is no lab {name}: {remedy}")
        print(f"there is no lab {name}")
        return 0
    print(f"lab {name} is down")
    return 0


@group.command(name="break")
def break_(
    fault: Annotated[
        str | None, typer.Argument(help="What to break. Without it, the faults are listed.", autocompletion=_faults)
    ] = None,
    name: Name = _NAME,
) -> int:
    """Break something on purpose."""
    from kafka_lab import aftermath
    from kafka_lab.breaking import break_ as inject
    from kafka_lab.breaking import by_part, faults, seen_after, seen_in, unseen
    from kafka_lab.inventory import called
    from kafka_lab.mirrors import standby_of
    from kafka_lab.recovery import has_majority
    from kafka_lab.state import read
    from runbook.terminal.status import Steps

    if fault is None:
        for part, there in by_part().items():
            print(f"\nwith {part}: runbook lab up --with {part}" if part else "in any lab")
            for known, what in there.items():
                _say(f"  {known:26} ", what)
        return 0
    progress = Steps()
    before = aftermath.processes_of(read(name))
    lab = inject(name, fault, progress=progress)
    print(f"{fault}: {faults()[fault]}")
    for told in aftermath.missing(lab, before, progress):
        print(told)
    if not has_majority(lab):
        print("no majority of controllers is left: the cluster fences nobody, and nothing in it can change")
    runbook = seen_in(fault)
    where = standby_of(lab) if runbook == "dr" else lab  # both sites are seen from the one that is left
    mend = f"mend it: runbook lab heal --name {name}"
    if told := unseen(fault, lab):
        print(told)
        print(mend)
        return 0
    print(f"see it: runbook check {runbook} {called(where)}     {mend}")
    if told := seen_after(fault):
        print(told)
    return 0


@group.command()
def heal(name: Name = _NAME) -> int:
    """Repair everything that was broken on purpose. Connectors that were stopped, as in a failover, stay stopped."""
    from kafka_lab import link, mirrors
    from kafka_lab.breaking import heal as mend
    from kafka_lab.state import known
    from runbook.terminal.status import Steps

    healed = mend(name, progress=Steps())  # outside of a `with`: whoever waits says itself that it still does
    print(f"healed: {', '.join(healed)}" if healed else f"nothing of lab {name} was broken")
    lab = known(name, None)
    for connector in mirrors.stopped(lab) if link.PART in lab.parts else []:
        print(f"connector {connector} was stopped by somebody, as in a failover, and stays so")
    return 0


@group.command()
def demo(
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder for results and scorecard.")] = Path(".demo"),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the clusters running.")] = False,
) -> int:
    """Show everything on two real clusters, one of them broken: checks, scorecard and site."""
    from kafka_lab.demo import run_demo
    from runbook.terminal.status import Steps

    with Steps() as progress:
        return run_demo(data, progress, keep=keep)


@group.command()
def history(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A folder without results; it need not exist.")],
    environments: Annotated[int, typer.Option(help="Number of environments.")] = 50,
    checks: Annotated[int, typer.Option(help="Number of checks.")] = 200,
    weeks: Annotated[int, typer.Option(help="Number of weeks, including the last one.")] = 52,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers: another seed gives another history.")] = 1,
    until: Annotated[str, typer.Option(metavar="DATE", help="The last day, such as 2026-11-21. Default: today.")] = "",
) -> int:
    """Write invented results: a plausible year of many environments, to try the scorecard with."""
    import datetime as dt

    from kafka_lab.history import HistorySize, write_history
    from runbook.judge.summary import counted
    from runbook.model import moment
    from runbook.model.errors import UsageError
    from runbook.terminal.status import Steps

    try:
        last = dt.date.fromisoformat(until or moment.now()[:10])
    except ValueError as error:
        raise UsageError(f"--until {until}: write a day as 2026-11-21") from error
    with Steps() as progress:
        written = write_history(store, HistorySize(last, environments, checks, weeks, seed), progress)
    made = f"{counted(written.results, 'generated result')} of {counted(written.runs, 'run')}"
    print(f"{made} in {store}; none of them was measured")
    print(f"look at them: runbook scorecard {store}")
    return 0
