"""How full log directories were at earlier looks, by the facts that scheduled runs kept."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

from runbook.answers.records import READS
from runbook.evidence.bundle import Bundle
from runbook.model import moment
from runbook.model.fact import Fact, Gap, Observed, conform
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import BrokerId, Bytes, Moment
from runbook.model.row import Cell, Row
from runbook.probes import kafka_log_dir

if TYPE_CHECKING:
    from runbook.connections.records import Records


class KeptLogDir(Row):
    """A log directory of a broker at an earlier look."""

    look: Annotated[Moment, Cell("When it was looked at.", key=True)]
    broker: Annotated[BrokerId, Cell("Node id.", key=True)]
    path: Annotated[str, Cell("Absolute path.", key=True, entity="log_dir")]
    error: Annotated[str, Cell("What was wrong with it; empty for nothing.")]
    total_bytes: Annotated[Bytes | None, Cell("Size of the volume then.", moves=True)]
    usable_bytes: Annotated[Bytes | None, Cell("Room left on the volume then.", moves=True)]


PROBE = Probe(
    connections=("records",),
    help="One row per kept look, broker and log directory, of the oldest and the newest look of a span of time.",
    row=KeptLogDir,
    requests=(READS[2],),
    rights=("read the facts that are kept beside results",),
    parameters={
        "environment": Parameter("string", "", help="whose looks, as env.name"),
        "days": Parameter("int", 7, min=1, help="days that a look may be old"),
        "least": Parameter("int", 60, min=1, help="minutes that a look must be old"),
    },
)


def observe(connection: "Records", environment: str = "", days: int = 7, least: int = 60) -> Observed:
    """Observe what the oldest and the newest look of the span saw; without any, nothing is known."""
    now = connection.clock.now("kept looks")
    looks = connection.scheduled_looks(environment)
    within = [at for at in looks if now - days * 86_400 <= at <= now - least * 60]
    if not within:
        span = f"between {least} minutes and {days} days old"
        return Observed(gaps=[Gap(f"no look at {environment} is kept that is {span}: growth takes two looks")])
    rows, gaps = [], []
    for at in dict.fromkeys((within[0], within[-1])):
        found = _log_dirs(connection.look_in(looks[at], environment))
        if found is None:
            gaps.append(Gap(f"the look of {_written(at)} did not ask for log directories"))
            continue
        gaps += found.gaps
        looked = Moment(found.collected_at or _written(at))
        rows += [
            KeptLogDir(look=looked, **row)
            for row in found.rows("broker", "path", "error", "total_bytes", "usable_bytes")
        ]
    return Observed(rows=rows, gaps=gaps)


def _log_dirs(bundle: Bundle) -> Fact | None:
    """The fact of log directories that a look kept."""
    kept = (one.facts.get("") for one in bundle.kept if one.ask.probe == "kafka_log_dir")
    fact = next(kept, None)
    return None if fact is None else conform(fact, kafka_log_dir.PROBE.columns)


def _written(at: float) -> str:
    return moment.written(dt.datetime.fromtimestamp(at, dt.UTC))
