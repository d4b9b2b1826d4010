"""Names that placeholders of a move between two sites stand for, as facts tell them: connectors, topics, groups.

One name is filled in; several are shown beside the word, as somebody has to say which. What can't be seen stays open.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.model.block import Procedure
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.parse.inventory import Inventory, Target
from runbook.procedure.events import Tell
from runbook.procedure.placeholders import placeholders
from runbook.procedure.walk_record import Begun
from runbook.run.asking import ask_all

_FLOW, _TOPIC = "mirror_connector", "kafka_topic"
_KINDS: Final = {"SOURCE_CONNECTOR": "source", "CHECKPOINT_CONNECTOR": "checkpoint"}
_AT_SOURCE: Final = re.compile(rf"http://SOURCE_WORKER:8083/connectors/(?:{'|'.join(_KINDS)})\b")
_MOST: Final = 5.0  # seconds: a walk that begins must not wait for a dark site. Our judgement
_PATTERN: Final = re.compile(r"[*?\[]")  # in what the inventory says is meant


class _Ends(Struct, frozen=True):
    """A link with both of its environments."""

    link: Mirror
    source: Target
    target: Target


def names_seen(
    procedure: Procedure, begun: Begun, inventory: Inventory, seconds: float, tell: Tell
) -> dict[str, list[str]]:
    """Placeholder → the names it may stand for. What could not be seen is not there; without a link nothing is.

    Args:
        procedure: whose commands are to be filled in.
        begun: between which environments it is walked.
        inventory: with the link between them.
        seconds: for which a gate would wait; what has not answered in them, or in a few, is left open.
        tell: is told how far it is.
    """
    links = [mirror for mirror in inventory.mirrors if (mirror.from_, mirror.to) == (begun.source, begun.target)]
    if not links:
        return {}
    ends = _Ends(links[0], inventory.targets[begun.source], inventory.targets[begun.target])
    words = {word for step in procedure.steps for word in placeholders(step.command)}
    asked = {*({_FLOW} if words & _KINDS.keys() else ()), *({_TOPIC} if "TOPIC" in words else ())}
    answers = ask_all([ends.source, ends.target], sorted(asked), min(seconds, _MOST), follow=tell) if asked else {}
    found = {
        **(_connectors(procedure, ends, answers) if _FLOW in asked else {}),
        "TOPIC": sorted(_topics(ends, answers)) if _TOPIC in asked else [],
        "GROUP": [group for group in ends.link.groups if not _PATTERN.search(group)],
    }
    return {word: names for word, names in found.items() if names and word in words}


def _connectors(procedure: Procedure, ends: _Ends, answers: Mapping[tuple[str, str], Fact]) -> dict[str, list[str]]:
    """The connectors of the flow whose workers the commands name: of the one that leads here, or back from here."""
    values = ends.link.constants()
    at_source = any(_AT_SOURCE.search(step.command) for step in procedure.steps)
    where = ends.source if at_source else ends.target
    alias = values["link.target_alias"] if at_source else values["link.alias"]
    flows = answers[where.name, _FLOW]
    if not flows.complete:
        return {}
    return {
        word: sorted(row["connector"] for row in flows.rows() if _is(row, kind, alias)) for word, kind in _KINDS.items()
    }


def _is(row: Mapping[str, Any], kind: str, alias: str) -> bool:
    return row["kind"] == kind and row["source"] == alias and row["enabled"] is True and not row["file"]


def _topics(ends: _Ends, answers: Mapping[tuple[str, str], Fact]) -> Iterable[str]:
    """The topics that are mirrored, as producers call them; where names are kept, those that are meant."""
    values = ends.link.constants()
    if not values["link.prefix"]:
        return {topic for topic in ends.link.topics if not _PATTERN.search(topic)}
    mirrors = [
        *_mirrored(answers[ends.target.name, _TOPIC], values["link.prefix"]),
        *_mirrored(answers[ends.source.name, _TOPIC], values["link.back"]),
    ]
    return set(mirrors)


def _mirrored(topics: Fact, prefix: str) -> Iterator[str]:
    for row in topics.rows("name", "internal"):
        name = row["name"].removeprefix(prefix)
        if name != row["name"] and not row["internal"] and not name.endswith((".internal", "heartbeats")):
            yield name
