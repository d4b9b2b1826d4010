"""Commands that a runbook shows, taken apart as a shell would: audits of checks and symptoms, steps of procedures."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from runbook.model.block import Check
from runbook.parse.runbook import read_runbook
from support.documented import ROOT

Words = list[str]


def shown_by(runbook: str) -> Iterator[tuple[str, list[Words]]]:
    """Whose command it is, and the command: the programs of a pipeline with their arguments, redirections left out."""
    book = read_runbook(Path(ROOT, "runbooks", f"{runbook}.md"))
    texts = [(check.block.id, check.block.audit) for check in book.checks() if isinstance(check.block, Check)]
    texts += [(symptom.id, symptom.audit) for symptom in book.diagnostics()]
    texts += [(procedure.id, step.command) for procedure in book.procedures() for step in procedure.steps]
    for name, text in texts:
        for line in text.splitlines():
            if line and line[0] not in "{[":
                yield name, list(_pipeline(line))


def _pipeline(line: str) -> Iterator[Words]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>")
    lexer.whitespace_split = True
    words: Words = []
    for word in lexer:
        if word == "|":
            yield words
            words = []
        elif word == ">":
            break
        else:
            words.append(word)
    yield words
