"""Sentences of all runbooks, drawn at random by a seed, for somebody to check against sources.

`python -m support.sentences SEED COUNT` (with tests/ on the path) prints them with their places. A seed draws the same
sentences as long as no runbook changes.
"""

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from runbook.parse.runbook import Prose, read_runbook
from runbook.plugins.content import builtin_runbooks

SHORTEST: Final = 40
"""Characters below which a sentence says nothing that has a source: our judgement."""
_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\[])")
_NO_PROSE: Final = ("#", "|", "```", "---", "<", "!")


def sentences(file: Path) -> Iterator[tuple[int, str]]:
    """The sentences of a runbook's prose and of the remedies of its blocks, with the line where each text begins."""
    for part in read_runbook(file).parts:
        if isinstance(part, Prose):
            yield from ((part.line, sentence) for text in re.split(r"\n\s*\n", part.text) for sentence in _split(text))
        else:
            remedy = getattr(part.block, "remedy", "")
            line = part.document.place(("remedy",)).line
            yield from ((line, sentence) for sentence in _split(remedy))


def _split(text: str) -> Iterator[str]:
    lines = [line.strip() for line in text.splitlines() if not line.strip().startswith(_NO_PROSE)]
    for part in _END.split(" ".join(lines)):
        if len(part) >= SHORTEST and not part.startswith(("Effort", "Risk")):
            yield part.strip()


def drawn(seed: int, count: int) -> list[str]:
    """So many sentences of all runbooks, each as RUNBOOK:LINE: TEXT."""
    files = sorted(builtin_runbooks().glob("*.md"))
    found = [f"{file.name}:{line}: {text}" for file in files for line, text in sentences(file)]
    return random.Random(seed).sample(found, count)


if __name__ == "__main__":
    sys.stdout.writelines(f"{sentence}\n" for sentence in drawn(int(sys.argv[1]), int(sys.argv[2])))
