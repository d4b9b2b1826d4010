"""Navigation by pattern."""

from runbook.publish.navigation import expand

PAGES = ["a.md", "index.md", "runbooks/ha.md", "runbooks/index.md", "runbooks/deep/x.md", "runbooks/gc.md"]


def test_a_pattern_stands_for_the_pages_of_that_folder_its_index_first() -> None:
    assert expand([{"Runbooks": "runbooks/*"}], PAGES) == [
        {"Runbooks": ["runbooks/index.md", "runbooks/gc.md", "runbooks/ha.md"]}
    ]


def test_a_page_that_is_named_is_not_listed_again() -> None:
    assert expand([{"Home": "index.md"}, {"Other": ["*"]}], PAGES) == [{"Home": "index.md"}, {"Other": ["a.md"]}]


def test_sections_nest_and_empty_ones_are_dropped() -> None:
    nav = [{"Learn": [{"Tutorial": "tutorial/*"}, {"Deep": "runbooks/deep/*"}]}, {"Nothing": "nothing/*"}]
    assert expand(nav, PAGES) == [{"Learn": [{"Deep": ["runbooks/deep/x.md"]}]}]


def test_plain_entries_stay_as_they_are() -> None:
    assert expand(["index.md", {"A": "https://example.org/"}], PAGES) == ["index.md", {"A": "https://example.org/"}]
