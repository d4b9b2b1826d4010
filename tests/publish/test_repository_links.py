from runbook.publish.repository_links import of_site, without_dead_links

PAGES = {"how-to/see-pauses.md", "runbooks/gc.md", "reference/index.md", "reference/front-matter.md"}


def test_a_link_to_a_runbook_of_the_repository_leads_to_its_page() -> None:
    text = "[On GC](../../runbooks/gc.md#long-pauses), [another page](inventory.md), [decisions](../decisions/0001.md)"
    assert of_site(text, "how-to/see-pauses.md", PAGES) == text.replace("../../runbooks", "../runbooks")
    assert of_site("[GC](../runbooks/gc.md)", "index.md", PAGES) == "[GC](runbooks/gc.md)"


def test_pages_that_only_the_site_has_are_linked_there_alone() -> None:
    text = "- **Front matter**: of runbooks.\n- **No page**: of anything.\nSo **Front matter**: no entry.\n"
    assert of_site(text, "reference/index.md", PAGES) == text.replace(
        "- **Front matter**:", "- [Front matter](front-matter.md):"
    )
    assert of_site(text, "how-to/see-pauses.md", PAGES) == text


def test_what_came_along_leads_only_to_what_this_site_has() -> None:
    text = "[on GC](../runbooks/gc.md#x), [dr](../runbooks/dr.md), ![pic](../images/a.md), [net](https://e.org/a.md)"
    assert without_dead_links(text, "how-to/see-pauses.md", PAGES) == text.replace("[dr](../runbooks/dr.md)", "dr")
