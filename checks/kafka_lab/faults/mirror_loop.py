"""Copies a copy back to the primary, and from there to the standby again, by flows that can't see it (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, link, mirrors
from kafka_lab.admin import end_offsets, partitions
from kafka_lab.content import delete_topics
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "dr"

_TOPIC = mirrors.remote("payments")
_BACK = f"{mirrors.STANDBY}.{_TOPIC}"  # at the primary
_AGAIN = mirrors.remote(_BACK)  # at the standby
_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Add a flow back and two forth, and wait until records have come round.

    MirrorMaker leaves out topics whose prefix is the alias of where they would go. It can't see that of a cluster with
    two aliases, nor where names are kept. Each of the flows takes one topic, which none of the others makes for it
    anew: the loop ends after a turn.
    """
    there = mirrors.standby_of(lab)
    for name, flow in _flows(lab, there).items():
        connect.put_connector(there, name, flow)
    for site, topic in ((lab, _BACK), (there, _AGAIN), (there, _BACK)):
        what = f"{topic} to come to {site.name}"
        wait_until(lambda: end_offsets(site, topic) > 0, what, within=_WITHIN)  # noqa: B023


def _flows(lab: LabState, there: LabState) -> dict[str, dict[str, str]]:
    single = {name: value for name, value in mirrors.source(lab).items() if not name.startswith("offset")} | {
        "emit.offset-syncs.enabled": "false",
        "heartbeats.replication.enabled": "false",  # else taken whatever the filter says, round and round
        "topics": _BACK.replace(".", r"\."),
    }
    return {
        "mirror-back": single
        | {
            "source.cluster.alias": mirrors.STANDBY,
            "target.cluster.alias": "dc1",
            "source.cluster.bootstrap.servers": there.bootstrap,
            "target.cluster.bootstrap.servers": link.bootstrap(lab),
            "producer.override.bootstrap.servers": link.bootstrap(lab),
            "topics": _TOPIC.replace(".", r"\."),
        },
        "mirror-again": single | {"target.cluster.alias": "dc2"},
        "mirror-as-is": single
        | {"replication.policy.class": "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"},
    }


def heal(lab: LabState) -> None:
    """Delete the flows, then what they copied."""
    there = mirrors.standby_of(lab)
    for name in _flows(lab, there):
        connect.retire_connector(there, name)  # one that still runs makes its topic anew
    delete_topics(there, [_AGAIN, _BACK])
    delete_topics(lab, [_BACK])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether each of the flows runs, and records have come to each topic that they make."""
    there = mirrors.standby_of(lab)
    claims = {f"{name} runs": set(connect.states(there, name)) == {"RUNNING"} for name in _flows(lab, there)}
    for site, topic in ((lab, _BACK), (there, _AGAIN), (there, _BACK)):
        claims[f"{topic} has records at {site.name}"] = topic in partitions(site) and end_offsets(site, topic) > 0
    return claims
