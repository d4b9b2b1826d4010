"""Who moves applications between two sites, and the flow between these under either policy of names."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import yaml

import kafka_lab as labs
from kafka_lab import LabState, connect, link, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.connect import a_live_worker
from kafka_lab.content import create_topics
from kafka_lab.processes import terminate
from kafka_lab.waiting import wait_until
from support import two_sites
from support.ecosystem.skipping import ask
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator
from support.two_sites import BACK, SAFE, WITHIN, Sites
from support.two_sites_move import place, positions, put_back

CHECKPOINT_BACK: Final = "mirror-checkpoint-back"
_ENOUGH = 300  # records that the group has read and whose positions have come over: some seconds of writing
_NAMES_KEPT = {"replication.policy.class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"}


@dataclass(frozen=True)
class Flows:
    """The flows of the numbered topic between both sites.

    Attributes:
        policy: by which they name topics.
        here: what they call the primary.
        there: what they call the standby.
        source: the connector that copies from the primary.
        checkpoint: the one that translates positions from there.
    """

    policy: str
    here: str
    there: str
    source: str
    checkpoint: str

    @property
    def keeps_names(self) -> bool:
        """Whether a copy has the name of what it was made from."""
        return self.policy == "identity"

    @property
    def copy(self) -> str:
        """The numbered topic's mirror at the standby."""
        return TOPIC if self.keeps_names else f"{self.here}.{TOPIC}"

    def of_both(self, alias: str) -> str:
        """The subscription that the procedures name: of a site's own topic, and of its mirror from the other."""
        return rf"^{TOPIC}$" if self.keeps_names else rf"^({alias}\.)?{TOPIC}$"

    def start(self, both: Sites) -> None:
        """Have it flow from the primary to the standby: by the lab's own connectors, or by two that keep names."""
        here, there = both
        if not self.keeps_names:
            return
        others = ",".join((*mirrors.NO_TOPICS, TOPIC))
        connect.change_connector(there, mirrors.SOURCE, mirrors.source(here, **{"topics.exclude": others}))
        forth = self._between((self.here, link.bootstrap(here)), (self.there, there.bootstrap))
        connect.put_connector(there, self.source, mirrors.source(here, topics=TOPIC, **forth))
        connect.put_connector(there, self.checkpoint, mirrors.checkpoint(here, groups=GROUP, **forth))

    def start_back(self, both: Sites) -> None:
        """Where names are kept, have it flow back from the beginning, by connectors at the primary's Connect."""
        here, there = both
        url = f"{a_live_worker(here).url}/connectors"
        if BACK in ask("GET", url):
            stop(here, BACK)
            ask("DELETE", f"{url}/{BACK}/offsets")
        back = self._between((self.there, there.bootstrap), (self.here, here.bootstrap))
        connect.configure(here, BACK, mirrors.source(here, topics=TOPIC, **back))
        connect.configure(here, CHECKPOINT_BACK, mirrors.checkpoint(here, groups=GROUP, **back))
        for name in (BACK, CHECKPOINT_BACK):
            connect.resume(here, name)

    def mirrored(self, both: Sites) -> bool:
        """Whether the mirror has some records, and the group a position there."""
        there = positions(both.there, GROUP, self.copy) if self.copy in partitions(both.there) else []
        return len(there) == PARTITIONS and sum(there) > _ENOUGH

    def end(self, both: Sites) -> None:
        """Take away the connectors that are the test's own."""
        for name in (self.source, self.checkpoint) if self.keeps_names else ():
            connect.retire_connector(both.there, name)

    @staticmethod
    def _between(source: tuple[str, str], target: tuple[str, str]) -> dict[str, str]:
        """What connectors from a site to another have in common that keep names; a site is an alias and an address."""
        return _NAMES_KEPT | {
            "source.cluster.alias": source[0],
            "target.cluster.alias": target[0],
            "source.cluster.bootstrap.servers": source[1],
            "target.cluster.bootstrap.servers": target[1],
        }


FLOWS: Final = {
    "default": Flows("default", mirrors.PRIMARY, mirrors.STANDBY, mirrors.SOURCE, mirrors.CHECKPOINT),
    "identity": Flows("identity", "home", "away", "mirror-kept", "mirror-kept-checkpoint"),
}
"""By policy. Those that keep names have other aliases than the lab's own, so that gates see nothing else of a link."""


def stop(lab: LabState, name: str) -> None:
    """Stop a connector as the procedures do, until it says so and has no tasks."""
    url = f"{a_live_worker(lab).url}/connectors/{name}"
    ask("PUT", f"{url}/stop")

    def stopped() -> bool:
        status = ask("GET", f"{url}/status")
        return status["connector"]["state"] == "STOPPED" and not status["tasks"]

    wait_until(stopped, f"{name} to stop", within=WITHIN)


class Mover(Operator):
    """Who walks, and moves the applications between the sites."""

    def __init__(self, both: Sites, folder: Path, flows: Flows) -> None:
        """Nothing runs yet."""
        super().__init__(both.here, folder)
        self.both = both
        self.flows = flows

    def begins(self) -> None:
        """Have the applications work at the primary until something has come over."""
        self.tells()
        self.starts_reading(self.both.here, self.flows.of_both(self.flows.there))
        self.starts_writing(self.both.here)
        self.waits()

    def waits(self) -> None:
        """Wait until something has come over."""
        wait_until(partial(self.flows.mirrored, self.both), "the numbered records to be mirrored", within=WITHIN)

    def tells(self, *, back: bool = False) -> None:
        """Write the lab's inventory, with the link on which this is about, and what it is for."""
        here, there = self.both
        flows = self.flows
        found = labs.running_inventory(Path(here.folder).parent)
        assert found is not None
        inventory = yaml.safe_load(found.read_text("utf-8"))
        [mirror] = inventory["mirrors"]
        mirror |= {"topics": [TOPIC], "groups": [GROUP], "policy": flows.policy}
        mirror |= {"alias": flows.here, "target_alias": flows.there}
        if back:
            way = {"from": there.name, "to": here.name, "alias": flows.there, "target_alias": flows.here}
            inventory["mirrors"].append(mirror | way)
            [worker] = connect.workers_of(here)
            primary = inventory["environments"][here.name]
            primary.get("absent", {}).pop("connect", None)
            primary["connect"] = {"workers": {"apps": worker.url}}
        # YAML too, and never with an alias
        (self.folder / "environments.yaml").write_text(json.dumps(inventory), "utf-8")

    def loses_the_primary(self) -> None:
        """Cut the link and end the consumers, so that records are neither mirrored nor read; then kill every broker."""
        link.cut(self.both.here)
        time.sleep(2)
        assert self.reader is not None
        self.reader.stop()
        time.sleep(2)
        for broker in self.both.here.brokers:
            terminate(broker.process, patience=0)
        self.stops()

    def never_mirrored(self) -> int:
        """Records of the primary behind what was saved in the failover: the loss, as its file tells it."""
        offsets = json.loads((self.folder / "mirrored.json").read_text("utf-8"))["offsets"]
        reached: dict[int, int] = {
            entry["partition"]["partition"]: entry["offset"]["offset"] + 1
            for entry in offsets
            if entry["partition"]["topic"] == TOPIC
        }
        assert len(reached) == PARTITIONS
        return end_offsets(self.both.here, TOPIC) - sum(reached.values())


@contextmanager
def two_with(lab: LabState, flows: Flows) -> Iterator[Sites]:
    """Both sites, with the numbered topic mirrored and its group's position translated; in the end all is as before."""
    with two_sites.as_found(lab) as both:
        create_topics(both.here, {TOPIC: (PARTITIONS, 3, SAFE)})
        place(both.here, GROUP, TOPIC, [0] * PARTITIONS)
        try:
            flows.start(both)
            yield both
        finally:
            flows.end(both)
            put_back(both, GROUP, TOPIC)


@contextmanager
def back_of(operator: Mover) -> Iterator[None]:
    """A Connect cluster at the primary for the flow back; in the end both are gone."""
    with two_sites.a_worker_at_the_primary(operator.both):
        yield
        operator.stops()
        for name in (BACK, CHECKPOINT_BACK):
            connect.retire_connector(operator.both.here, name)
