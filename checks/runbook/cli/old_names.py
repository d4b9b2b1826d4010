"""Say how blocks are called now that are named by an old name."""

import sys
from collections.abc import Iterable

from runbook.model.errors import UsageError
from runbook.run.sources.runbooks import meant_by, split_word


def tell_old_names(words: Iterable[str]) -> None:
    """Say so on standard error, a line for each word; nothing of words that mean no block, or one by its name."""
    for word in words:
        if " " in word or "*" in word:
            continue
        try:
            runbook, identifier = meant_by(word)
        except UsageError:
            continue  # an alert, an error, or nothing: that is told elsewhere
        if identifier and identifier != (split_word(word)[1] or word):
            print(f"{word} is called {runbook}#{identifier} now", file=sys.stderr)
