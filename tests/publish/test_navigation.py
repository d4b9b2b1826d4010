"""Navigation by pattern."""

from runbook.publish.navigation import MANY, expand, title_of

TITLES = {
    "a.md": "A",
    "index.md": "Home",
    "runbooks/gc.md": "Garbage collection",
    "runbooks/dr.md": "Disaster recovery",
    "runbooks/own.md": "What our team expects",
    "runbooks/index.md": "Runbooks",
    "runbooks/topics.md": "after all, topics",
    "runbooks/deep/x.md": "X",
    "decisions/0002-z.md": "A later one",
    "decisions/0001-a.md": "The first",
}
JUNE = "team/incidents/2026/b.md"


def test_a_pattern_stands_for_the_pages_of_that_folder_its_index_first_the_rest_by_title() -> None:
    pages = ["index", "topics", "dr", "gc", "own"]
    assert expand([{"Runbooks": "runbooks/*"}], TITLES) == [{"Runbooks": [f"runbooks/{page}.md" for page in pages]}]


def test_pages_that_come_first_stand_behind_the_index_alone() -> None:
    pages = ["index", "gc", "own", "topics", "dr"]
    first = {"runbooks/own.md", "runbooks/gc.md"}
    assert expand(["runbooks/*"], TITLES, first) == [f"runbooks/{page}.md" for page in pages]


def test_pages_whose_files_are_numbered_stand_by_number() -> None:
    assert expand(["decisions/*"], TITLES) == ["decisions/0001-a.md", "decisions/0002-z.md"]


TEAM = {
    "team/escalation.md": "Escalation",
    "team/incidents/2026/b.md": "Of June",
    "team/incidents/index.md": "What went wrong",
    "team/incidents/a.md": "Of May",
    "teams/other.md": "Other",
}


def test_a_folder_with_all_below_it_is_a_section_called_as_its_index_or_as_itself() -> None:
    incidents = {"What went wrong": ["team/incidents/index.md", "team/incidents/a.md", {"2026": [JUNE]}]}
    assert expand([{"Home": ["team/**", "none/**"]}], TEAM) == [{"Home": [{"team": ["team/escalation.md", incidents]}]}]


def test_a_folder_with_all_below_it_lists_each_page_however_many_and_none_that_is_named() -> None:
    many = TEAM | {f"team/incidents/{number:03}.md": "Another" for number in range(MANY + 1)}
    [section] = expand(["team/incidents/**"], many)
    assert len(section["What went wrong"]) == MANY + 1 + len(["index", "a", "2026"])
    assert expand([JUNE, "team/incidents/a.md", "team/incidents/**"], TEAM)[2:] == [
        {"What went wrong": ["team/incidents/index.md"]}
    ]


def test_a_page_that_is_named_is_not_listed_again() -> None:
    assert expand([{"Home": "index.md"}, {"Other": ["*"]}], TITLES) == [{"Home": "index.md"}, {"Other": ["a.md"]}]


def test_sections_nest_and_empty_ones_are_dropped() -> None:
    nav = [{"Learn": [{"Tutorial": "tutorial/*"}, {"Deep": "runbooks/deep/*"}]}, {"Nothing": "nothing/*"}]
    assert expand(nav, TITLES) == [{"Learn": [{"Deep": ["runbooks/deep/x.md"]}]}]


def test_plain_entries_stay_as_they_are() -> None:
    assert expand(["index.md", {"A": "https://example.org/"}], TITLES) == ["index.md", {"A": "https://example.org/"}]


def test_the_title_is_what_the_head_says_else_the_first_heading_else_the_files_name() -> None:
    assert title_of("a/b.md", "---\ntitle: Of the head\n---\n# Of the page\n") == "Of the head"
    assert title_of("a/b.md", "---\nhide: [toc]\n---\n\nWords.\n\n# It&#39;s ours {#its}\n\n# Other\n") == "It's ours"
    assert title_of("a/b.ipynb", '{"cells": [{"source": ["# Of a notebook\\n", "Words."]}]}') == "Of a notebook"
    assert title_of("a/b.md", "Words.") == "b"
