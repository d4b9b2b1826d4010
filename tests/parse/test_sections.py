from runbook.parse.sections import Section, sections

PROSE = """
Before.

# One

Text.
```sh
# no heading
```
## Two ##
"""


def test_prose_is_taken_apart_at_its_headings():
    assert [*sections(PROSE)] == [
        Section("", "Before."),
        Section("One", "Text.\n```sh\n# no heading\n```", 1),
        Section("Two", "", 2),
    ]
    assert [*sections("")] == [Section("", "")]
