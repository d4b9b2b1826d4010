"""What the settings of a site have MkDocs run: hooks, plugins' scripts, templates of its theme, notebooks.

Each plugin has names of its own for such files, so that whatever the settings name is taken for code.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from runbook.model.errors import UsageError

_UNNAMED: Final = ("docs", "main.py")
"""What is read though no setting names it: pages, with notebooks among them, and the module of mkdocs-macros."""

_NO_CODE: Final = frozenset({"extra", "nav", "site_dir"})
"""Settings of data, of pages, and of what the build writes."""


class _Settings(yaml.SafeLoader):
    """Reads MkDocs' settings, and follows none of their tags: `!!python/name:` imports what it names."""


_Settings.add_multi_constructor("", lambda *_: None)


def named_by(settings: Path) -> Iterator[Path]:
    """The files and folders that MkDocs' settings name, and that are there.

    Raises:
        UsageError: they are no YAML.
    """
    try:
        content = yaml.load(settings.read_text(encoding="utf-8"), _Settings)  # noqa: S506 - it is a SafeLoader
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{settings} can't be read: {error}") from error
    kept = {name: value for name, value in content.items() if name not in _NO_CODE} if isinstance(content, dict) else {}
    folder = settings.parent
    for text in dict.fromkeys([*_UNNAMED, *_texts(kept)]):
        for place in (folder / text, folder / f"{text}.py"):
            try:
                is_there = place.exists() and place.resolve() not in (folder.resolve(), *folder.resolve().parents)
            except (OSError, ValueError):  # no name that a file can have
                continue
            if is_there:
                yield place


def _texts(value: Any) -> Iterator[str]:
    """The texts that stand anywhere in a value."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from (*_texts(name), *_texts(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value
