"""The sentences that are drawn for an audit are of all runbooks, and the same for a seed."""

import re

from runbook.model.block import Cause
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from support.sentences import drawn, sentences


def test_a_seed_draws_the_same_and_another_seed_others() -> None:
    assert drawn(18, 50) == drawn(18, 50)
    assert len(set(drawn(18, 50))) == 50
    assert drawn(18, 50) != drawn(19, 50)


def test_every_runbook_has_sentences_in_prose_and_in_remedies() -> None:
    for file in builtin_runbooks().glob("*.md"):
        found = [*sentences(file)]
        assert len(found) >= 50
        lines = file.read_text("utf-8").splitlines()
        assert any(lines[line - 1].startswith("remedy:") for line, _ in found)
        assert any(not lines[line - 1].startswith("remedy:") for line, _ in found)


def test_what_is_run_first_at_night_names_an_environment() -> None:
    """Where there are several, a command without it ends with a question."""
    for file in builtin_runbooks().glob("*.md"):
        woken = [line for line in file.read_text("utf-8").splitlines() if line.startswith("You were woken up. Run")]
        assert all(f"`runbook check {file.stem} --env ENVIRONMENT`" in line for line in woken)


def test_each_act_of_a_prohibition_is_forbidden_by_its_own_words() -> None:
    """The words "do not delete files; restart the broker" were read as an order."""
    for file in builtin_runbooks().glob("*.md"):
        blocks = [placed.block for placed in read_runbook(file).placed()]
        for cause in (block for block in blocks if isinstance(block, Cause)):
            assert re.findall(r";\s+(?!do not )", cause.avoid) == [], cause.id
