"""Whether groups keep up with what is written, and how long what they have not read is kept at least."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from runbook.model.by_pattern import seconds_of
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import Offset, PartitionNumber, Seconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._progress_reasons import untold
from runbook.views._retention import Kept, deleted_not_before, kept_by, retention

Progress = Literal[
    "keeps up",
    "catches up",
    "falls behind",
    "holds its lag",
    "stuck",
    "no commit seen",
    "held",
    "stuck or held",
    "rebalancing",
    "no longer read",
    "stopped",
    "rewound",
    "ahead of the log",
    "never committed",
    "nothing to read",
]
_REBALANCING = ("preparing_rebalancing", "completing_rebalancing")
"""States in which members wait for each other; brokers of 4.x tell what they had before, others that they have none."""
_STANDS = ("stuck", "held", "stuck or held", "rebalancing")
_BY_SIZE = "topics that retention.bytes alone bounds are judged by unread-records-fit-in-retention-bytes"
_JOURNAL: Final = "kafkasql-"
"""How topics of Apicurio's registry begin: an instance reads them as a new group at each start and leaves it behind."""
_LAG = (
    *("group", "topic", "partition", "type", "state", "members", "owner", "committed", "committed_before", "commits"),
    *("stable", "end", "end_before", "lag", "between", "quiet", "behind_least", "behind_most"),
)


class GroupProgress(Row):
    """A group and a partition."""

    group: Annotated[str, Cell("Group id.", key=True, entity="group")]
    topic: Annotated[str, Cell("Topic.", key=True, entity="topic")]
    partition: Annotated[PartitionNumber, Cell("Number of the partition.", key=True)]
    progress: Annotated[
        Progress | None,
        Cell(
            "keeps up; catches up, holds its lag, falls behind: late, and its member reads what is late faster, "
            "as fast, slower than is written. Late, and nothing moves: stuck; no commit seen, where its member may "
            "commit more seldom than was looked; held, where a transaction that is open begins; stuck or held, where "
            "one is open and begins elsewhere: it stands at a record, or at nothing but markers and what was aborted; "
            "rebalancing, while members wait for each other, also before the first commit; no longer read, where "
            "no member has any of its topic. "
            "stopped: nobody is there. rewound; ahead of the log; never committed; nothing to read.",
            why="untold",
        ),
    ]
    stands: Annotated[
        bool | None,
        Cell("Whether it is stuck, held or rebalancing; unknown where no commit was seen.", why="untold"),
    ]
    untold: Annotated[str, Cell("Why it is not known whether it stands; empty if it is, or if its cells say why.")]
    may_be_held: Annotated[
        bool | None, Cell("Whether a transaction is open there that begins elsewhere, and may hold it all the same.")
    ]
    is_read: Annotated[
        bool | None, Cell("Whether a member of it has any partition of the topic; unknown while it rebalances.")
    ]
    unowned: Annotated[
        bool | None,
        Cell(
            "Whether no member has it, though members have others of its topic; unknown while the group rebalances and "
            "commits elsewhere: a partition that is handed over has no owner for a moment.",
            untold="the group rebalances, or its members are not known; check again in a minute",
        ),
    ]
    commits: Annotated[bool | None, Cell("Whether it has ever committed there.")]
    commits_what_it_reads: Annotated[
        bool | None,
        Cell(
            "The same; unknown where it never has, and an open transaction may leave it nothing to read.", why="untold"
        ),
    ]
    owner: Annotated[str | None, Cell("Client id and host of the member that has the partition; empty if unowned.")]
    committed: Annotated[Offset | None, Cell("Offset of the record that it is to read next.")]
    stable: Annotated[
        Offset | None,
        Cell("Last stable offset: where the oldest open transaction begins, or the end, where none is open."),
    ]
    lag: Annotated[int | None, Cell("From committed to end.", unit="records", moves=True)]
    behind_least: Annotated[Seconds | None, Cell("Age of the record that it is to read next, at least.")]
    behind_most: Annotated[Seconds | None, Cell("The same, at most.")]
    read_rate: Annotated[float | None, Cell("Committed between two looks.", unit="records per second", moves=True)]
    write_rate: Annotated[float | None, Cell("Written between two looks.", unit="records per second", moves=True)]
    caught_up_in: Annotated[
        Seconds | None, Cell("Until it has read all, at these rates; unknown unless it catches up.")
    ]
    kept: Annotated[
        Kept | None,
        Cell("What deletes records of the topic; for ever: nothing but compaction does."),
    ]
    retention: Annotated[Seconds | None, Cell("retention.ms, where records go by time.")]
    deleted_not_before: Annotated[
        Seconds | None,
        Cell(
            "So long retention.ms keeps the record that it is to read next at least; 0: it may go at any moment. Known "
            "only where records go by time, there is something to read, and its age is known. Where they go by size "
            "too, see unread_size."
        ),
    ]
    by_size_alone: Annotated[
        str, Cell("What judges it where something is unread and records go by size alone; empty where that is not so.")
    ]


VIEW = View(
    help="One row per group and partition of kafka_group_lag, with what kafka_topic says of its retention.",
    row=GroupProgress,
    version=4,
    leaves_out="groups without members of topics in which a registry (Apicurio) keeps its schemas: an instance makes a "
    "new one at each start",
    inputs={
        "lag": Input("kafka_group_lag", columns=_LAG),
        "topic": Input("kafka_topic", columns=("name", "cleanup_policy", "retention_ms", "retention_bytes")),
    },
    parameters={
        "late": Parameter(
            type="int",
            default=120,
            min=1,
            help="seconds that the record to be read next may be old, and that a member may take from commit to commit",
        ),
        "seldom": Parameter(
            type="list[string]",
            help="groups that by design commit more seldom than that, with the seconds from commit to commit, as in "
            "[nightly-*=900]: so old may the record to be read next be, too",
        ),
        "spare": Parameter(
            type="int", default=1, min=0, help="records of lag that count as none: a transaction's marker is never read"
        ),
        "clear": Parameter(
            type="float",
            default=2.0,
            min=1,
            help="times as fast as the other that reading or writing must be to say which is faster",
        ),
    },
)


def compute(
    *,
    lag: Fact,
    topic: Fact,
    late: int = 120,
    seldom: Sequence[str] | None = None,
    spare: int = 1,
    clear: float = 2.0,
) -> Observed:
    """Say of each row of kafka_group_lag what the group does.

    A group commits now and then, so that looks some seconds apart see one commit more or less: hence `clear`. One that
    was not seen to commit is called stuck only where that can't be chance: its member goes on
    elsewhere, or has committed nothing for too long. The members of a share group go on elsewhere while one of them
    works on the record at the start offset, so that only the time counts there.
    """
    settings = {row["name"]: row for row in topic.rows("name", "cleanup_policy", "retention_ms", "retention_bytes")}
    declared = seconds_of(seldom)
    told = [row for row in lag.rows(*_LAG) if not row["topic"].startswith(_JOURNAL) or row["members"] != 0]
    seen = [row | {"late": _bearable(late, declared(row["group"]))} for row in told]
    for row in seen:
        row |= {"is_late": _is_late(row, row["late"], spare), "held": _held(row, spare)}
    owners: dict[tuple[str, str], set[str | None]] = {}
    committers = _committers(seen)
    for row in seen:
        owners.setdefault((row["group"], row["topic"]), set()).add(row["owner"])
    totals = _totals(seen)
    rows = []
    for row in seen:
        is_read = _is_read(row, owners[row["group"], row["topic"]])
        member = (row["group"], row["owner"])
        row |= {"is_read": is_read, "total": totals.get(member)}
        row["is_sure"] = (member in committers and row["type"] != "share") or _is_silent(row, row["late"])
        row["unowned"] = _unowned(row, is_read=is_read)
        kept = kept_by(settings.get(row["topic"]))
        read, written = _rate(row, "committed"), _rate(row, "end")
        progress = _progress(row, spare, clear)
        rows.append(
            GroupProgress(
                group=row["group"],
                topic=row["topic"],
                partition=row["partition"],
                progress=progress,
                stands=_stands(row, progress),
                untold=untold(row, progress, _moved(row), waits_to_begin=_waits_to_begin(row)),
                may_be_held=None if row["stable"] is None or row["end"] is None else row["held"] is None,
                is_read=is_read,
                unowned=row["unowned"],
                commits=row["commits"],
                commits_what_it_reads=None if row["commits"] is False and row["held"] is not False else row["commits"],
                owner=row["owner"],
                committed=row["committed"],
                stable=row["stable"],
                lag=row["lag"],
                behind_least=row["behind_least"],
                behind_most=row["behind_most"],
                read_rate=read,
                write_rate=written,
                caught_up_in=_caught_up_in(row["lag"], read, written) if progress == "catches up" else None,
                kept=kept,
                retention=retention(settings.get(row["topic"]), kept),
                deleted_not_before=deleted_not_before(row, settings.get(row["topic"]), kept, spare),
                by_size_alone=_BY_SIZE if kept == "by size" and (row["lag"] is None or row["lag"] > spare) else "",
            )
        )
    return Observed(rows=rows)


def _stands(row: dict[str, Any], progress: Progress | None) -> bool | None:
    if progress in (None, "no commit seen") or (progress == "never committed" and _waits_to_begin(row) is None):
        return None
    return progress in _STANDS


def _rate(row: dict[str, Any], column: str) -> float | None:
    after, before = row[column], row[f"{column}_before"]
    return None if after is None or before is None or not row["between"] else (after - before) / row["between"]


def _is_read(row: dict[str, Any], owners: set[str | None]) -> bool | None:
    if any(owners):
        return True
    owners_known = None not in owners and row["members"] is not None
    return False if owners_known and (row["state"] == "stable" or not row["members"]) else None


def _bearable(late: int, pace: int | None) -> int:
    """How late a group may be, in seconds: its declared pace, but no less than what every group may be."""
    return late if pace is None else max(late, pace)


def _is_late(row: dict[str, Any], late: int, spare: int) -> bool | None:
    """Whether the record to be read next waits too long; None where its age does not tell."""
    least, most = row["behind_least"], row["behind_most"]
    if row["lag"] is not None and row["lag"] <= spare:
        return False
    if row["lag"] is None or least is None:
        return None
    return True if least > late else None if most is None or most > late else False


def _held(row: dict[str, Any], spare: int) -> bool | None:
    """Whether an open transaction is what a group waits for that reads committed records only; None: may be.

    A reader that stands before the transaction, at a marker or behind it gets nothing either. What began after the
    first look holds nobody that is late.
    """
    stable, end, before, committed = row["stable"], row["end"], row["end_before"], row["committed"]
    if stable is None or end is None:
        return None
    if stable >= end:
        return False
    if committed is not None and stable - spare <= committed <= stable:
        return True
    return False if before is not None and before <= stable and (committed is None or committed < stable) else None


def _totals(rows: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[int, int] | None]:
    """What each member read of its late partitions, and what was written to them; None where some of it is not known.

    A member that has much to read takes a batch of one partition after the other: which of them moves is chance.
    """
    found: dict[tuple[str, str], tuple[int, int] | None] = {}
    for row in rows:
        if row["is_late"] is False or row["held"] or not row["owner"] or _is_untouched(row):
            continue
        key, moved = (row["group"], row["owner"]), _moved(row)
        so_far = found.get(key, (0, 0))
        known = row["is_late"] is True and moved is not None and so_far is not None
        found[key] = (so_far[0] + moved[0], so_far[1] + moved[1]) if known and moved and so_far else None
    return found


def _is_untouched(row: dict[str, Any]) -> bool:
    """Whether nothing was written to the partition between the looks, and nothing was ever committed there."""
    return row["commits"] is False and row["end"] is not None and row["end"] == row["end_before"]


def _committers(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The members that were seen to commit something: what one of them does not move, it does not get past.

    Commits of the same place again are not counted: a client that commits by itself does that while its application
    works on a batch.
    """
    found = set()
    for row in rows:
        moved = _moved(row)
        if row["owner"] and moved is not None and moved[0] > 0:
            found.add((row["group"], row["owner"]))
    return found


def _is_silent(row: dict[str, Any], late: int) -> bool:
    """Whether it has committed nothing for so long that a member that works would have."""
    return any(row[column] is not None and row[column] >= late for column in ("between", "quiet"))


def _moved(row: dict[str, Any]) -> tuple[int, int] | None:
    """Offsets that were committed and written between the looks."""
    places = (row["committed"], row["committed_before"], row["end"], row["end_before"])
    return None if None in places else (places[0] - places[1], places[2] - places[3])


def _progress(row: dict[str, Any], spare: int, clear: float) -> Progress | None:
    if row["commits"] is False:
        return None if row["held"] is None else "rebalancing" if _waits_to_begin(row) else "never committed"
    if None in (row["committed"], row["end"], row["lag"]):
        return None
    if row["committed"] > row["end"]:
        return "ahead of the log"
    moved = _moved(row)
    if moved is None or moved[0] < 0:
        return None if moved is None else "rewound"
    if row["lag"] <= spare:
        return "keeps up" if any(moved) else "nothing to read"
    return _with_lag(row, moved, clear)


def _waits_to_begin(row: dict[str, Any]) -> bool | None:
    """Whether a group that never committed waits for its first assignment; None where its rebalance may be short.

    A rebalance that ends is written where commits are kept, so that one of a group that is silent has not ended.
    """
    if row["state"] not in _REBALANCING or not row["members"] or _is_untouched(row):
        return False
    return True if row["quiet"] is not None and row["quiet"] >= row["late"] else None


def _with_lag(row: dict[str, Any], moved: tuple[int, int], clear: float) -> Progress | None:
    """What a group does that has something to read.

    Where partitions are assigned by hand nobody owns them, and a group without members may move, or one whose members
    have others.
    """
    if row["members"] is None or (row["members"] == 0 and not moved[0]):
        return None if row["members"] is None else "stopped"
    if not row["is_late"]:
        return None if row["is_late"] is None else "keeps up"
    by_hand = row["owner"] == "" and moved[0] > 0
    if row["members"] and not row["owner"] and not by_hand:
        return _without_owner(row)
    if row["held"]:
        return "keeps up" if moved[0] else "held"
    total = row["total"] if row["owner"] else moved
    return None if total is None else _by_rate(row, moved, total, clear)


def _by_rate(row: dict[str, Any], moved: tuple[int, int], total: tuple[int, int], clear: float) -> Progress | None:
    """What a group does that is late, by what its member reads of all that it is late with."""
    maybe_held = row["held"] is None and not moved[0]
    read, written = total
    if read:
        if maybe_held:
            return None
        if read >= clear * written:
            return "catches up"
        return "falls behind" if clear * read <= written else "holds its lag"
    if row["stable"] is None or row["state"] is None:
        return None
    if row["state"] in _REBALANCING:
        return "rebalancing"
    stands: Progress = "stuck or held" if maybe_held else "stuck"
    return stands if row["is_sure"] else "no commit seen"


def _unowned(row: dict[str, Any], *, is_read: bool | None) -> bool | None:
    """Whether nobody has a partition; one that is handed over has no owner for a moment (KIP-848)."""
    if row["owner"] or is_read is False:
        return False
    if row["owner"] is None or is_read is None or row["state"] is None:
        return None
    return True if row["state"] == "stable" or row["is_sure"] else None


def _without_owner(row: dict[str, Any]) -> Progress | None:
    if row["owner"] is None or (row["is_read"] and not row["unowned"]):
        return None
    return "stuck" if row["is_read"] else "rebalancing" if row["is_read"] is None else "no longer read"


def _caught_up_in(lag: int | None, read: float | None, written: float | None) -> Seconds | None:
    if lag is None or read is None or written is None or read <= written:
        return None
    return Seconds(round(lag / (read - written), 1))
