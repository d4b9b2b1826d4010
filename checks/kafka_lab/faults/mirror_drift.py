"""Changes copies by hand at the standby: one is kept for an hour only, one has more partitions (with dr)."""

from collections.abc import Mapping

from kafka_lab import connect, mirrors
from kafka_lab.admin import change_settings, kafka_python, partitions, topic_setting
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "dr"

_KEPT_SHORTLY = "payments"
_SETTING, _HOUR = "retention.ms", "3600000"
_TOPIC = "returns"
_FEW, _MANY = 3, 6
_SYNC = "sync.topic.configs.enabled"
_WITHIN = 180.0


def inject(lab: LabState) -> None:
    """Have MirrorMaker leave settings alone, as it would put them right, and change the copies."""
    there = mirrors.standby_of(lab)
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(lab, **{_SYNC: "false"}))
    change_settings(there, "topic", {mirrors.remote(_KEPT_SHORTLY): {_SETTING: _HOUR}})
    create_topics(lab, {_TOPIC: (_FEW, 3, {"min.insync.replicas": "2"})})
    copy = mirrors.remote(_TOPIC)
    wait_until(lambda: copy in partitions(there), f"{_TOPIC} to come to the standby", within=_WITHIN)
    with kafka_python(there) as admin:
        admin.create_partitions({copy: _MANY})
    wait_until(lambda: len(partitions(there)[copy]) == _MANY, f"{copy} to have more partitions", within=_WITHIN)


def heal(lab: LabState) -> None:
    """Take the setting back, and delete that topic, its copy last."""
    there = mirrors.standby_of(lab)
    change_settings(there, "topic", {mirrors.remote(_KEPT_SHORTLY): {_SETTING: None}})
    delete_topics(lab, [_TOPIC])
    mirrors.restore(lab)
    delete_topics(there, [mirrors.remote(_TOPIC)])


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether one copy is kept for an hour, and one has more partitions than its topic."""
    there = mirrors.standby_of(lab)
    kept, grown = mirrors.remote(_KEPT_SHORTLY), mirrors.remote(_TOPIC)
    return {
        f"{mirrors.SOURCE} leaves settings alone": connect.configuration(there, mirrors.SOURCE).get(_SYNC) == "false",
        f"{kept} has {_SETTING}={_HOUR}": topic_setting(there, kept, _SETTING) == _HOUR,
        f"{_TOPIC} has {_FEW} partitions": len(partitions(lab).get(_TOPIC, {})) == _FEW,
        f"{grown} has {_MANY} partitions": len(partitions(there).get(grown, {})) == _MANY,
    }
