"""No fact is collected for nothing: each probe is asked by a check, or named where a reader of a runbook looks."""

import re

from runbook.plugins.catalog import catalog
from runbook.plugins.content import builtin_runbooks


def test_every_probe_is_asked_or_named_by_a_runbook() -> None:
    texts = [file.read_text("utf-8") for file in builtin_runbooks().glob("*.md")]
    named = {word for text in texts for word in re.findall(r"[a-z0-9_]+", text)}
    assert set(catalog("probes").names()) - named == set()
