"""How brokers are configured to log, from the files that the inventory lists."""

from typing import TYPE_CHECKING, Annotated

from runbook.answers.files import READS
from runbook.formats.log4j import ROOT, read_log4j
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap, Observed
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files


class BrokerLogConfig(Row):
    """A logger that a broker's configuration names."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    logger: Annotated[str, Cell(f"Name of the logger; {ROOT} for the root.", key=True)]
    level: Annotated[str, Cell("Its level as written; empty where it has none of its own.")]
    appenders: Annotated[list[str], Cell("Its own appenders.")]
    additive: Annotated[bool, Cell("Whether what it logs goes to its parents' appenders too.")]
    file: Annotated[str, Cell("The file that says so.")]


PROBE = Probe(
    connections=("files",),
    help="One row per logger that a broker's Log4j configuration names.",
    row=BrokerLogConfig,
    requests=READS,
    rights=("read the files",),
)


def observe(files: "Files") -> Observed:
    """Observe the loggers of the brokers that the inventory lists; a gap for each file that is not understood."""
    logging_files, gaps = files.broker_logging()
    rows: dict[tuple[int, str], BrokerLogConfig] = {}
    for file in logging_files:
        broker = file.broker
        loggers = attempt(lambda file=file: read_log4j(file.text, file.path))  # type: ignore[misc]
        if isinstance(loggers, CannotLook):
            gaps.append(Gap.of(loggers, {"broker": broker}, f"how broker {broker} logs: {loggers}"))
            continue
        for logger in loggers:
            rows[broker, logger.name] = BrokerLogConfig(
                broker=broker,
                logger=logger.name,
                level=logger.level,
                appenders=logger.appenders,
                additive=logger.additive,
                file=file.path,
            )
    return Observed(rows=list(rows.values()), gaps=gaps)
