"""The table of all procedures: which were walked on real systems, right and wrong, and what that came to."""

from collections.abc import Iterable, Iterator

import yaml

from support.kept_walks import FOLDER, NOT_LIVE, Counted, KeptWalk, kept, procedures, text_of, why_unnoticed
from support.made_page import RECORDS, MadePage
from support.repeating import Interrupted, Repeating

PAGE = MadePage(RECORDS / "walks.md", "<!-- walks: made by tests/benchmarks/walks.py -->", "<!-- end of walks -->")
REASONS = FOLDER / "not_walked.yaml"
"""Procedure → why nobody has walked it here."""
AT_STAKE = FOLDER / "at_stake.yaml"
"""Procedure that can lose records or shut clients out, done wrong → what is at stake."""
_HEAD = ("procedure", "way", "where", "day", "seconds", "left out: noticed", "not noticed", "records", "lost", "twice")

_KINDS = {"A look": "looks", "A wait": "waits, which the gate behind them makes", "People": "decisions of people"}
"""How the reason begins of a step that changes nothing → what it is."""

_HEAD_AT_STAKE = (
    *("can lose records or shut clients out", "what is at stake"),
    *("steps left out", "of", "never left out", "each step twice", "a broker killed in each"),
)


def reasons() -> dict[str, str]:
    """Why procedures were not walked here."""
    found: dict[str, str] = yaml.safe_load(REASONS.read_text("utf-8"))
    return found


def at_stake() -> dict[str, str]:
    """What procedures can cost that are done wrong."""
    found: dict[str, str] = yaml.safe_load(AT_STAKE.read_text("utf-8"))
    return found


def unnoticed(name: str) -> list[int]:
    """The steps of a procedure that a kept walk left out and nothing noticed."""
    return sorted({step for walk in kept(name) for step, by in walk.noticed.items() if not by})


def lines() -> Iterator[str]:
    """The tables, and their sums before them."""
    known, why = procedures(), reasons()
    walks = {name: kept(name) for name in known}
    walked = [name for name, found in walks.items() if found]
    yield from _sums(walks)
    yield ""
    yield "| " + " | ".join(_HEAD) + " |"
    yield "|" + "---|" * len(_HEAD)
    for name in walked:
        text = text_of(name, known[name])
        yield from (_line(name, walk, changed=walk.text != text) for walk in walks[name])
    yield ""
    yield "| not noticed when left out | why |"
    yield "|---|---|"
    told = why_unnoticed()
    yield from (f"| `{name}`, step {step} | {told[name][step]} |" for name in walked for step in unnoticed(name))
    yield ""
    yield "| " + " | ".join(_HEAD_AT_STAKE) + " |"
    yield "|" + "---|" * len(_HEAD_AT_STAKE)
    yield from (_wrong(name, stake, len(known[name].steps)) for name, stake in at_stake().items())
    if left := [name for name in known if name not in walked]:
        yield ""
        yield "| not walked | why |"
        yield "|---|---|"
        yield from (f"| `{name}` | {why[name]} |" for name in left)


def _sums(walks: dict[str, list[KeptWalk]]) -> Iterator[str]:
    live = {name: [walk for walk in found if NOT_LIVE not in walk.where] for name, found in walks.items()}
    every = [walk for found in live.values() for walk in found]
    left_out = [by for walk in every for by in walk.noticed.values()]
    records = [walk.records for walk in every if walk.records]
    right = sum(any(walk.way.startswith("right") for walk in found) for found in live.values())
    acknowledged = sum(record.acknowledged for record in records)
    walked = sum(walk.times for walk in every)
    noticed = sum(map(bool, left_out))
    yield f"{right} of {len(walks)} procedures were walked right, and {walked} walks are recorded."
    yield f"{len(left_out)} steps were left out: {noticed} were noticed by a gate, or by the command of a later step;"
    yield f"{len(left_out) - noticed} were not. {acknowledged:,} numbered records were acknowledged meanwhile."
    yield _unnoticed_by_kind([name for name, found in live.items() if found])
    if replayed := [name for name, found in walks.items() if found and not live[name]]:
        told = ", ".join(f"`{name}`" for name in replayed)
        yield f"Told below, and counted in none of these sums, as a part of each walk is replayed and not live: {told}."


def _unnoticed_by_kind(names: Iterable[str]) -> str:
    """What the different steps are that nothing noticed: most of them change nothing."""
    why = why_unnoticed()
    reasons = [why[name][step] for name in names for step in unnoticed(name)]
    kinds = {kind: sum(reason.startswith(begins) for reason in reasons) for begins, kind in _KINDS.items()}
    told = [f"{count} {kind}" for kind, count in kinds.items()] + [f"and {len(reasons) - sum(kinds.values())} others"]
    return f"Those that were not are {len(reasons)} different steps: {', '.join(told)}. Of each the table says why."


def _wrong(name: str, stake: str, steps: int) -> str:
    """How a procedure was walked wrong so far."""
    walks = kept(name)
    left_out = {step for walk in walks for step in walk.noticed}
    never = ", ".join(str(step) for step in range(1, steps + 1) if step not in left_out)
    twice, killed = (
        "yes" if any(walk.way == way for walk in walks) else "no" for way in (Repeating.way, Interrupted.way)
    )
    return f"| `{name}` | {stake} | {len(left_out)} | {steps} | {never} | {twice} | {killed} |"


def _line(name: str, walk: KeptWalk, *, changed: bool) -> str:
    noticed = "; ".join(f"{step}: {by}" for step, by in sorted(walk.noticed.items()) if by)
    not_noticed = ", ".join(str(step) for step, by in sorted(walk.noticed.items()) if not by)
    way = walk.way + (f" ({walk.times})" if walk.times > 1 else "")
    day = "; ".join(filter(None, (walk.day, walk.note, "its commands or gates have changed since" if changed else "")))
    took = f"{walk.seconds / walk.times:.0f}" if walk.seconds else ""
    cells = (f"`{name}`", way, walk.where, day, took, noticed.replace("|", "/"), not_noticed, *_cells_of(walk.records))
    return "| " + " | ".join(cells) + " |"


def _cells_of(records: Counted | None) -> Iterable[str]:
    return (f"{records.acknowledged:,}", str(records.lost), str(records.doubled)) if records else ("", "", "")


def page() -> str:
    """The page as it should be: what is between its marks made anew."""
    return PAGE.with_lines(lines())
