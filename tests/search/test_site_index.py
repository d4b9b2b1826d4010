import json
from pathlib import Path

from runbook.parse.extending import read_whole
from runbook.parse.runbook import parse_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.run.sources.runbooks import read_all
from runbook.search.site_index import site_index

OWN = """---
title: Ours
version: 1.0.0
changes: [{version: 1.0.0, date: 2026-01-01, note: first}]
alerts: [OurAlert]
---

# Ours

## On weekends

Call the porter.

```yaml {.diagnostic}
id: it-is-down
title: It is down
symptom: ''
alerts: [OurAlert]
errors: ["no porter"]
causes: [{cause: It is so}]
```
"""


def data(script: str) -> dict[str, list[list[object]]]:
    before, _, rest = script.partition("=")
    assert before == "window.RUNBOOK_FIND"
    found: dict[str, list[list[object]]] = json.loads(rest.removesuffix(";\n"))
    return found


def test_a_place_has_its_names_and_says_whose_it_is() -> None:
    found = data(site_index([parse_runbook(OWN, "ours", "ours.md")]))
    rows = {row[0]: row for row in found["places"] if row[2] == 0}
    name, title, _, flags, alerts, errors, words, lines = rows["ours/it-is-down"]
    assert (name, title, flags, alerts, errors) == ("ours/it-is-down", "It is down", 1, ["OurAlert"], ["no porter"])
    assert lines == []
    assert "porter" in [found["words"][at] for at in words]  # type: ignore[attr-defined]
    assert any(row[1] == "On weekends" for row in found["places"])


def test_a_built_in_runbook_that_is_read_from_its_file_is_as_find_has_it() -> None:
    files = sorted(builtin_runbooks().glob("*.md"))
    assert site_index(map(read_whole, files)) == site_index(read_all([f"built-in:{file.stem}" for file in files]))


def test_a_copy_of_one_is_somebody_s_own(tmp_path: Path) -> None:
    file = tmp_path / "gc.md"
    file.write_bytes((builtin_runbooks() / "gc.md").read_bytes())
    assert {row[3] for row in data(site_index([read_whole(file)]))["places"]} == {1}
