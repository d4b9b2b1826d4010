"""Files that patterns leave out, as of --exclude: which they are, and how many a run did not read for them."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from runbook.parse.inventory import Target
from runbook.plugins.catalog import catalog

_NAMED = 3  # files that a note names: our judgement, the rest is counted
_SIGNS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)


def left_out(path: str, given: str, patterns: Sequence[str]) -> bool:
    """Whether a pattern leaves out a file, or a folder above it.

    As in a .gitignore: `*` and `?` stand for anything but a slash, `**` for folders as well; a pattern without a slash
    means a name in any folder, another one a path below the folder that was given, or below the working directory.

    Args:
        path: of the file, as it was found.
        given: the path or pattern by which it was found.
        patterns: of files or folders.
    """
    called = [os.path.normpath(path), os.path.relpath(path, given)]
    return any(_compiled(each).fullmatch(name.lstrip("/")) for each in patterns for name in called)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored, folder = "/" in pattern.rstrip("/"), pattern.endswith("/")
    signs = _SIGNS.findall(pattern.removeprefix("./").strip("/"))
    text = "".join(map(_sign, signs))
    return re.compile(f"{'' if anchored else '(?:.*/)?'}{text}{'/.*' if folder else '(?:/.*)?'}", re.DOTALL)


def _sign(sign: str) -> str:
    if sign[0] == "[" and len(sign) > 1:
        inside = sign[1:-1].replace("\\", r"\\").replace("[", r"\[")
        return f"[{'^' if inside[:1] == '!' else ''}{inside.removeprefix('!')}]"
    return {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(sign) or re.escape(sign)


def files_of(pattern: str, endings: Sequence[str], unlisted: Callable[[OSError], None] | None = None) -> list[Path]:
    """The files that a path or pattern means, sorted; in folders those of these endings that are not hidden.

    Links to files that stand there, too, are left out. What a folder that can't be listed costs, `unlisted` says.
    """
    path = Path(pattern).expanduser()
    patterns = glob(str(path), recursive=True) if has_magic(pattern) else [path]  # noqa: PTH207 - may be absolute
    matching = sorted(map(Path, patterns))
    return [file for path in matching for file in (_below(path, endings, unlisted) if path.is_dir() else [path])]


def _below(folder: Path, endings: Sequence[str], unlisted: Callable[[OSError], None] | None) -> list[Path]:
    found: dict[Path, Path] = {}
    for top, folders, files in os.walk(folder, onerror=unlisted):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for path in (Path(top) / file for file in files):
            if path.suffix in endings and not path.name.startswith(".") and path.is_file():
                at = path.resolve()
                found[at] = min(found.get(at, path), path, key=lambda each: (each.is_symlink(), each))
    return sorted(found.values())


def notes_of(target: Target) -> Iterator[str]:
    """What to say of the files that an environment's patterns leave out: how many, and the first of them."""
    known = catalog("allowed")
    for kind, settings in target.connections.items():
        said = known.load(kind) if kind in known else None
        paths, patterns = (_listed(settings.get(getattr(said, name, ""))) for name in ("PIPED", "LEFT_OUT"))
        if said is None or not patterns:
            continue
        listed = {file: path for path in paths for file in files_of(path, said.ENDINGS)}
        found = [file for file, path in listed.items() if left_out(str(file), path, patterns)]
        files = sorted(map(str, found))
        more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
        count = {0: "no file is", 1: "1 file is"}.get(len(files), f"{len(files)} files are")
        named = f": {', '.join(files[:_NAMED])}{more}" if files else ""
        yield f"{count} left out by exclude ({', '.join(patterns)}), and not read{named}"


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [each for each in value or [] if isinstance(each, str)]
