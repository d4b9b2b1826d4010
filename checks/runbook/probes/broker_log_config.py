"""How brokers are configured to log, from the files that the inventory lists."""

from runbook.connections.files import READS, Files
from runbook.engine.column import Column
from runbook.engine.errors import CannotLook
from runbook.engine.fact import Gap, Observed
from runbook.engine.guard import attempt
from runbook.engine.probe import Probe
from runbook.formats.log4j import ROOT, read_log4j

PROBE = Probe(
    connections=("files",),
    help="One row per logger that a broker's Log4j configuration names.",
    columns=(
        Column("broker", "int", "Node id.", key=True, entity="broker"),
        Column("logger", "string", f"Name of the logger; {ROOT} for the root.", key=True),
        Column("level", "string", "Its level as written; empty where it has none of its own."),
        Column("appenders", "list[string]", "Its own appenders."),
        Column("additive", "bool", "Whether what it logs goes to its parents' appenders too."),
        Column("file", "string", "The file that says so."),
    ),
    requests=READS,
    rights=("read the files",),
)


def observe(files: Files) -> Observed:
    """Observe the loggers of the brokers that the inventory lists; a gap for each file that is not understood."""
    told, gaps = files.broker_logging()
    rows: dict[tuple[int, str], tuple[object, ...]] = {}
    for broker, path, text in told:
        loggers = attempt(lambda text=text, path=path: read_log4j(text, path))  # type: ignore[misc]
        if isinstance(loggers, CannotLook):
            gaps.append(Gap(f"how broker {broker} logs: {loggers}", {"broker": broker}))
            continue
        for one in loggers:
            rows[broker, one.name] = (broker, one.name, one.level, one.appenders, one.additive, path)
    return Observed(rows=list(rows.values()), gaps=gaps)
