"""A move between two sites, as a test makes it: positions of groups, the flow that is stopped, and all put back."""

from collections.abc import Sequence
from pathlib import Path

from kafka import TopicPartition
from kafka.structs import OffsetAndMetadata

from kafka_lab import LabState, connect, link, mirrors
from kafka_lab.admin import delete_group, kafka_python, partitions
from kafka_lab.connect import a_live_worker
from kafka_lab.content import delete_topics
from kafka_lab.recovery import bring_back
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from support.ecosystem.skipping import ask
from support.two_sites import WITHIN, Sites


def place(lab: LabState, group: str, topic: str, offsets: Sequence[int]) -> None:
    """Set the position of a group that has no members in each partition of a topic."""
    spots = {TopicPartition(topic, number): OffsetAndMetadata(to, "", -1) for number, to in enumerate(offsets)}
    with kafka_python(lab) as admin:
        refused = [error for error in admin.alter_group_offsets(group, spots).values() if error.errno]
    assert refused == []


def positions(lab: LabState, group: str, topic: str) -> list[int]:
    """The offsets that a group has committed in a topic, by partition; none where it has none."""
    with kafka_python(lab) as admin:
        offsets = admin.list_group_offsets([group])[group]
    mine = {spot.partition: one.offset for spot, one in offsets.items() if spot.topic == topic and one.offset >= 0}
    return [mine[number] for number in sorted(mine)]


def ends(lab: LabState, topic: str) -> list[int]:
    """The end of each partition of a topic; none if there is no such topic."""
    spots = [TopicPartition(topic, number) for number in sorted(partitions(lab).get(topic, {}))]
    with kafka_python(lab) as admin:
        found = admin.list_partition_offsets(dict.fromkeys(spots, -1)) if spots else {}
    return [found[spot].offset for spot in spots]


def state_of_the_flow(sites: Sites) -> str:
    """The state of the connector that copies, as Connect says."""
    status = connect.asked(sites.there, f"/connectors/{mirrors.SOURCE}/status") or {"connector": {"state": "gone"}}
    return str(status["connector"]["state"])


def stop_the_flow(sites: Sites) -> None:
    """Stop it, as the procedures do."""
    ask("PUT", f"{a_live_worker(sites.there).url}/connectors/{mirrors.SOURCE}/stop")
    wait_until(lambda: state_of_the_flow(sites) == "STOPPED", "the source connector to stop", within=WITHIN)


def forget(lab: LabState, group: str) -> None:
    """Delete a group, once its members have gone."""
    wait_until(lambda: delete_group(lab, group), f"{group} to go from {lab.name}", within=WITHIN)


def put_back(sites: Sites, group: str, topic: str) -> None:
    """Whatever happened, bring the primary back, and the flow from it; take away what the move left at both sites."""
    here, there = known(sites.here.name, Path(sites.here.folder).parent), sites.there
    bring_back(here)
    link.mend(here)
    for site in (here, there):
        forget(site, group)
    delete_topics(here, [topic, *(name for name in partitions(here) if name.startswith(f"{mirrors.STANDBY}."))])
    delete_topics(there, [topic, mirrors.remote(topic)])
    mirrors.restore(here)
