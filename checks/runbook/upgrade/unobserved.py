"""An inventory that calls absent what always exists, rewritten to say that nobody looks: who decided, and until when.

Entries move as they stand from `absent:` to `unobserved:` of their environment; all else stays, comments too.
"""

import datetime as dt
import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct

from runbook.evidence.named_file import write_named
from runbook.model.errors import UsageError
from runbook.parse.runbook import read_text
from runbook.parse.unobserved import ALWAYS_THERE, LONGEST
from runbook.upgrade.check_changes import Touched

_USUAL: Final = dt.timedelta(days=90)  # as long as a waiver lasts
_PLAIN: Final = re.compile(r"[A-Za-z][\w .'/()-]*[\w.)]")
"""A text that needs no quotes between braces."""


class Moved(Struct, frozen=True):
    """An entry that moved, or that has to: of which environment, and where it stood."""

    environment: str
    kind: str
    line: int


class _Edit(Struct, frozen=True, order=True):
    """What takes the place of some characters of the file."""

    first: int
    last: int
    text: str


def left_unobserved(path: Path, owner: str, until: str) -> list[Touched]:
    """What an inventory calls absent and always exists, as it is to be told: rewritten where it is said who decided.

    Args:
        path: the inventory.
        owner: who decided that nobody looks there; empty: nothing is rewritten.
        until: the last day on which that holds, as 2026-12-31; empty: 90 days ahead.

    Raises:
        UsageError: the day is none, or can't be taken, or the file is written so that only a person can rewrite it.
    """
    today = dt.datetime.now(dt.UTC).date()
    last = _day(until, today) if until else today + _USUAL
    moved = rewrite_inventory(path, owner, last) if owner else called_absent(path)
    done = f"it is called unobserved now, as {owner} decided, until {last}: look at it, and commit it"
    left = "every cluster has {}, so that it reads as unobserved: runbook upgrade --owner TEAM --until DATE rewrites it"
    return [
        Touched(
            f"{path}:{one.line}",
            f"absent.{one.kind} of {one.environment}",
            done if owner else left.format(ALWAYS_THERE[one.kind]),
            broken=False,
        )
        for one in moved
    ]


def _day(text: str, today: dt.date) -> dt.date:
    try:
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--until {text}: it is no date; write it as 2026-12-31") from error
    if not today <= day <= today + LONGEST:
        raise UsageError(f"--until {text}: a day from {today} to {today + LONGEST}")
    return day


def called_absent(path: Path) -> list[Moved]:
    """What an inventory calls absent and always exists."""
    return [moved for environment in _environments(_composed(path)) for moved, _, _ in _entries(*environment)]


def rewrite_inventory(path: Path, owner: str, until: dt.date) -> list[Moved]:
    """Rewrite an inventory where it stands; one of which nothing changes is not written.

    Args:
        path: the file.
        owner: who decided that nobody looks there.
        until: the last day on which that holds.

    Raises:
        UsageError: it is written so that only a person can, or can't be written.
    """
    text = read_text(path, str(path))
    moved: list[Moved] = []
    edits: list[_Edit] = []
    for name, fields in _environments(_composed(path)):
        found = [*_entries(name, fields)]
        moved += [one for one, _, _ in found]
        edits += _edits(text, fields, found, f"owner: {_inline(owner)}, until: {until}") if found else []
    if not moved:
        return []
    made = text
    for edit in sorted(edits, reverse=True):
        made = made[: edit.first] + edit.text + made[edit.last :]
    if yaml.safe_load(made) != _meant(yaml.safe_load(text), moved, owner, until):
        raise UsageError(f"{path} can't be rewritten as it is written: {_by_hand(moved)}")
    try:
        write_named(path, made.encode("utf-8"), stat.S_IMODE(path.stat().st_mode))
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from error
    return moved


def _by_hand(moved: list[Moved]) -> str:
    kinds = ", ".join(dict.fromkeys(one.kind for one in moved))
    return f"move {kinds} from absent: to unobserved: yourself, each as {{because: …, owner: …, until: …}}"


def _composed(path: Path) -> Any:
    try:
        return yaml.compose(read_text(path, str(path)), Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None


def _fields(node: Any) -> dict[str, tuple[Any, Any]]:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return {str(key.value): (key, value) for key, value in pairs}


def _environments(whole: Any) -> Iterator[tuple[str, dict[str, tuple[Any, Any]]]]:
    _, environments = _fields(whole).get("environments", (None, None))
    for name, (_, entry) in _fields(environments).items():
        yield name, _fields(entry)


def _entries(name: str, fields: dict[str, tuple[Any, Any]]) -> Iterator[tuple[Moved, Any, Any]]:
    _, absent = fields.get("absent", (None, None))
    for kind, (key, value) in _fields(absent).items():
        if kind in ALWAYS_THERE and isinstance(value, yaml.ScalarNode) and value.value:
            yield Moved(name, kind, key.start_mark.line + 1), key, value


def _edits(
    text: str, fields: dict[str, tuple[Any, Any]], found: list[tuple[Moved, Any, Any]], signed: str
) -> Iterator[_Edit]:
    """What takes entries out of `absent`, and puts them under `unobserved`."""
    key, absent = fields["absent"]
    entries = [f"{moved.kind}: {{because: {_inline(value.value)}, {signed}}}" for moved, _, value in found]
    remarks = [_remark(text, value) if not absent.flow_style else "" for _, _, value in found]
    gone = {moved.kind for moved, _, _ in found}
    stay = [(one, value) for one, value in absent.value if one.value not in gone]
    _, given = fields.get("unobserved", (None, None))
    indent = " " * key.start_mark.column
    if absent.flow_style:
        left = ", ".join(text[one.start_mark.index : value.end_mark.index] for one, value in stay)
        first, last = (absent.start_mark.index, absent.end_mark.index) if stay else _lines(text, key, absent)
        yield _Edit(first, last, f"{{{left}}}" if stay else "")
        at = text.find("\n", absent.end_mark.index) + 1 or len(text)
    else:
        for _, one, value in found if stay else []:
            yield _Edit(*_lines(text, one, value), "")
        first, last = _lines(text, key, absent.value[-1][1])
        if not stay:
            yield _Edit(first, last, "")
        at = last
    end = "" if text[: at if stay else first].endswith("\n") else "\n"
    if given is None:
        block = "".join(f"{indent}  {entry}{said}\n" for entry, said in zip(entries, remarks, strict=True))
        yield _Edit(at, at, f"{end}{indent}unobserved:\n{block}")
    elif given.flow_style:
        yield _Edit(given.end_mark.index - 1, given.end_mark.index - 1, "".join(f", {entry}" for entry in entries))
    else:
        first_key, last_value = given.value[0][0], given.value[-1][1]
        _, after = _lines(text, first_key, last_value)
        below = " " * first_key.start_mark.column
        block = "".join(f"{below}{entry}{said}\n" for entry, said in zip(entries, remarks, strict=True))
        yield _Edit(after, after, block)


def _remark(text: str, value: Any) -> str:
    """The comment that stands behind a value, on its line."""
    end = value.end_mark.index
    rest = "" if text[:end].endswith("\n") else text[end:].partition("\n")[0].strip()
    return f"   {rest}" if rest.startswith("#") else ""


def _lines(text: str, key: Any, value: Any) -> tuple[int, int]:
    """The whole lines from a key to the end of its value."""
    first = text.rfind("\n", 0, key.start_mark.index) + 1
    end = value.end_mark.index
    if text[:end].endswith("\n"):  # of a block, that is where the next one begins
        end -= 1
    return first, text.find("\n", end) + 1 or len(text)


def _inline(text: str) -> str:
    """A text as it may stand between braces."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _meant(whole: Any, moved: list[Moved], owner: str, until: dt.date) -> Any:
    """The inventory as it is to be read afterwards."""
    for one in moved:
        entry = whole["environments"][one.environment]
        because = entry["absent"].pop(one.kind)
        entry.setdefault("unobserved", {})[one.kind] = {"because": because, "owner": owner, "until": until}
        if not entry["absent"]:
            del entry["absent"]
    return whole
