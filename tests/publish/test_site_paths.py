"""File names of pages, and anchors in them."""

from runbook.publish.site_paths import alert_page, built, evidence_folder, evidence_page, number_anchor, result_anchor


def test_plain_names_stay() -> None:
    assert evidence_page("prod-eu_1", "ha") == "evidence/prod-eu_1/ha.md"
    assert result_anchor("ha/topic-survives", "prod-eu") == "ha-topic-survives-prod-eu"


def test_other_names_become_safe_and_stay_apart() -> None:
    names = ["a b", "a/b", "a.b", "../../etc/passwd", "", "index", "Index", "<>"]
    pages = [evidence_page("prod", name) for name in names]
    assert len({*pages, evidence_folder("prod")}) == len(names) + 1
    assert all(page.count("/") == 2 and ".." not in page and "index.md" not in page.lower() for page in pages)


def test_subjects_that_differ_in_signs_only_stay_apart() -> None:
    anchors = {result_anchor("ha/x", subject) for subject in ("a-b", "a.b", "a b", "A-b")}
    assert len(anchors) == 4


def test_the_number_of_all_runbooks_is_not_that_of_a_runbook_called_all() -> None:
    assert number_anchor("*") != number_anchor("all")


def test_pages_become_html_and_other_files_stay() -> None:
    assert (built("a/b.md"), built("a/b.svg")) == ("a/b.html", "a/b.svg")


def test_a_long_name_is_cut_to_what_a_file_system_takes_and_stays_apart() -> None:
    pages = {alert_page("a" * 300), alert_page("a" * 301)}
    assert len(pages) == 2
    assert all(len(page) < 200 for page in pages)
