"""Values of a Helm chart: what they say, what the chart itself adds, and what stays open.

What values leave out has the chart's own default, but only if no other file may be laid over them. A text with an
action of a template is not known, as it depends on the release.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct

from runbook.formats.java_properties import read_properties
from runbook.formats.jvm_options import JvmOptions
from runbook.formats.nested import part_of
from runbook.formats.statements import NotStated, setting_text, whole_number

T = TypeVar("T")
_ACTION: Final = "{{"
_GREATEST: Final = 1_000_000
"""Of pods, volumes, partitions and ports: our judgement, more than Kubernetes or Kafka can have."""
SETTINGS: Final = {
    "default_replication": "default.replication.factor",
    "min_insync": "min.insync.replicas",
    "unclean_election": "unclean.leader.election.enable",
    "auto_create": "auto.create.topics.enable",
    "allows_unlisted": "allow.everyone.if.no.acl.found",
    "offsets_replication": "offsets.topic.replication.factor",
    "authorization": "authorizer.class.name",
    "super_users": "super.users",
}
"""What is told of a declared cluster → the setting of its brokers that says it."""


class Values(Struct, frozen=True):
    """Values, or the part of them that is meant for a chart below another.

    Attributes:
        name: what findings call the cluster: the file, and the key of the part.
        source: FILE:LINE.
        said: what they say.
        place: FILE:LINE:COLUMN of a path.
        major: the chart's first release number, as a Chart.yaml beside has it; None where none has.
        layers: why what they leave out is not known; empty where the chart's default counts.
    """

    name: str
    source: str
    said: Mapping[str, Any]
    place: Callable[..., str]
    major: int | None = None
    layers: str = ""

    def has(self, *path: str) -> bool:
        """Whether they say it; nothing counts as not said, as it does to Helm."""
        return self.given(*path) is not None

    def given(self, *path: str) -> Any:
        """What they say, as it stands there; None where they say nothing."""
        return part_of(self.said, *path[:-1]).get(path[-1])

    def get(self, *path: str, default: Any = None) -> Any:
        """What they say; else the chart's default, None for none of that kind.

        Raises:
            NotStated: it is not known.
        """
        if not self.has(*path):
            return self.unless_layered(default, *path)
        value = self.given(*path)
        if isinstance(value, str) and _ACTION in value:
            raise NotStated(f"{'.'.join(path)} is a template, which depends on the release")
        return value

    def unless_layered(self, value: T, *path: str) -> T:
        """A default of the chart.

        Raises:
            NotStated: other values may say it.
        """
        if self.layers:
            raise NotStated(f"{'.'.join(path)} is not set here: {self.layers}")
        return value

    def number(self, *path: str, default: int) -> int:
        """A whole number.

        Raises:
            NotStated: it is not known, or none.
        """
        found = small_number(self.get(*path, default=default))
        if found is None:
            raise NotStated(f"{'.'.join(path)} is no whole number")
        return found

    def flag(self, *path: str, default: bool) -> bool:
        """Whether something is turned on."""
        value = self.get(*path, default=default)
        return setting_text(value) == "true" if isinstance(value, str) else bool(value)

    def part(self, *path: str) -> dict[str, Any]:
        """An object; an empty one where there is none."""
        found = self.get(*path, default={})
        return dict(found) if isinstance(found, Mapping) else {}

    def text(self, *path: str, default: str = "") -> str:
        """A text, also of what is no text."""
        return setting_text(self.get(*path, default=default))


def small_number(value: Any) -> int | None:
    """A whole number of usual size; None for anything else."""
    found = whole_number(value)
    return found if found is not None and abs(found) <= _GREATEST else None


class Open:
    """Collects why something is not known."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.reasons: list[str] = []

    def known(self, read: Callable[[], T]) -> T | None:
        """What is read; None where that is not known."""
        try:
            return read()
        except NotStated as reason:
            self.reasons.append(str(reason))
            return None


DEFAULTS: Final[Mapping[str, str]] = {
    "default.replication.factor": "1",
    "min.insync.replicas": "1",
    "unclean.leader.election.enable": "false",
    "auto.create.topics.enable": "true",
    "allow.everyone.if.no.acl.found": "false",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "authorizer.class.name": "",
    "super.users": "",
}
"""Kafka's own defaults of what is judged: neither chart sets another, but for what its reader says."""


def as_settings(given: Any) -> dict[str, str | None]:
    """Settings as values have them: an object, or the text of a file of properties; None for what a template gives."""
    if isinstance(given, str):
        given = {each.name: each.value for each in read_properties(given)}
    items = given.items() if isinstance(given, Mapping) else ()
    texts = {str(name): setting_text(value) for name, value in items if value is not None}
    return {name: None if _ACTION in text else text for name, text in texts.items()}


def evictable(replicas: int, least: Any, most: Any) -> int:
    """Pods that a disruption budget lets go at once, of a number or a share that is rounded as Kubernetes does."""
    if least not in (None, ""):
        return replicas - _share(least, replicas)
    return _share(most or 1, replicas)


def _share(value: Any, replicas: int) -> int:
    text = str(value)
    if text.endswith("%") and text[:-1].isdecimal() and len(text) <= len("100%"):
        return -(-replicas * int(text[:-1]) // 100)
    found = small_number(value)
    if found is None:
        raise NotStated(f"{text[:20]} is no number of pods")
    return found


def heap_of(options: str, limit: int | None) -> tuple[int, int]:
    """Least and greatest heap in bytes of a text of options, in a container with a limit of memory; 0 for not set.

    Raises:
        NotStated: it is a share of a limit that is not known.
    """
    said = JvmOptions(["java", *options.split()])
    return said.heap_min or _of_limit(options, "Initial", limit), said.heap_max or _of_limit(options, "Max", limit)


def _of_limit(options: str, which: str, limit: int | None) -> int:
    found = re.findall(rf"-XX:{which}RAMPercentage=([0-9]{{1,3}}(?:\.[0-9]{{1,6}})?)", options)
    if not found:
        return 0
    if limit is None:
        raise NotStated("the heap is a share of the memory, whose limit is not known")
    return int(limit * float(found[-1]) / 100)


def unclear(config: Mapping[str, str | None], layers: str) -> list[str]:
    """Why settings that are None are not known."""
    names = [name for name, value in config.items() if value is None]
    return [f"{', '.join(names)}: {layers or 'a template, or set where it is not read'}"] if names else []


def release_of(rules: Any, label: str) -> str:
    """The name of the release that rules of placement ask for by a label of pods; empty where they name none.

    Values do not say what their release is called: rules that name one are taken to mean their own.
    """
    if isinstance(rules, list):
        return next(filter(None, (release_of(each, label) for each in rules)), "")
    if not isinstance(rules, Mapping):
        return ""
    given = rules.get("values")
    if rules.get("key") == label and isinstance(given, list) and given:
        return str(given[0])
    named = part_of(rules, "matchLabels").get(label)
    return str(named) if named else release_of([*rules.values()], label)
