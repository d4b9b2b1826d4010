"""File names of pages."""

from runbook.publish.site_paths import evidence_page


def test_plain_names_stay() -> None:
    assert evidence_page("prod-eu_1") == "evidence/prod-eu_1.md"


def test_other_names_become_safe_and_stay_apart() -> None:
    names = ["a b", "a/b", "a.b", "../../etc/passwd", "", "index", "Index", "<>"]
    pages = [evidence_page(name) for name in names]
    assert len(set(pages)) == len(names)
    assert all(page.count("/") == 1 and ".." not in page and "index.md" not in page.lower() for page in pages)
