"""Topics of Strimzi that files declared before and no longer do: what prunes deletes them, with their records."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from runbook.answers.kubernetes.objects import name, part, text
from runbook.answers.kubernetes.strimzi import is_managed
from runbook.answers.manifests import UnreadManifest
from runbook.formats.statements import ChangeStated

BY: Final = "Strimzi"
_GROUP: Final = "kafka.strimzi.io"
_PLURAL: Final = "kafkatopics"
Object = dict[str, Any]


def topics_gone(
    before: Iterable[Object], now: Iterable[Object], lost: Iterable[UnreadManifest], folder: str
) -> list[ChangeStated]:
    """The topics whose resource is gone.

    Args:
        before: resources as they were, in files below a folder.
        now: resources as they are.
        lost: what can't be read of how they are: a topic that may stand there is not called gone.
        folder: where the files stand that were before.
    """
    held = [(name(one), _namespace(one)) for one in now if _is_topic(one)]
    hidden = {each.name for each in lost if each.may_be(_GROUP, _PLURAL)}
    return [
        _change(one, folder)
        for one in before
        if _is_topic(one) and is_managed(one) and not hidden & {"", name(one)} and not _held(one, held)
    ]


def _held(one: Object, held: Iterable[tuple[str, str]]) -> bool:
    """Whether it is there; a namespace that a resource does not say may be any."""
    mine = _namespace(one)
    return any(called == name(one) and (not mine or not other or mine == other) for called, other in held)


def _change(one: Object, folder: str) -> ChangeStated:
    return ChangeStated(
        by=BY,
        resource=name(one),
        namespace=_namespace(one),
        source=str(Path(one["source"]).relative_to(folder)),
        thing="topic",
        name=str(part(one, "spec").get("topicName") or name(one)),
        action="delete",
    )


def _is_topic(one: Object) -> bool:
    return one["kind"] == "KafkaTopic" and str(one["apiVersion"]).startswith(f"{_GROUP}/")


def _namespace(one: Object) -> str:
    return text(one, "metadata", "namespace")
