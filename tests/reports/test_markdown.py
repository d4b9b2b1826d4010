from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.result import Outcome
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions
from runbook.reports.markdown import plain, report
from support.small_runbooks import result as of_check


def written(case: Any) -> str:
    return report(case.run, case.options)


def test_every_finding_is_told(case: Any) -> None:
    text = written(case).replace("\\", "")
    for result in case.run.results:
        if result.outcome in {"fail", "unknown"}:  # one that nobody looks at by declaration is counted, in full named
            assert (result.check in text) == (case.options.full or not result.unobserved)


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


OWN = """Raise it; *nothing* restarts.

````sh
kafka-configs.sh --alter \\
  --add-config retention.ms=1209600000
echo "```"
````

Effort: minutes. Risk: disks fill.
"""


def test_a_remedy_is_told_whole_and_its_commands_can_be_pasted() -> None:
    text = report(_failing(OWN), ReportOptions())
    assert (
        """- do first: Raise it; nothing restarts.

  ````
  kafka-configs.sh --alter --add-config retention.ms=1209600000
  echo "```"
  ````

  Effort: minutes. Risk: disks fill.
"""
        in text
    )
    [code] = [token.content for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"]
    assert code.splitlines()[1] == 'echo "```"'
    assert "- do first:\n\n  ```\n  set\n  ```\n" in report(_failing("```sh\nset\n```"), ReportOptions())


def test_the_commands_of_a_cause_can_be_pasted() -> None:
    first = "Raise it:\n```sh\nset --this\n```"
    cause = CauseFound(cause="own/kept", title="Kept", says="7 days", certain=True, first=first)
    diagnosis = Diagnosis(environment="prod", causes=[replace(cause, avoid="restart")])
    told = replace(_failing(""), diagnoses=[diagnosis])
    expected = "- **first** Raise it:\n\n  ```\n  set --this\n  ```\n- **do not** restart\n"
    assert expected in report(told, ReportOptions())


def _failing(remedy: str) -> Run:
    failed = replace(of_check("own/kept", "prod", Outcome.FAIL, reason="payments: 7 days"), remedy=remedy)
    cells = {"complete": True, "started_at": "2026-11-24T07:00:00.000Z", "deadline_ms": 10_000}
    return Run("r", "0", "manual", heads=[Head("prod")], results=[failed], **cells)


@pytest.mark.parametrize("text", ["broker 2 (rack az-b) is down", "ha#a-broker-is-down", "1.5 s, 3 of 4", "a - b"])
def test_what_markdown_would_not_read_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


MARKS = [*"#()[]!<>*_`~-+=|.:&\\ 1aZ", "\n", "#1", "1) ", "1. ", "- ", "](", "http://x", "&lt;"]


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
@settings(max_examples=1_000, deadline=None)
def test_any_text_is_read_as_one_line_of_words(text: str) -> None:
    """At the begin of a line, in a heading, behind words, and in an entry of a list."""
    shown = plain(text)
    alone = {part.type for part in MarkdownIt("commonmark").parse(shown)}
    assert alone <= {"paragraph_open", "inline", "paragraph_close"}
    for around in ("{}", "## {}", "- {}", "**FAIL** {}", "\\[a\\]{}"):
        inline = [
            part for token in MarkdownIt("commonmark").parse(around.format(shown)) for part in token.children or ()
        ]
        assert {part.type for part in inline} <= {"text", "text_special", "strong_open", "strong_close"}
    heading = MarkdownIt("commonmark").parse(f"## {shown}")[1].children or ()
    assert "".join(part.content for part in heading) == " ".join(text.split())
