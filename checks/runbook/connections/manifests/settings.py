"""The inventory's settings for manifests."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from runbook.model.errors import Misconfigured, did_you_mean

SETTINGS: Final = {
    "paths": "a path or a list of them: files, folders (with all below them), or patterns such as deploy/*/kafka.yaml",
    "namespace": "the namespace that counts, where the files hold several; what names none is applied to it",
    "exclude": "a pattern or a list of them: files and folders that are not read, as in a .gitignore",
    "before": "a folder that holds the same paths as they were: a topic that was there, and is gone, is a change",
}
"""What each setting means; there are no others."""


class ManifestSettings(Struct, frozen=True):
    """Where manifests are.

    Attributes:
        paths: as the inventory lists them; a relative one is below the working directory.
        namespace: the one that counts; empty for all.
        exclude: patterns of files and folders that are not read.
        before: a folder that holds the same paths as they were; empty where that is not known.
    """

    paths: tuple[str, ...]
    namespace: str
    exclude: tuple[str, ...] = ()
    before: str = ""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "ManifestSettings":
        """Read the settings.

        Raises:
            Misconfigured: a setting is unknown or of the wrong type, or no path is given.
        """
        for name in settings:
            if name not in SETTINGS:
                raise Misconfigured(f'unknown setting "{name}" of manifests: {did_you_mean(name, list(SETTINGS))}')
        given = settings.get("paths")
        paths = [given] if isinstance(given, str) else given
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) and path for path in paths):
            raise Misconfigured(f"manifests needs `paths`: {SETTINGS['paths']}")
        namespace = settings.get("namespace", "")
        if not isinstance(namespace, str):
            raise Misconfigured(f"namespace of manifests must be text: {SETTINGS['namespace']}")
        before = settings.get("before", "")
        if not isinstance(before, str):
            raise Misconfigured(f"before of manifests must be text: {SETTINGS['before']}")
        return cls(tuple(paths), namespace, _patterns(settings.get("exclude", [])), before)


def _patterns(given: Any) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(each, str) and each.strip("/") for each in listed):
        raise Misconfigured(f"exclude of manifests must be text, or a list of it: {SETTINGS['exclude']}")
    return tuple(listed)
