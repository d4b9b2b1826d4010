from typing import Any

from markdown_it import MarkdownIt

from runbook.reports.markdown import report


def written(case: Any) -> str:
    return report(case.run, case.options)


def test_every_finding_is_told(case: Any) -> None:
    text = written(case).replace("\\", "")
    for result in case.run.results:
        if result.outcome in {"fail", "unknown"}:
            assert result.check in text


def test_nothing_of_a_cluster_is_markup_of_its_own(case: Any) -> None:
    text = written(case)
    kinds = {part.type for token in MarkdownIt("commonmark").parse(text) for part in (token, *(token.children or ()))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_block", "fence", "autolink"}
    assert "\x1b" not in text
    assert "<script" not in text.replace("\\<", "")


def test_each_environment_has_its_head_and_its_counts(case: Any) -> None:
    text = written(case)
    for head in case.run.heads:
        assert f"## {head.environment.replace('-', '-')}:" in text
    assert text.count(" not applicable, ") == len(case.run.heads)


def test_the_cause_comes_before_what_it_explains(case: Any) -> None:
    text = written(case)
    if "**CAUSE**" in text:
        assert text.index("**CAUSE**") < text.index("partitions-take-writes".replace("-", "-"))
