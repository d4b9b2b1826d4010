"""Links among the sources of a site: none may have the site show a file from elsewhere."""

from collections.abc import Iterable
from pathlib import Path

from runbook.model.errors import UsageError


def refuse_links_outside(root: Path, sources: Iterable[Path]) -> None:
    """Refuse links that lead out of a folder, or to something hidden in it such as `.git`.

    Whoever may propose a page may propose a link, and what it leads to would be on the site for everybody to read.

    Args:
        root: the folder of the project or checkout.
        sources: folders and files that the site is made of.

    Raises:
        UsageError: one does; with what to do.
    """
    for source in sources:
        seen: set[Path] = set()
        _look(source, root, (root.resolve(),))
        _look_below(source, root, (root.resolve(), source.resolve()), seen)


def _look_below(folder: Path, root: Path, allowed: tuple[Path, ...], seen: set[Path]) -> None:
    """Look at all that a folder holds; where a link leads to a folder, at what that one holds, too."""
    real = folder.resolve()
    if real in seen or not real.is_dir():
        return
    seen.add(real)
    for path in sorted(folder.iterdir()):
        _look(path, root, allowed)
        _look_below(path, root, allowed, seen)


def _look(path: Path, root: Path, allowed: tuple[Path, ...]) -> None:
    if path.is_symlink() and not any(_is_within(path.resolve(), folder) for folder in allowed):
        raise UsageError(
            f"{path} is a link to {path.readlink()}, which is no visible file of {root}: the site would show it to "
            "everybody. Put a copy there, if that is meant"
        )


def _is_within(target: Path, folder: Path) -> bool:
    return target.is_relative_to(folder) and not any(part.startswith(".") for part in target.relative_to(folder).parts)
