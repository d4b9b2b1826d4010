"""`runbook find`: from an alert's name or an error's text to the symptom that it is of."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from runbook.cli.completion import complete_runbooks

if TYPE_CHECKING:
    from runbook.model.block import PossibleCause
    from runbook.parse.runbook import Runbook
    from runbook.search.index import Hit

_LIKELY: Final = 2  # places, of which the first that names the error tells its cause; what follows is far from it
EXAMPLES = ("runbook find NotEnoughReplicas", "runbook find OurKafkaBrokerDown --in runbooks/first.md")


def command(
    words: Annotated[
        list[str], typer.Argument(metavar="TEXT...", help="Name of an alert, or a line of an error or log.")
    ],
    within: Annotated[
        list[str] | None,
        typer.Option(
            "--in",
            metavar="RUNBOOK",
            help="Search this runbook: a file or a built-in one. Default: all built-in ones. Repeatable.",
            autocompletion=complete_runbooks,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Number of places shown.")] = 10,
) -> int:
    """Find the symptom of an alert, an error text or a log line.

    An alert or error that a runbook lists is found in any spelling, within any text, and only its places are shown.
    (A general error such as IOException shows first the places that match the rest of the line.) For all else it shows
    the places that contain your words: symptoms, then checks, procedures, runbooks, and prose of your runbooks. If the
    title of the first place lacks a word, the first line says that no runbook lists the text. Words that no runbook
    has, such as host names, do not count. If no place has half of the other words, it shows the three nearest, marked
    as near. Contacts no system.

    Exit codes: 0 found, also where places only share words with the text, 2 nothing found and one of your runbooks has
    mistakes, 4 nothing found, or only near places ("no match; nearest:").
    """
    import sys

    from runbook.parse.inventory import OF_INVENTORY
    from runbook.parse.old_names import old_names, present_name
    from runbook.run.sources.project import above
    from runbook.run.sources.runbooks import read_or_built_in, read_sound
    from runbook.search.index import Index
    from runbook.search.kept_entries import kept_entries
    from runbook.show.pasted_commands import option_for_environments
    from runbook.terminal.columns import beside, one_by_one

    books, mistakes = read_sound(within) if within else read_or_built_in()
    runbooks = {book.name: book for book in books}
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    said = " ".join(words)
    now = present_name(said, old_names(books)) if len(words) == 1 else said
    text = now if now == said else now.rpartition("/")[2]
    if now != said:
        print(f"{said} is called {now} now", file=sys.stderr)
    index = Index([*runbooks.values()], kept_entries)
    found = index.search(text)
    if len(words) == 1 and (kind := words[0].lower().removesuffix("s")) in OF_INVENTORY:
        print(f"how to write such into an inventory: runbook list --blocks {kind}")
    near = index.misspelt(text) if found else index.nearest(text)
    if not found or near:
        elsewhere = f"; {there}" if (there := above()) else ""
        rather = "fewer words" if " " in text.strip() else "another word"
        meant = f"did you mean {near}? Else " if near else ""
        print(f"nothing found: {meant}try {rather}, or runbook list{elsewhere}")
        return 2 if mistakes else 4  # it may stand in one that can't be read
    is_near = found[0].found == "near"
    if is_near:
        print("no match; nearest:")
    elif found[0].found == "words":
        print("no runbook lists this text; pages that share its words:")
    where = option_for_environments()
    likely: list[PossibleCause] = []
    for place, hit in enumerate(found[:limit]):
        name = hit.name.partition("/")[0]
        print(beside("", f"{hit.title}  ({name}: {hit.why})"))
        likely = [] if likely or place >= _LIKELY else _likely(hit, runbooks[name], text)
        for cause in likely:
            print(beside("    likely  ", f"{cause.cause}. {cause.remedy}"))
        print(one_by_one("    ", _to_run(hit, runbooks[name], where)))
    if len(found) > limit:
        print(f"… {len(found) - limit} more: --limit {len(found)}")
    return 0 if not is_near else 2 if mistakes else 4


def _likely(hit: "Hit", book: "Runbook", text: str) -> list["PossibleCause"]:
    """The possible causes of a symptom that name the error which led to it."""
    from runbook.search.likely import likely_causes

    if hit.found != "name":
        return []
    symptoms = [block for block in book.diagnostics() if block.id == hit.name.partition("/")[2]]
    return [cause for symptom in symptoms for cause in likely_causes(symptom, text)]


def _to_run(hit: "Hit", book: "Runbook", where: str) -> list[str]:
    """What shows it, and what looks whether it is so: a check, or the checks that tell a symptom's causes apart."""
    from runbook.show.pasted_commands import word_for

    word, identifier = word_for(book), hit.name.partition("/")[2]
    place = f"{word}#{identifier}" if identifier else word
    untold = any(symptom.id == identifier and not symptom.checks for symptom in book.diagnostics())
    if hit.kind in ("procedure", "section") or untold:  # these are only read
        return [f"runbook show {place}"]
    looks = word if hit.kind in ("cause", "effect") else place  # they are told beside what they explain
    return [f"runbook show {place}", f"runbook check {looks}{where}"]
