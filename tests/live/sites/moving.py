"""What the gates of dr.md see of a move between two sites: before anything is done, half-way, and when all is done."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from kafka_lab import LabState, connect, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.content import create_topics
from kafka_lab.waiting import wait_until
from support import two_sites
from support.built_in import GATES
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.numbered_records import GROUP, PARTITIONS, TOPIC, Ledger, Writer
from support.two_sites import SAFE, WITHIN
from support.two_sites_move import ends, forget, place, positions, put_back, state_of_the_flow, stop_the_flow
from support.two_sites_told import Inventory

UNKNOWN_THERE = "begun-late"
"""A group that begins when nothing translates positions."""
MIRROR = mirrors.remote(TOPIC)
_IN_USE = Expected(
    fails={
        "nothing-is-copied-any-more": "RUNNING",
        "producers-find-their-topics": TOPIC,
        "no-producer-writes-at-the-primary": "records in ten seconds",
        "nothing-arrives-any-more": "records in ten seconds",
        "groups-have-read-everything": "consumer lag",
    },
    # There is no topic of that name yet; and how far a mirror in use is behind is a matter of the moment.
    undetermined=frozenset(
        {
            "both-sites-hold-as-much",
            "groups-have-a-place-in-both",
            "nothing-is-left-to-copy",
            "positions-have-come-over",
        }
    ),
)
_HALF_WAY = Expected(
    passes=frozenset({"nothing-is-copied-any-more", "producers-find-their-topics", "nothing-arrives-any-more"}),
    fails={
        "both-sites-hold-as-much": "at the other site",
        "groups-have-a-place-in-both": f"an offset in {MIRROR}, none in {TOPIC}",
        "no-producer-writes-at-the-primary": "records in ten seconds",
        "nothing-is-left-to-copy": "s behind",
        "groups-have-read-everything": "consumer lag",
        "positions-have-come-over": ": false; ",
    },
)
_DONE = Expected(
    passes=frozenset(
        {
            "nothing-is-copied-any-more",
            "producers-find-their-topics",
            "groups-have-a-place-in-both",
            "no-producer-writes-at-the-primary",
            "nothing-is-left-to-copy",
            "nothing-arrives-any-more",
            "groups-have-read-everything",
            "positions-have-come-over",
            "both-sites-hold-as-much",
        }
    )
)


@scene(
    {
        "in-use": {f"dr{GATES}": _IN_USE},
        "half-way": {f"dr{GATES}": _HALF_WAY},
        "done": {f"dr{GATES}": _DONE},
    }
)
def moving(lab: LabState, _folder: Path) -> Iterator[State]:
    """Somebody writes, and a group lags; then the flow is stopped while they write on; then all is as it should be."""
    with two_sites.as_found(lab) as sites:
        here, there = sites
        inventory = Inventory(sites)
        inventory.link |= {"topics": [TOPIC], "groups": [GROUP, UNKNOWN_THERE]}
        create_topics(here, {TOPIC: (PARTITIONS, 3, SAFE)})
        try:
            with Writer(Ledger(), here) as writer:
                place(here, GROUP, TOPIC, [1] * PARTITIONS)

                def in_use() -> Mapping[str, bool]:
                    before = end_offsets(here, TOPIC)
                    return {
                        "the source connector runs": state_of_the_flow(sites) == "RUNNING",
                        "the group has a position in the mirror": bool(positions(there, GROUP, MIRROR)),
                        "records are written": writer.goes_on() and end_offsets(here, TOPIC) > before,
                        f"there is no {TOPIC} at the standby": TOPIC not in partitions(there),
                    }

                yield State("in-use", inventory.document, in_use)

                stop_the_flow(sites)
                create_topics(there, {TOPIC: (PARTITIONS, 3, SAFE)})
                connect.pause(there, mirrors.CHECKPOINT)
                place(here, UNKNOWN_THERE, TOPIC, [50] * PARTITIONS)

                def half_way() -> Mapping[str, bool]:
                    before = end_offsets(here, TOPIC)
                    return {
                        "the source connector is stopped": state_of_the_flow(sites) == "STOPPED",
                        "records are written": writer.goes_on() and end_offsets(here, TOPIC) > before,
                        "the mirror lacks some": end_offsets(there, MIRROR) < before - 100,
                        f"the group has no position in {TOPIC}": not positions(there, GROUP, TOPIC),
                        f"{UNKNOWN_THERE} has none in the mirror": not positions(there, UNKNOWN_THERE, MIRROR),
                    }

                yield State("half-way", inventory.document, half_way)
            forget(here, UNKNOWN_THERE)
            for connector in (mirrors.CHECKPOINT, mirrors.SOURCE):
                connect.resume(there, connector)
            wait_until(lambda: mirrors.caught_up(here, there, TOPIC), "the mirror to have all", within=WITHIN)
            place(here, GROUP, TOPIC, ends(here, TOPIC))
            wait_until(
                lambda: positions(there, GROUP, MIRROR) == ends(there, MIRROR), "positions to come over", within=WITHIN
            )
            stop_the_flow(sites)
            place(there, GROUP, TOPIC, [0] * PARTITIONS)

            def done() -> Mapping[str, bool]:
                return {
                    "the source connector is stopped": state_of_the_flow(sites) == "STOPPED",
                    "nobody writes": not writer.goes_on(),
                    "the mirror has all": mirrors.caught_up(here, there, TOPIC),
                    "the group is at the end of both": positions(here, GROUP, TOPIC) == ends(here, TOPIC)
                    and positions(there, GROUP, MIRROR) == ends(there, MIRROR),
                    f"and at the beginning of {TOPIC}": positions(there, GROUP, TOPIC) == [0] * PARTITIONS,
                }

            yield State("done", inventory.document, done)
        finally:
            for site in sites:
                forget(site, UNKNOWN_THERE)
            put_back(sites, GROUP, TOPIC)


SCENES = [moving]
