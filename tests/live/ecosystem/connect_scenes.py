"""What goes wrong with Connect and with records that are set aside, one thing at a time."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState, connect, connect_signs
from kafka_lab.admin import committed, end_offsets
from kafka_lab.breaking import in_force
from kafka_lab.content import create_topics, delete_topics, empty_topic, write_records
from kafka_lab.faults import dead_letters
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from live.ecosystem.expectations import OF_RETRIES, WELL, errors, schemas
from support.ecosystem.lab import LETTERS, changed, impatient, inventory, secrets
from support.ecosystem.records import headers_in, write
from support.ecosystem.right import MAY_READ, RETRIES, SAFE
from support.ecosystem.skipping import skip_by_rest
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, none_of, proved_also
from support.evidence.labs import kafka_lab
from support.evidence.scene import Claims, Scene, State, scene

_OUTSIDE: Final = {"tls": "nothing is tried from outside"}
_NO_SCHEMA: Final = "topics-have-a-schema"
_PARCELS: Final = "parcels-archive"
_OLD: Final = ("old-connect-configs", "old-connect-offsets")

_OF_FAULTS = {
    "plain-secret": errors(
        {"connectors-keep-secrets-elsewhere": _PARCELS}, rows={"connectors-keep-secrets-elsewhere": 1}
    ),
    "unsafe-connect-topics": errors(
        {
            "connect-has-all-its-topics": ("old-connect-", "status"),
            "connect-topics-are-compacted": "old-connect-offsets",
            "connect-topics-have-three-copies": _OLD,
            "connect-topics-have-the-right-partitions": "old-connect-configs",
        },
        rows={
            "connect-topics-are-compacted": 1,
            "connect-topics-have-three-copies": 2,
            "connect-topics-have-the-right-partitions": 1,
        },
    )
    | {"schema-governance": schemas({_NO_SCHEMA: _OLD})["schema-governance"]},
}


def _of_fault(fault: str) -> Scene:
    return fault_scene(fault, WELL, _OF_FAULTS[fault], inventory=inventory, secrets=secrets, module=__name__)


def _parcels_are_committed(state: str, lab: LabState) -> Mapping[str, bool]:
    """A sink commits some seconds after it began; a group that came between the two looks tells nothing yet."""
    if state != "during":
        return {}
    return {f"{_PARCELS} has committed": committed(lab, f"connect-{_PARCELS}", connect.TOPIC) > 0}


_FAULTS = [proved_also(_of_fault("plain-secret"), _parcels_are_committed), _of_fault("unsafe-connect-topics")]


def _claims_of(lab: LabState, fault: str) -> Claims:
    name, home = lab.name, Path(lab.folder).parent
    return lambda: in_force(known(name, home), fault)


@contextmanager
def _broken(lab: LabState, fault: str) -> Iterator[Claims]:
    """A fault is in force, and healed at the end, also where it was injected in part; gives what shows it."""
    home = Path(lab.folder).parent
    try:
        labs.break_(lab.name, fault, home=home)
        yield _claims_of(lab, fault)
    finally:
        labs.heal(lab.name, home=home)


# The commit of another connector may be late for a moment, too.
_STUCK: Final = errors(
    {
        "tasks-run": "{'connector': 'refunds-archive', 'task': 0}",
        "tasks-have-met-no-errors-of-late": "refunds-archive",
        "no-group-waits-at-a-record": ("connect-refunds-archive", "'topic': 'refunds', 'partition': 0"),
    },
    rows={"tasks-run": 1, "tasks-have-met-no-errors-of-late": 1},
) | {"schema-governance": schemas({_NO_SCHEMA: "refunds"})["schema-governance"]}
_SKIPPED: Final = WELL | {"schema-governance": _STUCK["schema-governance"]}


@scene({"before": WELL, "during": _STUCK, "skipped": _SKIPPED, "after": WELL}, faults=("poison-pill",))
def poison_pill(lab: LabState, folder: Path) -> Iterator[State]:
    """A sink stops at a record that it can't parse, which is then skipped as the procedure says."""
    del folder
    hidden, sink, group = secrets(lab), "refunds-archive", "connect-refunds-archive"
    yield State("before", impatient(lab), none_of(_claims_of(lab, "poison-pill")), secrets=hidden)
    with _broken(lab, "poison-pill") as claims:
        yield State("during", impatient(lab), claims, secrets=hidden)
        skip_by_rest(lab, sink, "refunds", 3)
        archive = connect.folder(lab) / "refunds.txt"

        def gone_on() -> Mapping[str, bool]:
            written = archive.read_text("utf-8").splitlines()
            return {
                "all but the bad record is archived": written == ["{refund=1}", "{refund=2}", "{refund=4}"],
                "its group has committed all": committed(lab, group, "refunds") == 4,
                "its task runs, and has met no error": connect_signs.runs(lab, sink)
                and connect_signs.counted(lab, sink, "total-record-errors") == 0,
            }

        yield State("skipped", impatient(lab), gone_on, secrets=hidden)
    yield State("after", impatient(lab), none_of(claims), secrets=hidden)


_ONE_LETTER: Final = "{'topic': 'shipments.dlq', 'partition': 0}"
_LETTERS: Final[dict[str, Any]] = {
    "no-new-dead-letters": _ONE_LETTER,
    "dead-letters-are-watched": "{'topic': 'shipments.dlq'}",
    "tasks-have-met-no-errors-of-late": "shipments-archive",
}
_ROWS: Final = dict.fromkeys(_LETTERS, 1)
_SET_ASIDE: Final = errors(_LETTERS, passes=frozenset({"retried-records-name-their-consumer-group"}), rows=_ROWS)
_BY_HAND: Final = errors(
    {**_LETTERS, "retried-records-name-their-consumer-group": "shipments.dlq"},
    rows={**_ROWS, "retried-records-name-their-consumer-group": 1},
)


@scene({"before": WELL, "during": _SET_ASIDE, "by-hand": _BY_HAND, "after": WELL}, faults=("dead-letters",))
def dead_letters_arrived(lab: LabState, folder: Path) -> Iterator[State]:
    """Connect sets records aside, and says for whom; then somebody sets one aside who does not say it."""
    del folder
    hidden = secrets(lab)
    unwatched = changed(lab, params={"error-handling/dead-letters-are-watched": {"alerted": []}}, absent=_OUTSIDE)
    yield State("before", inventory(lab), none_of(_claims_of(lab, "dead-letters")), secrets=hidden)
    with _broken(lab, "dead-letters") as claims:
        yield State("during", unwatched, lambda: {**claims(), **_settled(lab)}, secrets=hidden)
        write_records(lab, connect.DEAD_LETTERS, ["set aside by hand"])

        def arrived() -> dict[str, bool]:
            letters = [bool(headers) for headers in headers_in(lab, connect.DEAD_LETTERS)]
            return {"one letter has no headers, the others have": letters.count(False) == 1 < len(letters)}

        yield State("by-hand", unwatched, lambda: {**claims(), **arrived(), **_settled(lab)}, secrets=hidden)
    yield State("after", inventory(lab), none_of(claims), secrets=hidden)


def _settled(lab: LabState) -> dict[str, bool]:
    """The sink has dealt with all records, so that no more letters come."""
    done = committed(lab, f"connect-{connect.SINK}", connect.TOPIC)
    requests, skipped = (
        connect_signs.counted(lab, connect.SINK, name)
        for name in ("deadletterqueue-produce-requests", "total-records-skipped")
    )
    return {
        "the sink has committed all": done == end_offsets(lab, connect.TOPIC),
        "each record it left out became a letter": requests == skipped > 0,
    }


_NO_QUEUE: Final = frozenset(
    {
        "dead-letter-topics-of-sinks-exist",
        "dead-letters-of-sinks-are-as-safe-as-their-source",
        "dead-letters-of-sinks-have-error-headers",
    }
)
_SILENT: Final = {"sinks-drop-nothing-silently": "{'connector': 'shipments-archive'}"}
_DROPPED: Final = {
    **_SILENT,
    "skipped-records-become-dead-letters": "shipments-archive",
    "tasks-have-met-no-errors-of-late": "shipments-archive",
}


@scene(
    {
        "before": WELL,
        "during": errors(_SILENT, inapplicable=_NO_QUEUE, rows=dict.fromkeys(_SILENT, 1)),
        "dropped": errors(_DROPPED, inapplicable=_NO_QUEUE, rows=dict.fromkeys(_DROPPED, 1)),
        "after": WELL,
    },
    faults=("no-dead-letter-queue",),
)
def no_dead_letter_queue(lab: LabState, folder: Path) -> Iterator[State]:
    """A sink has no queue for what it can't read; then it drops a record without a word."""
    del folder
    hidden = secrets(lab)
    yield State("before", inventory(lab), none_of(_claims_of(lab, "no-dead-letter-queue")), secrets=hidden)
    with _broken(lab, "no-dead-letter-queue") as claims:
        yield State("during", inventory(lab), claims, secrets=hidden)
        write_records(lab, connect.TOPIC, ["dropped without a word"])

        def dropped() -> dict[str, bool]:
            skipped, letters = (
                connect_signs.counted(lab, connect.SINK, name)
                for name in ("total-records-skipped", "deadletterqueue-produce-requests")
            )
            return {"the sink has left a record out, and written no letter": skipped == 1 and letters == 0}

        try:
            yield State("dropped", inventory(lab), lambda: {**claims(), **dropped()}, secrets=hidden)
        finally:
            _forget_records(lab)
    yield State("after", inventory(lab), none_of(claims), secrets=hidden)


def _forget_records(lab: LabState) -> None:
    """Empty the sink's topic once it has read all: what it could not read must not stop others that begin there."""
    group = f"connect-{connect.SINK}"
    what = f"{connect.SINK} to commit all"
    wait_until(lambda: committed(lab, group, connect.TOPIC) == end_offsets(lab, connect.TOPIC), what, within=120)
    empty_topic(lab, connect.TOPIC)


# A task counts a record as left out just before it writes the letter: both are asked while it does so.
_ARRIVING: Final = errors(
    {
        "dead-letters-do-not-grow": _ONE_LETTER,
        "no-new-dead-letters": _ONE_LETTER,
        "tasks-have-met-no-errors-of-late": "shipments-archive",
    },
    undetermined=frozenset({"skipped-records-become-dead-letters"}),
    rows={"dead-letters-do-not-grow": 1, "no-new-dead-letters": 1},
)


@scene({"arriving": _ARRIVING}, faults=("dead-letters",))
def dead_letters_arrive(lab: LabState, folder: Path) -> Iterator[State]:
    """Records are set aside all the time that is looked."""
    del folder
    over, seen = threading.Event(), [end_offsets(lab, connect.DEAD_LETTERS)]

    def trickle() -> None:
        while not over.wait(0.2):
            write_records(lab, connect.TOPIC, ["no json at all"])

    def more() -> dict[str, bool]:
        seen.append(end_offsets(lab, connect.DEAD_LETTERS))
        time.sleep(2)
        return {"letters have come in two seconds": end_offsets(lab, connect.DEAD_LETTERS) > seen[-1]}

    writer = threading.Thread(target=trickle, daemon=True)
    writer.start()
    try:
        yield State("arriving", inventory(lab), more, secrets=secrets(lab))
    finally:
        over.set()
        writer.join(30)
        _forget_records(lab)
        dead_letters.heal(lab)


_UNREAD: Final = {"retries-are-read": "parcels-retry"}


@scene(
    {
        "closed": errors(_UNREAD, unknown=OF_RETRIES),
        "right": errors(_UNREAD, passes=OF_RETRIES),
        "wrong": errors({**_UNREAD, **dict.fromkeys(OF_RETRIES, "parcels-retry")}, rows=dict.fromkeys(OF_RETRIES, 1)),
    }
)
def retries_carry_headers(lab: LabState, folder: Path) -> Iterator[State]:
    """What nobody has read yet and the inventory lets be read: as it should be, then without what it should carry."""
    del folder
    topics = {"parcels": (1, 3, SAFE), RETRIES: (1, 3, SAFE), LETTERS: (1, 3, _OF_LETTERS)}
    watched = {"error-handling/dead-letters-are-watched": {"alerted": [connect.DEAD_LETTERS, LETTERS]}}
    closed = changed(lab, params=watched, absent=_OUTSIDE)
    opened = changed(lab, {"may_read": MAY_READ}, params=watched, absent=_OUTSIDE)
    hidden = secrets(lab)
    all_of_them = {"dlq.tries-left", "dlq.group", "dlq.next-try"}

    def carry(*wanted: set[str]) -> Claims:
        return lambda: {f"{len(wanted)} retries carry what is said": headers_in(lab, RETRIES) == [*wanted]}

    try:
        create_topics(lab, topics)
        due = b"%d" % ((time.time() + 3600) * 1000)
        write(lab, RETRIES, headers={"dlq.tries-left": b"2", "dlq.group": b"parcels", "dlq.next-try": due})
        yield State("closed", closed, carry(all_of_them), secrets=hidden)
        yield State("right", opened, carry(all_of_them), secrets=hidden)
        write(lab, RETRIES, headers={"dlq.next-try": b"2026-01-01T00:00:00Z"})
        yield State("wrong", opened, carry(all_of_them, {"dlq.next-try"}), secrets=hidden)
    finally:
        delete_topics(lab, topics)


_OF_LETTERS: Final = {**SAFE, "retention.ms": str(30 * 86_400_000), "message.timestamp.type": "LogAppendTime"}

# What one worker alone can tell of both can't be known; the agent in the other's JVM is gone with it.
_KILLED: Final = errors(
    {"connect-workers-answer": "{'worker': 'connect-2'}"},
    unknown=frozenset(
        {
            "connect-plugins-are-everywhere",
            "connect-work-is-shared",
            "connect-workers-are-alike",
            "connect-works-with-this-cluster",
            "skipped-records-become-dead-letters",
            "tasks-have-met-no-errors-of-late",
        }
    ),
    rows={"connect-workers-answer": 1},
)


@scene({"before": WELL, "during": _KILLED, "after": WELL}, faults=("stop-connect-worker",))
def stop_connect_worker(lab: LabState, folder: Path) -> Iterator[State]:
    """A worker is killed, and the other one has taken over its tasks."""
    del folder
    hidden, home = secrets(lab), Path(lab.folder).parent
    first = connect.workers_of(lab)[0].url.removeprefix("http://")
    yield State("before", inventory(lab), none_of(_claims_of(lab, "stop-connect-worker")), secrets=hidden)
    with _broken(lab, "stop-connect-worker") as claims:

        def taken_over() -> Mapping[str, bool]:
            survivor = connect_signs.workers_of_tasks(known(lab.name, home)) == {first}
            return {**claims(), "the survivor runs all tasks": survivor}

        yield State("during", inventory(lab), taken_over, secrets=hidden)

    def shared_again() -> Mapping[str, bool]:
        """It is back, and the two have shared the work out anew, for which all of it stands still for a moment."""
        both = {one.url.removeprefix("http://") for one in connect.workers_of(lab)}
        return {
            **none_of(claims)(),
            "both workers run tasks": connect_signs.workers_of_tasks(known(lab.name, home)) == both,
            **{f"{one} runs": connect_signs.runs(lab, one) for one in (connect.SOURCE, connect.SINK)},
        }

    yield State("after", inventory(lab), shared_again, secrets=hidden)


_ANY: Final = ("pass", "fail", "unknown", "not_applicable")
_MIXED: Final = {
    "error-handling": Expected(fails={"connect-works-with-this-cluster": ("{mine}", "{theirs}")}, others=_ANY)
}


@scene({"mixed": _MIXED})
def connect_of_another_cluster(lab: LabState, folder: Path) -> Iterator[State]:
    """Workers that work with another cluster than the one beside which the inventory names them."""
    place = folder / "another"
    place.mkdir()
    with kafka_lab("another", place, []) as other:
        document = inventory(lab)
        environment = document["environments"][lab.name]
        environment |= {"kafka": {"bootstrap.servers": other.bootstrap}, "cluster_id": other.cluster_id}
        words = {"mine": other.cluster_id, "theirs": lab.cluster_id}
        claims = _works_with(lab)
        yield State("mixed", document, claims, words, secrets(lab))


def _works_with(lab: LabState) -> Claims:
    from kafka_lab import http

    return lambda: {
        f"{one.name} works with the lab's cluster": http.ask(f"{one.url}/")["kafka_cluster_id"] == lab.cluster_id
        for one in connect.workers_of(lab)
    }


SCENES = [
    *_FAULTS,
    poison_pill,
    dead_letters_arrived,
    no_dead_letter_queue,
    dead_letters_arrive,
    retries_carry_headers,
    stop_connect_worker,
    connect_of_another_cluster,
]
