"""What is said of each environment before it is asked: whose it is, and what of its inventory has no effect."""

from collections.abc import Iterator, Sequence

from runbook.model.errors import did_you_mean
from runbook.model.run import Head
from runbook.parse.inventory import Inventory, Target
from runbook.parse.unobserved import said_of_absent
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.left_out_files import notes_of
from runbook.run.sources.runbooks import every_name


def heads_of(
    targets: Sequence[Target],
    inventory: Inventory,
    runbooks: Sequence[str],
    left_out: Sequence[str],
    *,
    rejudged: bool,
    of_files: bool,
) -> list[Head]:
    """One head for each environment.

    Args:
        targets: the environments.
        inventory: that they are of.
        runbooks: the names of the run's own, beside the built-in ones and those of the project.
        left_out: notes on runbooks that the run left out.
        rejudged: whether a bundle is judged: then no inventory was read, and other runbooks are not known.
        of_files: whether the run is of files that the command named, of which no inventory says what is absent.
    """
    known = [] if rejudged else sorted({*every_name(), *builtin_names(), *runbooks})
    return [
        Head(
            target.name,
            notes=[
                *left_out,
                *_without_runbook(target, known),
                *_called_absent(target, rejudged or of_files),
                *([] if rejudged else notes_of(target)),
            ],
            mirrored_to=[mirror.to for mirror in inventory.mirrors if mirror.from_ == target.name],
            labels=target.environment.labels,
            owner=target.environment.owner,
            owners=target.environment.owners,
            place="" if rejudged else str(inventory.document.key(("environments", target.name))),
        )
        for target in targets
    ]


def _without_runbook(target: Target, books: list[str]) -> Iterator[str]:
    """A note for each runbook that parameters or waivers name, and that is none of these; none where none is known."""
    environment = target.environment
    named = dict.fromkeys([*environment.params, *(waiver.check for waiver in environment.waivers)])
    for book in dict.fromkeys(check.partition("/")[0] for check in named):
        if books and book not in books:
            remedy = did_you_mean(book, books)
            yield f"what the inventory says of {book}/ has no effect: no runbook {book} here; {remedy}"


def _called_absent(target: Target, no_file: object) -> list[str]:
    """What to write of what the inventory calls absent and always exists; nothing where there is no file of it."""
    return [said] if not no_file and (said := said_of_absent(target.environment.absent)) else []
