"""Patches of kustomize: they look like resources, and say only what differs from those."""

from collections.abc import Iterable, Iterator, Mapping
from os.path import normpath
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from runbook.answers.kubernetes.objects import labels, name
from runbook.answers.kubernetes.strimzi import CLUSTER
from runbook.answers.manifests import Marks, UnreadManifest

NAMES: Final = ("kustomization.yaml", "kustomization.yml")
_LISTS: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
Object = dict[str, Any]


class PatchFile(Struct, frozen=True):
    """A file of patches, and the kustomization that names it."""

    file: str
    named_in: str


def patch_files(value: Any, file: str) -> Iterator[PatchFile]:
    """The files that a kustomization takes as patches."""
    listed = [value.get(key) for key in _LISTS] if isinstance(value, Mapping) else []
    for patch in (each for patches in listed if isinstance(patches, list) for each in patches):
        path = patch.get("path") if isinstance(patch, Mapping) else patch
        if isinstance(path, str) and "\n" not in path:
            yield PatchFile(normpath(f"{Path(file).parent}/{path}"), file)


def without_patches(found: Iterable[Object], patches: Iterable[PatchFile]) -> tuple[list[Object], list[UnreadManifest]]:
    """The resources, and the patches among them, which can't be judged by themselves."""
    named = {each.file: each.named_in for each in patches}
    resources, unread = [], []
    for one in found:
        named_in = named.get(normpath(_file(one)))
        if named_in is None:
            resources.append(one)
        else:
            why = f"it is a patch of {named_in}: judge what kustomize build prints for the overlay instead"
            unread.append(not_judged(one, why))
    return resources, unread


def not_judged(one: Object, why: str) -> UnreadManifest:
    """A resource that was read, and can't be judged."""
    return UnreadManifest(
        one["marks"].start(),
        why,
        api=one["apiVersion"],
        kind=one["kind"],
        name=name(one),
        cluster=labels(one).get(CLUSTER, ""),
    )


def _file(one: Object) -> str:
    marks: Marks = one["marks"]
    return marks.start().file
