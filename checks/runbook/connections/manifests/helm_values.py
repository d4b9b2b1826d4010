"""Helm values of charts of Kafka among the files: whose they are, and whether others may be laid over them."""

from collections.abc import Callable, Iterable, Iterator
from os.path import commonpath
from pathlib import PurePath
from typing import Any, Final

from msgspec import Struct

from runbook.answers.manifests import UnreadManifest
from runbook.formats import bitnami, chart_kinds, confluent_chart
from runbook.formats.chart_kinds import BITNAMI, CONFLUENT, Found
from runbook.formats.chart_values import Values
from runbook.formats.statements import (
    PARTS,
    ClusterStated,
    ListenerStated,
    NodesStated,
    NotStated,
    Part,
    TopicStated,
)
from runbook.model.errors import FilePosition
from runbook.parse.yaml_document import Document

_TEMPLATES: Final = "templates"
_BELOW: Final = "charts"
_LAYERS: Final = "{} may be laid over it, or it over that (helm -f): list one file with what they come to"


class Charts(Struct, frozen=True):
    """Values of charts, by chart, and those that can't be read.

    Attributes:
        folders: charts that are there themselves, whose values are read: their templates say nothing more.
    """

    bitnami: list[Values] = []
    confluent: list[Values] = []
    lost: list[UnreadManifest] = []
    folders: frozenset[PurePath] = frozenset()

    def render(self, file: str) -> bool:
        """Whether a file is a template of a chart whose values are read."""
        above = PurePath(file).parents
        return any(folder / _TEMPLATES in above or folder / _BELOW in above for folder in self.folders)

    def clusters(self) -> list[ClusterStated]:
        """The clusters."""
        return [*map(bitnami.cluster, self.bitnami), *map(confluent_chart.cluster, self.confluent)]

    def topics(self) -> list[TopicStated]:
        """The topics."""
        return [topic for values in self.bitnami for topic in bitnami.topics(values)]

    def nodes(self) -> list[NodesStated | UnreadManifest]:
        """The nodes, and why those of a kind are not known."""
        return [*self._each(bitnami.nodes, confluent_chart.nodes)]

    def listeners(self) -> list[ListenerStated | UnreadManifest]:
        """The listeners, and why one is not known."""
        return [*self._each(bitnami.listeners, confluent_chart.listeners)]

    def unread(self, part: Part) -> Iterator[UnreadManifest]:
        """What of a part is not known."""
        yield from (each for each in self.lost if part in each.parts)
        for values in self.bitnami:
            why = {"topic": bitnami.topics_unmade, "right": bitnami.commands_unread}.get(part, _nothing)(values)
            if why:
                yield UnreadManifest(_position(values.place("provisioning")), why, parts=(part,))

    def _each(self, of_bitnami: Callable[[Values], Any], of_confluent: Callable[[Values], Any]) -> Iterator[Any]:
        for values, read in [(v, of_bitnami) for v in self.bitnami] + [(v, of_confluent) for v in self.confluent]:
            for one in read(values):
                if isinstance(one, NotStated):
                    yield UnreadManifest(_position(values.place()), str(one), parts=("cluster",))
                else:
                    yield one


def charts_in(documents: Iterable[Document]) -> Charts:
    """The values of charts that documents hold."""
    listed = [each for each in documents if isinstance(each.value, dict)]
    asked = {_folder(one): chart_kinds.dependencies(one.value) for one in listed if chart_kinds.is_chart(one.value)}
    found = [
        (one, each)
        for one in listed
        if not chart_kinds.is_chart(one.value) and not _is_of_part(_folder(one), {*asked})
        for each in chart_kinds.values_in(one.value, asked.get(_folder(one), []))
    ]
    readable = [(one, each) for one, each in found if not each.problem and not _is_off(one, each)]
    common = commonpath([_folder(one) for one, _ in readable]) if readable else ""
    made = [(each.chart, _values(one, each, readable, common)) for one, each in readable]
    return Charts(
        [values for chart, values in made if chart == BITNAMI],
        [values for chart, values in made if chart == CONFLUENT and not confluent_chart.is_off(values)],
        [UnreadManifest(one.key(each.path), each.problem, parts=PARTS) for one, each in found if each.problem],
        frozenset(_folder(one) for one, each in readable if not each.path and _folder(one) in asked),
    )


def _is_of_part(folder: PurePath, charts: set[PurePath]) -> bool:
    """Whether a folder is a chart below another one, whose values go before its own."""
    return folder in charts and folder.parent.name == _BELOW and folder.parent.parent in charts


def _values(document: Document, found: Found, all_found: list[tuple[Document, Found]], common: str) -> Values:
    """Values, which are called by their file below the folder that all have in common: so as in any commit."""
    said: Any = document.value
    for key in found.path:
        said = said[key]
    start = document.key(found.path)
    others = [
        one.start.file
        for one, each in all_found
        if (each.chart, each.path) == (found.chart, found.path) and one is not document and _may_layer(one, document)
    ]

    def place(*path: str | int) -> str:
        whole = (*found.path, *path)
        while whole != found.path and whole not in document.keys and whole not in document.values:
            whole = whole[:-1]
        return str(document.key(whole))

    return Values(
        name=" ".join([str(PurePath(document.start.file).relative_to(common)), *found.path]),
        source=f"{start.file}:{start.line}",
        said=said,
        place=place,
        major=found.major,
        layers=_LAYERS.format(", ".join(dict.fromkeys(others))) if others else "",
    )


def _is_off(document: Document, found: Found) -> bool:
    """Whether a chart above them turns it off, as is usual for one that has its Kafka elsewhere."""
    return bool(found.path) and document.value[found.path[0]].get("enabled") is False


def _may_layer(one: Document, other: Document) -> bool:
    """Whether two files of values stand in one folder, or one above the other."""
    first, second = sorted((_folder(one), _folder(other)), key=lambda folder: len(folder.parts))
    return second.is_relative_to(first)


def _folder(document: Document) -> PurePath:
    return PurePath(document.start.file).parent


def _nothing(values: Values) -> str:  # noqa: ARG001 - as the others have it
    return ""


def _position(place: str) -> FilePosition:
    found = FilePosition.read(place)
    assert found  # places are written so
    return found
