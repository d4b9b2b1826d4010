"""Names of blocks in remedies, steps and prose, as `ha#rolling-restart` or procedure `restart`, that lead nowhere."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from runbook.lint.neighbours import Neighbour, ids_of
from runbook.lint.texts import texts
from runbook.model.errors import Problem, did_you_mean
from runbook.parse.runbook import Runbook
from runbook.run.sources.runbooks import every_name

_NAMED: Final = re.compile(
    r"(?P<command>\brunbook(?: [a-z-]+)+ )?(?<![\w/.#(-])(?P<runbook>[a-z][a-z0-9-]*)(?P<file>\.md)?"
    r"(?:#(?P<block>[a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-]))?"
)
_PROCEDURE: Final = re.compile(r"\bprocedure\s+`(?P<block>[a-z0-9]+(?:-[a-z0-9]+)*)`", re.IGNORECASE)


def lost_mentions(book: Runbook, unread: list[str], neighbour: Neighbour) -> Iterator[Problem]:
    """Yield a problem for each name of a runbook, or of a block of one, that there is not.

    A word is taken for one where it stands in a command of this tool, or before `#` where a runbook is called so; and
    in code behind the word procedure: that is one of the runbook itself.

    Args:
        book: the runbook; of one that extends another, what stands in the file is looked at.
        unread: ids of its blocks that can't be read: they are there.
        neighbour: the runbook of a name; None where there is none that can be read.
    """
    names = {*every_name(), book.name, *(file.stem for file in Path(book.path).parent.glob("*.md"))}

    @cache
    def blocks(name: str) -> list[str]:
        there = book if name == book.name else neighbour(name)
        return [*ids_of(there, book), *(unread if there is book else ())] if there else []

    for text in texts(book.own or book):
        for found in _NAMED.finditer(text.words):
            name, block = found["runbook"], found["block"]
            if name not in names:
                if found["command"] and (block or found["file"]):
                    remedy = did_you_mean(name, sorted(names), "runbook list")
                    yield Problem(text.place(found.start("runbook")), f'"{_word(found)}" leads nowhere', remedy)
            elif block and (ids := blocks(name)) and block not in ids:
                remedy = did_you_mean(block, ids, f"runbook list {name}")
                yield Problem(text.place(found.start("runbook")), f'"{_word(found)}" leads nowhere', remedy)
        for found in _PROCEDURE.finditer(text.words):
            if (block := found["block"]) not in blocks(book.name):
                remedy = f"{did_you_mean(block, blocks(book.name), 'runbook list')}; of another runbook: `NAME#{block}`"
                yield Problem(text.place(found.start("block")), f'there is no procedure "{block}" here', remedy)


def _word(found: re.Match[str]) -> str:
    return found[0].removeprefix(found["command"] or "")
