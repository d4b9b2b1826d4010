"""What the prose linter is given, and that no page has a word that it refuses."""

import re
from pathlib import Path

import pytest
import yaml

from support.prose import prose_of

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (ROOT / "README.md", *(ROOT / "runbooks").glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if page.parent.name != "decisions" and page.name != "changelog.md"  # what was decided, or written, at its time
)
RULES = Path(__file__).parent / "styles" / "Runbook"
_CODE = re.compile(r"`[^`\n]*`")

SAMPLE = """---
title: Nobody reads this
---
# A runbook

Nobody answers here.

```yaml {.check}
id: nobody-is-out
title: "Nobody is out"
facts:
  broker: {probe: kafka_broker}
expect:
  that: broker.host != "nobody"
  message: '{broker.host}: nobody'
remedy: |
  Start it.
  Nobody else.
sources: ["Nobody wrote this"]
```

```console
$ nobody
```
"""


def private_words() -> re.Pattern[str]:
    """The words that the linter refuses; ids, as in `nobody-is-out`, and rows, as in `told.owner`, are names."""
    rule = yaml.safe_load((RULES / "PrivateWords.yml").read_text(encoding="utf-8"))
    return re.compile(rf"(?<![-\w])({'|'.join(rule['tokens'])})(?![-\w]|\.\w)", re.IGNORECASE)


def test_what_is_prose_stays_at_its_line_and_nothing_else_is_left() -> None:
    found = prose_of(SAMPLE).splitlines()
    assert len(found) == len(SAMPLE.splitlines())
    assert {number: line for number, line in enumerate(found, 1) if line} == {
        4: "# A runbook",
        6: "Nobody answers here.",
        10: "Nobody is out",
        15: "{broker.host}: nobody",
        17: "Start it.",
        18: "Nobody else.",
    }


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_private_word(page: str) -> None:
    words = private_words()
    text = _CODE.sub("", prose_of((ROOT / page).read_text(encoding="utf-8")))
    assert [f"{n}: {line}" for n, line in enumerate(text.splitlines(), 1) if words.search(line)] == []


def test_the_words_are_found_where_they_stand() -> None:
    words = private_words()
    assert [n for n, line in enumerate(prose_of(SAMPLE).splitlines(), 1) if words.search(line)] == [6, 10, 15, 18]
