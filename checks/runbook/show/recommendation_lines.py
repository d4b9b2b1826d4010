"""Write recommendations: what to change first, with its formula and trade, then what is right, then what is unknown."""

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from runbook.judge.summary import counted
from runbook.safety.sanitize import sanitize_json
from runbook.terminal.columns import beside
from runbook.what_if.recommendations import Recommendations, Recommended

_NEXT: Final = "Nothing was changed. Change one, compare: runbook show throughput-latency#measure-then-change-one-thing"
_TOLD: Final = (
    ("trade", "costs"),
    ("warning", "careful"),
    ("formula", "formula"),
    ("inputs", "inputs"),
    ("place", "in force"),
    ("source", "source"),
)


def as_json(found: Sequence[Recommendations]) -> str:
    """All recommendations of all environments, for programs: `change` is null where it is not known."""
    return sanitize_json({"environments": [*map(msgspec.to_builtins, found)]})


def as_text(of: Recommendations) -> str:
    """What is recommended for one environment."""
    return "\n".join(_lines(of))


def _lines(of: Recommendations) -> Iterator[str]:
    yield beside(f"{of.environment}: ", f"{_answer(of.found)} (objectives: {' > '.join(of.ranking)})")
    changes, leave, unknown = ([one for one in of.found if one.change is word] for word in (True, False, None))
    for one in changes:
        yield ""
        yield beside(
            "change   ",
            f"{_named(one)}: {one.cells['in_force']} -> {one.cells['recommended']}, for {one.cells['objective']}",
        )
        yield from (beside(f"  {word:<9}", one.cells[cell]) for cell, word in _TOLD if one.cells[cell])
    if leave:
        yield ""
    for one in leave:
        yield beside("leave it ", f"{_named(one)}: {one.cells['in_force']}. {one.cells['inputs']}")
    if unknown or of.missing:
        yield ""
    for (subject, lacking), settings in _unknown(unknown).items():
        yield beside("unknown  ", f"{', '.join(settings)} of {subject}: {lacking}")
    yield from (beside("not seen ", reason) for reason in of.missing)
    if of.unkept:
        save = f"runbook check throughput-latency --save FILE --env {shlex.quote(of.environment)}"
        yield beside("", f"Save a bundle that holds what is needed: {save}")
    yield from (beside("none     ", reason) for reason in of.inapplicable)
    if changes:
        yield ""
        yield _NEXT


def _unknown(found: Sequence[Recommended]) -> dict[tuple[str, str], list[str]]:
    """Whose settings are not known, and why -> the settings, with what was computed of them."""
    grouped: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for one in found:
        computed = "" if one.cells["recommended"] is None else f" (computed: {one.cells['recommended']})"
        grouped[one.subject, one.cells["lacking"]].append(f"{one.cells['setting']}{computed}")
    return grouped


def _named(one: Recommended) -> str:
    return f"{one.cells['setting']} of {one.subject}"


def _answer(found: Sequence[Recommended]) -> str:
    if not found:
        return "nothing could be computed"
    changes, leave, unknown = (sum(one.change is word for one in found) for word in (True, False, None))
    right = "it is" if leave == 1 else "they are"
    return f"{counted(changes, 'setting')} to change, {leave} right as {right}, {unknown} not known"
