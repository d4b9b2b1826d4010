"""Names that placeholders of a move between two sites stand for, as facts tell them: connectors, topics, groups.

One name is filled in; several are shown beside the word, as somebody has to say which. What can't be seen stays open.
How many partitions a topic is to have follows from the topic.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.model.block import Procedure
from runbook.model.fact import Fact
from runbook.model.link import Mirror
from runbook.parse.inventory import Inventory, Target
from runbook.procedure.events import Event, NamesSeen, StepReached, Tell
from runbook.procedure.placeholders import placeholders
from runbook.procedure.walk_record import Begun
from runbook.run.collection.single_questions import ask_all

_FLOW, _TOPIC = "mirror_connector", "kafka_topic"
_KINDS: Final = {"SOURCE_CONNECTOR": "source", "CHECKPOINT_CONNECTOR": "checkpoint"}
_BACK: Final = {"BACK_CONNECTOR": "source", "BACK_CHECKPOINT": "checkpoint"}
"""Of the flow that leads here: a step of the way back makes them, so that they may not be there when it begins."""
_AT_SOURCE: Final = re.compile(rf"http://SOURCE_WORKER:8083/connectors/(?:{'|'.join(_KINDS)})\b")
_MOST: Final = 5.0  # seconds: a walk that begins must not wait for a dark site. Our judgement
_PATTERN: Final = re.compile(r"[*?\[]")  # in what the inventory says is meant


class SeenNames(Struct, frozen=True):
    """What was seen of the names that placeholders may stand for.

    Attributes:
        names: placeholder → the names.
        partitions: topic → how many its mirror has, or it has itself where it is not mirrored yet.
        unseen: placeholder → why it stays open, where nothing was seen of it.
    """

    names: dict[str, list[str]] = {}
    partitions: dict[str, int] = {}
    unseen: dict[str, str] = {}

    def values(self, said: Mapping[str, str]) -> dict[str, str]:
        """Placeholder → what is put in its place: what was said, else the only name, and what follows from these."""
        only = {word: names[0] for word, names in self.names.items() if len(names) == 1}
        known = {**only, **said}
        count = self.partitions.get(known.get("TOPIC", ""))
        return {**({"PARTITIONS": str(count)} if count else {}), **known}

    def choices(self, said: Mapping[str, str]) -> dict[str, list[str]]:
        """Placeholder of which nothing was said → what it may stand for, where that is several."""
        found = {word: names for word, names in self.names.items() if len(names) > 1 and word not in said}
        if "TOPIC" in found and self.partitions and "PARTITIONS" not in said:
            found["PARTITIONS"] = [f"{count} for {topic}" for topic, count in sorted(self.partitions.items())]
        return found


class _Ends(Struct, frozen=True):
    """A link with both of its environments."""

    link: Mirror
    source: Target
    target: Target


def names_seen(
    procedure: Procedure, begun: Begun, inventory: Inventory, seconds: float, tell: Tell, only: Collection[str] = ()
) -> SeenNames:
    """The names that placeholders may stand for. What could not be seen is not there; without a link nothing is.

    Args:
        procedure: whose commands are to be filled in.
        begun: between which environments it is walked.
        inventory: with the link between them.
        seconds: for which a gate would wait; what has not answered in them, or in a few, is left open.
        tell: is told how far it is.
        only: these placeholders alone, if any are given.
    """
    links = [mirror for mirror in inventory.mirrors if (mirror.from_, mirror.to) == (begun.source, begun.target)]
    if not links:
        return SeenNames()
    ends = _Ends(links[0], inventory.targets[begun.source], inventory.targets[begun.target])
    words = {word for step in procedure.steps for word in placeholders(step.command)}
    words &= {*only} or words
    asked = {*({_FLOW} if words & (_KINDS | _BACK).keys() else ()), *({_TOPIC} if "TOPIC" in words else ())}
    answers = ask_all([ends.source, ends.target], sorted(asked), min(seconds, _MOST), follow=tell) if asked else {}
    found = {
        **(_connectors(procedure, ends, answers) if _FLOW in asked else {}),
        "TOPIC": sorted(_topics(ends, answers)) if _TOPIC in asked else [],
        "GROUP": [group for group in ends.link.groups if not _PATTERN.search(group)],
    }
    counts = _partitions(ends, answers, found["TOPIC"]) if "PARTITIONS" in words else {}
    names = {word: names for word, names in found.items() if names and word in words}
    return SeenNames(names, counts, _unseen(words, answers))


def naming_what_is_made(
    procedure: Procedure, begun: Begun, inventory: Inventory, seconds: float, tell: Tell, said: Mapping[str, str]
) -> Tell:
    """Tell on, and before a step that names what an earlier one has made, how that is called.

    Args:
        procedure: whose commands are to be filled in.
        begun: between which environments it is walked.
        inventory: with the link between them.
        seconds: as for `names_seen`.
        tell: is told.
        said: what was said of placeholders: of these nothing is asked.
    """

    def told(event: Event) -> None:
        words = placeholders(event.step.command) if isinstance(event, StepReached) else ()
        if any(word in _BACK and word not in said for word in words):
            seen = names_seen(procedure, begun, inventory, seconds, tell, _BACK)
            tell(NamesSeen(seen.values({}), seen.choices(said), seen.unseen))
        tell(event)

    return tell if begun.rehearsal else told


def _unseen(words: Collection[str], answers: Mapping[tuple[str, str], Fact]) -> dict[str, str]:
    """Why these placeholders stay open, where they do and something that should have told of them did not."""
    of = {**dict.fromkeys((*_KINDS, *_BACK), _FLOW), **dict.fromkeys(("TOPIC", "PARTITIONS"), _TOPIC)}
    reasons: dict[str, str] = {}
    for (environment, probe), fact in answers.items():
        for word in [word for word in words if of.get(word) == probe and fact.gaps]:
            reasons[word] = f"not seen at {environment}: {fact.gaps[0].reason}"  # the last is what takes over
    return reasons


def _connectors(procedure: Procedure, ends: _Ends, answers: Mapping[tuple[str, str], Fact]) -> dict[str, list[str]]:
    """The connectors of the flow whose workers the commands name: of the one that leads here, or back from here."""
    values = ends.link.constants()
    at_source = any(_AT_SOURCE.search(step.command) for step in procedure.steps)
    where = ends.source if at_source else ends.target
    alias = values["link.target_alias"] if at_source else values["link.alias"]
    return {
        **_of_flow(answers[where.name, _FLOW], alias, _KINDS),
        **_of_flow(answers[ends.target.name, _FLOW], values["link.alias"], _BACK),
    }


def _of_flow(flows: Fact, alias: str, words: Mapping[str, str]) -> dict[str, list[str]]:
    """The connectors that copy from this alias, by their words; none where not all of them were seen."""
    if not flows.complete:
        return {}
    return {
        word: sorted(row["connector"] for row in flows.rows() if _is(row, kind, alias)) for word, kind in words.items()
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


def _partitions(ends: _Ends, answers: Mapping[tuple[str, str], Fact], topics: Iterable[str]) -> dict[str, int]:
    """How many partitions each of these topics has: its mirror, which tells while the source is dark too, or itself."""
    prefix = ends.link.constants()["link.prefix"]
    there, here = (
        {row["name"]: row["partitions"] for row in answers[end.name, _TOPIC].rows("name", "partitions")}
        for end in (ends.target, ends.source)
    )
    counts = {topic: there.get(f"{prefix}{topic}") or here.get(topic) for topic in topics}
    return {topic: count for topic, count in counts.items() if count}


def _mirrored(topics: Fact, prefix: str) -> Iterator[str]:
    for row in topics.rows("name", "internal"):
        name = row["name"].removeprefix(prefix)
        if name != row["name"] and not row["internal"] and not name.endswith((".internal", "heartbeats")):
            yield name
