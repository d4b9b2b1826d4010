"""Reads what files declare; of everything that they hold only resources are looked at."""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from runbook.answers.kubernetes.objects import Absent, name, part, text
from runbook.answers.manifests import ENDINGS, Marks, UnreadManifest
from runbook.connections._local_files import content, first_bytes, from_os, is_file, plain_text, regular
from runbook.connections._memory import Memory
from runbook.connections.manifests import stated
from runbook.connections.manifests.altered import altered_since
from runbook.connections.manifests.charts import by_chart
from runbook.connections.manifests.documents import documents, not_read, too_large, undecoded
from runbook.connections.manifests.gone import GROUP, Held, Since, gone_since
from runbook.connections.manifests.helm_values import Charts, charts_in
from runbook.connections.manifests.patches import NAMES, PatchFile, not_judged, patch_files, without_patches
from runbook.connections.manifests.settings import ManifestSettings
from runbook.connections.manifests.stated import Contents, PlanFile, SourceBlock
from runbook.folders import PIPED
from runbook.formats.statements import (
    PARTS,
    ChangeStated,
    ClusterStated,
    ListenerStated,
    NodesStated,
    Part,
    RightStated,
    TopicStated,
)
from runbook.formats.terraform_plan import binary, read_plan, resources_of
from runbook.formats.unread_declarations import parts
from runbook.model.errors import CannotLook, FilePosition, Garbled, NotThere, NoTurn
from runbook.model.probe import Deadline
from runbook.parse.yaml_document import Document
from runbook.recording.question import question
from runbook.run.sources.left_out_files import files_of, left_out

_SETTING: Final = "manifests"  # what the inventory calls this connection
_SOURCE: Final = ".tf"
_NEARLY: Final = 0.8
"""How like another group one has to be to be taken for it: our judgement, two letters of the name of Strimzi's."""
MOST_FILES: Final = 5_000
"""Of all paths together: our judgement, ten times what the largest repositories of manifests hold."""
LARGEST: Final = 16 << 20
"""Bytes of one file that are read: our judgement, a rendered chart has some megabytes at most."""

_HEAD: Final = 1 << 16
"""Bytes of a larger file by which a plan is known: its first keys are its versions, our judgement."""

Object = dict[str, Any]


class Manifests:
    """The resources that the inventory's files declare, each with the place where it stands."""

    def __init__(self, settings: ManifestSettings, clock: Deadline) -> None:
        """Prepare; nothing is opened before the first question."""
        self._settings = settings
        self.clock = clock
        self._memory = Memory()

    def close(self) -> None:
        """Nothing is kept open."""

    def custom(self, group: str, resource: str) -> tuple[str, list[Object]]:
        """Return all resources of a kind, in the order of the files; the version is each resource's own.

        Each has its place under `source`, as FILE:LINE, and those of its fields under `marks`, beside what it
        declares. A `status` is what some cluster once said, and is left out.

        Raises:
            Absent: the files declare none.
            CannotLook: the files can't be looked through.
        """
        chosen, lost = self._chosen(group, resource), self.lost(group, resource)
        if not chosen and not lost:
            raise Absent(f"the manifests declare no {resource}.{group}")
        places = Counter(map(_key, chosen))
        return "", [item for item in chosen if places[_key(item)] == 1]

    def lost(self, group: str, resource: str) -> list[UnreadManifest]:
        """What may declare a resource of a kind and can't be read, or is not clear, as it stands there twice."""
        twice: dict[tuple[str, str], list[Object]] = {}
        for item in self._chosen(group, resource):
            twice.setdefault(_key(item), []).append(item)
        unclear = [_unclear(*items[:2]) for items in twice.values() if len(items) > 1]
        return [each for each in self._read().lost if each.may_be(group, resource)] + unclear

    def others(self, group: str, known: Collection[str]) -> list[Object]:
        """Resources of the group that are of none of these kinds; and of these in a group that is called nearly so."""
        kinds = {kind.lower() for kind in known}
        found = self._read().found
        near = set(get_close_matches(group, {_group(item) for item in found} - {group}, cutoff=_NEARLY))
        strange = [item for item in found if _group(item) == group and _plural(item) not in kinds]
        return strange + [item for item in found if _group(item) in near and _plural(item) in kinds]

    def topics(self) -> list[TopicStated]:
        """The topics that files declare by other tools than Strimzi."""
        return stated.topics(self._read())

    def rights(self) -> list[RightStated]:
        """The rules that they declare by others."""
        return stated.rights(self._read())

    def settings(self) -> list[ClusterStated]:
        """Settings of brokers that they declare by others."""
        return stated.settings(self._read())

    def access(self) -> list[ClusterStated]:
        """How clients get into clusters that they declare by others."""
        return stated.access(self._read())

    def nodes(self) -> list[NodesStated | UnreadManifest]:
        """Nodes that values of charts declare."""
        return self._read().charts.nodes()

    def listeners(self) -> list[ListenerStated | UnreadManifest]:
        """Listeners that they declare."""
        return self._read().charts.listeners()

    def changes(self) -> list[ChangeStated]:
        """What becomes of topics, clusters and what else runs when the files are applied."""
        return stated.changes(self._read()) + self._since().changes

    def unclear(self) -> list[UnreadManifest]:
        """What may hold a resource that seems to be gone, and can't be read."""
        return self._since().unclear

    def unread(self, part: Part) -> list[UnreadManifest]:
        """What declares a part of Kafka in a way that is not read here, or can't be read."""
        return stated.unread(self._read(), part)

    def _chosen(self, group: str, resource: str) -> list[Object]:
        return self._memory.once("kinds", self._by_kind).get((group, resource), [])

    def _by_kind(self) -> dict[tuple[str, str], list[Object]]:
        found: dict[tuple[str, str], list[Object]] = {}
        for item in self._read().found:
            found.setdefault((_group(item), _plural(item)), []).append(item)
        return found

    def _read(self) -> Contents:
        return self._memory.once("all", self._all)

    def _all(self) -> Contents:
        read = [each for file in self._files() for each in self._resources(file)]
        lost = [each for each in read if isinstance(each, UnreadManifest)]
        plans = [each for each in read if isinstance(each, PlanFile)]
        sources = [each for each in read if isinstance(each, SourceBlock)]
        charts = charts_in(each for each in read if isinstance(each, Document))
        found, patches = _resources_in(read)
        lost = [each for each in lost if not charts.render(each.place.file)]
        lost = by_chart([*lost, *patches], lambda file: is_file(file, self.clock))
        if not (found or lost or plans or sources or charts != Charts() or self._before()):
            what = "no resource of Kubernetes or jikkou, no plan of Terraform, and no values of a chart of Kafka"
            paths = ["stdin" if Path(path).name == PIPED else path for path in self._settings.paths]
            raise Garbled(f"{', '.join(paths)}: there is {what} in it")
        named = {_namespace(item) for item in found} - {""}
        wanted = self._settings.namespace or (named.pop() if len(named) == 1 else "")
        placed = [_placed(item, wanted) for item in found]
        chosen = [item for item in placed if not self._settings.namespace or _namespace(item) == wanted]
        others = [item for item in chosen if _group(item) != GROUP]
        return Contents(chosen, others, lost, plans, sources, charts)

    def _since(self) -> Since:
        """What became of Strimzi's resources since the files were as before."""
        return self._memory.once("since", self._compared)

    def _compared(self) -> Since:
        folder, wanted = self._settings.before, self._settings.namespace
        before = [item for item in self._before() if not wanted or _namespace(item) in ("", wanted)]
        if not before:
            return Since([], [])
        was, now = Held(before), Held(self._read().found)
        gone = gone_since(was, now, self._read().lost, folder)
        altered = altered_since(was, now)
        return Since(gone.changes + altered.changes, gone.unclear + altered.unclear)

    def _before(self) -> list[Object]:
        """The resources of files that changed since; none where nothing says how they were."""
        return self._memory.once("before", self._changed)

    def _changed(self) -> list[Object]:
        folder = self._settings.before
        found: list[Any] = []
        for pattern in self._settings.paths if folder else ():
            for file in self._were(pattern):
                now = file.relative_to(folder)
                if not left_out(str(now), pattern, self._settings.exclude) and not self._as_before(file, now):
                    found += self._resources(file)
        return _resources_in(found)[0]

    def _were(self, pattern: str) -> list[Path]:
        """The files that a path meant before; none where that is not known."""
        with suppress(NotThere):
            files = map(Path, _meant(f"{self._settings.before}/{pattern}", self.clock))
            return [file for file in files if is_file(file, self.clock)]
        return []

    def _are(self, pattern: str) -> list[str]:
        """The files that a path means; none if all that it meant before is gone.

        Raises:
            CannotLook: it never meant any.
        """
        if not self._settings.before or not self._were(pattern):
            return _meant(pattern, self.clock)
        with suppress(NotThere):
            files = _meant(pattern, self.clock)
            return files if len(files) > 1 or is_file(Path(files[0]), self.clock) else []
        return []

    def _as_before(self, file: Path, now: Path) -> bool:
        with suppress(CannotLook):
            if regular(file, _SETTING, self.clock).size == regular(now, _SETTING, self.clock).size <= LARGEST:
                return content(file, _SETTING, self.clock) == content(now, _SETTING, self.clock)
        return False

    def _files(self) -> list[Path]:
        """The files that the paths mean, each once.

        Raises:
            CannotLook: a path means none, or too many.
        """
        found: dict[Path, None] = {}
        for pattern in self._settings.paths:
            for file in self._are(pattern):
                if not left_out(file, pattern, self._settings.exclude):
                    found[Path(file)] = None
                if len(found) > MOST_FILES:
                    raise Garbled(f"{pattern} holds more than {MOST_FILES} files: list fewer under `{_SETTING}:`")
        if not found and self._settings.exclude:
            raise Garbled(f"{', '.join(self._settings.exclude)} leaves out every file: there is nothing to judge")
        return list(found)

    def _resources(
        self, file: Path
    ) -> Iterator[Object | UnreadManifest | PlanFile | SourceBlock | PatchFile | Document]:
        if self.clock.left() <= 0:
            raise NoTurn(f"there was no time left to read {file}")
        shown = "stdin" if file.name == PIPED else str(file)
        held = b""
        try:
            size = regular(file, _SETTING, self.clock).size
            held = content(file, _SETTING, self.clock) if size <= LARGEST else b""
            mistaken = binary(held)
            whole = "" if mistaken else plain_text(file, held)
        except Garbled as error:
            yield from undecoded(held, shown, str(error))
            return
        if size > LARGEST:
            yield too_large(shown, size, LARGEST, first_bytes(file, _HEAD, _SETTING, self.clock))
            return
        plan = mistaken or read_plan(whole)
        if isinstance(plan, str):
            yield UnreadManifest(FilePosition(shown), plan, parts=PARTS)
        elif plan is not None:
            yield PlanFile(shown, plan)
        elif file.suffix == _SOURCE:
            yield from (SourceBlock(FilePosition(shown, line), kind, name) for kind, name, line in resources_of(whole))
        else:
            yield from _in_documents(whole, shown)


def _resources_in(read: list[Any]) -> tuple[list[Object], list[UnreadManifest]]:
    patches = [each for each in read if isinstance(each, PatchFile)]
    return without_patches([each for each in read if isinstance(each, dict)], patches)


def _in_documents(whole: str, shown: str) -> Iterator[Object | UnreadManifest | PatchFile | Document]:
    for document in documents(whole, shown):
        if isinstance(document, UnreadManifest):
            yield document
            continue
        if Path(shown).name in NAMES:
            yield from patch_files(document.value, shown)
        if strange := parts(document.value):
            place = document.key(("kind",)) if "kind" in document.value else document.start
            yield UnreadManifest(place, not_read(strange[0]), parts=strange[1])
        elif isinstance(document.value, dict) and "kind" not in document.value:
            yield document
        yield from _declared(document.value, document, ())


@question("manifests")
def _meant(pattern: str, clock: Deadline) -> list[str]:  # noqa: ARG001 - the clock has the tape
    """The files that a path of the inventory means, by name.

    Raises:
        CannotLook: there is none.
    """
    files = files_of(pattern, ENDINGS, _not_listed)
    if not files:
        raise NotThere(f"{pattern} means no file that ends in {', '.join(ENDINGS)}: correct it under `{_SETTING}:`")
    return [str(file) for file in files]


def _not_listed(error: OSError) -> None:
    raise from_os(error, Path(str(error.filename)), _SETTING) from None


def _declared(value: Any, document: Document, path: tuple[str | int, ...]) -> Iterator[Object | UnreadManifest]:
    """The resources of a document: itself, or those of a list; what is no resource at all is passed over."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return
    version = value.get("apiVersion")
    if not isinstance(version, str):
        return
    if value["kind"].endswith("List") and isinstance(value.get("items"), list):
        # Items of a list of one kind need not say it again.
        given = {} if value["kind"] == "List" else {"apiVersion": version, "kind": value["kind"].removesuffix("List")}
        for place, item in enumerate(value["items"]):
            one = {**given, **item} if isinstance(item, dict) else item
            yield from _declared(one, document, (*path, "items", place))
        return
    marks = Marks(document, path)
    wrong = _unnamed(value.get("metadata"))
    if wrong is not None:
        stands = document.key((*path, "metadata", *wrong))
        why = f"{'.'.join(['metadata', *wrong])} is of another type than kubectl takes"
        yield UnreadManifest(stands, why, api=version, kind=value["kind"])
        return
    plain = {key: each for key, each in value.items() if key != "status"}
    yield plain | {"source": marks.at(()).rpartition(":")[0], "marks": marks}


def _unclear(first: Object, second: Object) -> UnreadManifest:
    """Two of one kind and name in one namespace: which of them counts is not known."""
    why = f"it stands in {first['source']}, too: list fewer paths, set namespace, or give each an environment"
    return not_judged(second, why)


def _unnamed(metadata: Any) -> list[str] | None:
    """The path in metadata of what keeps a resource from being named, if anything does."""
    if metadata is None:
        return None
    if not isinstance(metadata, dict):
        return []
    kinds = {"name": str, "namespace": str, "labels": dict, "annotations": dict}
    wrong = [key for key, kind in kinds.items() if not isinstance(metadata.get(key), kind | None)]
    return wrong[:1] or None


def _namespace(one: Object) -> str:
    return text(one, "metadata", "namespace")


def _placed(one: Object, namespace: str) -> Object:
    """A resource in the namespace that it names, else in the one that it is applied to, as far as that is known."""
    if _namespace(one) or not namespace:
        return one
    return one | {"metadata": part(one, "metadata") | {"namespace": namespace}}


def _key(one: Object) -> tuple[str, str]:
    return _namespace(one), name(one)


def _group(one: Object) -> str:
    return str(one["apiVersion"]).partition("/")[0]


def _plural(one: Object) -> str:
    return f"{str(one['kind']).lower()}s"
