import re
import shlex
import subprocess
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from runbook.judge.common_cause import common
from runbook.model.diagnosis import CauseFound, Diagnosis
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import Common, JudgedRow, Outcome, Result, WaiverUse
from runbook.model.run import Head, Run
from runbook.reports import ReportOptions, Source, markdown
from runbook.reports._findings import share_of
from runbook.reports.console import line_for, report
from runbook.safety.sanitize import sanitize

ANSI = re.compile(r"\x1b\[[0-9;]*m")
TEXT = st.text(st.characters(), max_size=60)


def result(text: str = "refused", *, check: str = "ha/a", **changes: Any) -> Result:
    settled: dict[str, Any] = {
        "environment": "prod",
        "outcome": Outcome.FAIL,
        "rows": [],
        "subject": "prod",
        "judged": 1,
        "failed": 1,
        "gaps": [],
        "common": [],
        "waiver": None,
        "params": {},
        "overridden": [],
        "remedy": text,
        "subject_kind": "environment",
    }
    return Result(
        check=check,
        reason=text,
        title=text,
        severity="high",
        objectives=[],
        undecided=0,
        ranking=["durability"],
        proof="observed",
        evidence=[],
        runbook="ha",
        runbook_version="1.0.0",
        runbook_digest="",
        check_digest="",
        **(settled | changes),
    )


def run(*results: Result, **head: Any) -> Run:
    return Run("1", "0", "manual", True, "2026-11-21T10:00:00Z", 10_000, [Head("prod", **head)], list(results))  # noqa: FBT003


def soiled(text: str) -> Run:
    """A run in which every text that is not ours is `text`."""
    rows = [JudgedRow({text: text, "partition": 3}, text, touches={text: [text]}), JudgedRow({}, text, "unknown")]
    waiver = WaiverUse(text, text, text, 1)
    common = [Common(text, text, 2, 2)]
    gaps = [Gap(text, {text: text})]
    bad = result(text, rows=rows, gaps=gaps, common=common, waiver=waiver, params={"p": text}, overridden=["p"])
    lost = result(text, check=f"ha/{text}", outcome=Outcome.UNKNOWN, gaps=gaps, subject=text, rows=rows)
    idle = result(text, outcome=Outcome.NOT_APPLICABLE)
    head = {"cluster_id": text, "kafka_version": text, "mode": text, "notes": [text], "brokers": 1, "answering": 1}
    return run(bad, lost, idle, **head)


@given(TEXT)
def test_no_text_of_a_cluster_can_drive_the_terminal(text: str) -> None:
    options = ReportOptions(runbooks=(Source("ha", text, "1.0.0", text),), full=True, rows=None)
    single = soiled(text)
    several = structs.replace(single, heads=[*single.heads, Head(text), Head("other")])

    for written in (report(single, options), report(several, options), line_for(single.results[0])):
        harmful = {char for char in written if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
        assert harmful <= {"\n"}


@given(TEXT)
def test_inert_text_keeps_what_can_be_printed_and_is_not_changed_again(text: str) -> None:
    assert sanitize(text).isprintable()
    assert sanitize(sanitize(text)) == sanitize(text)
    assert text != sanitize(text) or text.isprintable()


def test_words_are_the_same_with_and_without_colour(case: Any) -> None:
    plain = report(case.run, structs.replace(case.options, color=False))
    colored = report(case.run, structs.replace(case.options, color=True))

    assert "\x1b" not in plain
    assert "\x1b[" in colored
    assert ANSI.sub("", colored) == plain


def test_no_line_is_wider_than_the_terminal_but_walks_with_words_or_names_nor_ends_in_a_space(case: Any) -> None:
    for width in (80, 100):
        written = report(case.run, structs.replace(case.options, width=width))
        lines = [line for line in written.splitlines() if not re.match(r" +(walk +)?runbook .* --(set|resume) ", line)]
        assert max(map(len, lines)) <= width
        assert not re.search(r" $", written, re.MULTILINE)


def test_in_a_narrow_terminal_only_names_of_checks_and_commands_are_wider(case: Any) -> None:
    written = report(case.run, structs.replace(case.options, width=60))
    wide = [line for line in written.splitlines() if len(line) > 60]
    named = r"[A-Z]+ +\w+ +\S+/\S+( \[\S+\])?| +((walk|see) +)?runbook (procedure (walk|show)|diff last) .*"
    assert [line for line in wide if not re.fullmatch(named, line)] == []


def test_the_command_of_a_remedy_is_in_one_piece_however_narrow_the_terminal_is() -> None:
    """It came in three lines, of which a shell takes three commands."""
    command = "kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name T"
    broken = command.replace(" --alter", " \\\n  --alter")
    failed = result(f"Ask the owner, then set it:\n\n```sh\n{broken}\n```")
    cause = CauseFound(cause="ha/x", title="X", says="it is so", certain=True, first=f"Run `{command}`.")
    explained = [Diagnosis(environment="prod", causes=[cause])]
    for width in (40, 80, 200):
        assert f"\n{'':22}{command}\n" in report(run(failed), ReportOptions(width=width))
        answered = report(structs.replace(run(failed), diagnoses=explained), ReportOptions(width=width))
        assert (f"\n{'':22}{command}\n" in answered) is (width < 200)
        assert f"{command}." not in answered or width == 200  # there it finds room in the sentence


def test_markup_in_names_stays_as_it_was_written() -> None:
    rows = [JudgedRow({"topic": "[bold]x[/bold]"}, "refused")]

    for color in (False, True):
        assert "[bold]x[/bold]: refused" in report(run(result(rows=rows)), ReportOptions(color=color))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (JudgedRow({"topic": "orders", "partition": 3}, "leader 1"), "orders, partition 3: leader 1"),
        (JudgedRow({"topic": "orders", "partition": 3}, "orders-3 leader 1"), "orders-3 leader 1"),
        (JudgedRow({"topic": "orders", "partition": 3}, "orders has RF 1"), "orders, partition 3: orders has RF 1"),
        (JudgedRow({"topic": "order"}, "orders are late"), "order: orders are late"),
        (JudgedRow({"id": 2}, "broker 2 is late", touches={"broker": [2]}), "broker 2 is late"),
        (JudgedRow({"id": 2}, "2 of 3 are late", touches={"broker": [2]}), "broker 2: 2 of 3 are late"),
        (JudgedRow({"rack": "az-b"}, "rack az-b is dark"), "rack az-b is dark"),
        (JudgedRow({"connector": "mirror-source", "file": ""}, "RUNNING"), "mirror-source: RUNNING"),
        (JudgedRow({}, "too few"), "too few"),
        (JudgedRow({"broker": 2}, "timed out", "unknown"), "broker 2: timed out (could not be judged)"),
    ],
)
def test_a_row_names_itself_once(row: JudgedRow, said: str) -> None:
    assert f"\n           {said}\n" in report(run(result(rows=[row])), ReportOptions())


@pytest.mark.parametrize(("most", "shown", "more"), [(5, 5, "15 more"), (0, 0, "20 more"), (None, 20, "")])
def test_a_few_rows_are_listed_and_all_on_request(most: int | None, shown: int, more: str) -> None:
    rows = [JudgedRow({"broker": i}, "late") for i in range(20)]

    written = report(run(result(rows=rows, failed=20)), ReportOptions(rows=most))

    assert len(re.findall(r"broker \d+: late", written)) == shown
    assert (f"… {more}: --rows all" in written) == bool(more)


def test_rows_that_were_not_kept_are_said_to_be_missing() -> None:
    assert "… 4,999 more: not kept" in report(
        run(result(rows=[JudgedRow({"broker": 1}, "late")], failed=5_000)), ReportOptions(rows=None)
    )


def test_a_failure_over_incomplete_facts_says_what_was_not_seen() -> None:
    gaps = [Gap(f"broker {i} is silent", {"broker": i}) for i in range(9)]

    written = report(run(result(gaps=gaps)), ReportOptions(rows=2))

    assert "not seen   broker 1 is silent" in written
    assert "broker 2 is silent" not in written
    assert "7 more" in written


def test_a_green_run_says_how_much_it_looked_at() -> None:
    green = run(result("true of 12 brokers", outcome=Outcome.PASS, judged=12, failed=0))

    assert "judged 12 rows" in report(green, ReportOptions())


def test_the_first_line_names_environment_cluster_version_and_origin() -> None:
    options = ReportOptions(runbooks=(Source("ha", "High availability", "1.0.0", "./ha.md"),))

    first = report(run(result(), cluster_id="abc"), options).splitlines()[0]

    assert first == "High availability (ha 1.0.0, ./ha.md) · prod · cluster abc"


def test_the_other_end_of_a_link_is_named_below_and_has_no_section_of_its_own() -> None:
    made = run(result())
    made.ends = [Head("dr", kafka_version="4.1", mode="kraft", brokers=3, answering=0)]

    lines = report(made, ReportOptions()).splitlines()

    assert "dr · Kafka 4.1, kraft · 0 of 3 brokers answer (which: runbook check ha)" in lines[:3]
    assert sum("dr" in line.split() for line in lines) == 1


def test_who_has_every_finding_before_him_is_not_told_how_to_get_it() -> None:
    single = run(result(), result(subject="other", environment="other"))
    several = structs.replace(single, heads=[*single.heads, Head("other")])
    assert "every finding: --full" in report(several, ReportOptions(width=120))
    whole = report(several, ReportOptions(width=120, full=True))
    assert "name one environment with --env" in whole
    assert "--full" not in whole


def test_one_broker_answers() -> None:
    made = run(result())
    made.ends = [Head("dev", kafka_version="4.1", mode="kraft", brokers=1, answering=1, silent=[])]

    assert "dev · Kafka 4.1, kraft · 1 of 1 broker answers" in report(made, ReportOptions()).splitlines()[:3]


def test_a_verdict_fits_one_line() -> None:
    assert line_for(result("x\n" * 500)).startswith("FAIL     high      ha/a  x\\nx\\n")
    assert len(line_for(result("x" * 500), width=60)) == 60


def test_a_plain_report_loads_no_colours() -> None:
    code = (
        "import sys; from runbook.reports import ReportOptions; from runbook.reports.console import report\n"
        "from runbook.model.run import Head, Run\n"
        "report(Run('1', '0', 'manual', True, '', 1, [Head('prod')]), ReportOptions())\n"
        "sys.exit('rich' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=800).returncode == 0


def test_of_many_checks_that_are_unknown_for_one_reason_some_are_named() -> None:
    late = [result("unknown", check=f"ha/check-{number:02}") for number in range(40)]
    late = [
        structs.replace(result_, outcome=Outcome.UNKNOWN, reason="broker 2 did not answer in 2.0 s") for result_ in late
    ]
    text = " ".join(report(run(*late), ReportOptions()).split())
    assert "39 more checks: " in text
    assert "and 28 more: --full" in text
    assert "check-11" in text
    assert "check-12" not in text
    assert "check-39" in report(run(*late), ReportOptions(full=True))


def test_checks_that_are_unknown_for_one_reason_are_one_entry() -> None:
    late = [result("unknown", check=f"ha/{name}") for name in ("a", "b", "c")]
    late = [
        structs.replace(result_, outcome=Outcome.UNKNOWN, reason="broker 2 did not answer in 2.0 s") for result_ in late
    ]
    text = report(run(*late), ReportOptions())
    assert text.count("did not answer") == 1
    assert "so too" in text
    assert all(f"ha/{name}" in text for name in ("a", "b", "c"))
    assert "3 unknown" in text


def test_what_is_unknown_for_want_of_a_right_stands_in_one_line_and_in_full_by_itself() -> None:
    lacks = Gap("broker 1 does not let us look", kind=GapKind.DENIED, right="Describe on the cluster")
    results = [
        result(lacks.reason, check=f"ha/{name}", outcome=Outcome.UNKNOWN, failed=0, gaps=[lacks]) for name in "abcde"
    ]
    other = result("no answer", check="ha/other", outcome=Outcome.UNKNOWN, failed=0, gaps=[Gap("no answer")])
    short, full = (report(run(*results, other), ReportOptions(full=full)) for full in (False, True))
    [first] = [line for line in short.splitlines() if line.startswith("RIGHTS")]
    assert first.split(maxsplit=1)[1] == "our user lacks Describe on the cluster"
    assert "5 of 6 checks unknown for want of it" in short
    assert [line.split()[2] for line in short.splitlines() if line.startswith("UNKNOWN")] == ["ha/other"]
    assert "does not let us look" in full
    assert "does not let us look" not in short


def test_what_is_unknown_for_want_of_a_connection_leads_to_the_lines_that_give_it() -> None:
    gaps = [Gap("there is no fake", kind=GapKind.NOT_CONFIGURED)]
    text = report(run(result("ha/a", outcome=Outcome.UNKNOWN, gaps=gaps), result("ha/b")), ReportOptions(width=200))
    assert "1 check is unknown for want of a connection in the inventory: runbook env prints the lines" in text
    assert "runbook env" not in report(run(result("ha/b")), ReportOptions(width=200))


def test_what_is_unknown_for_two_reasons_is_counted_once() -> None:
    refuses = Gap("kafka-1:9092 can't be reached: connection refused", kind=GapKind.REFUSED)
    not_given = Gap("there is no ssh", kind=GapKind.NOT_CONFIGURED)
    gaps = [[refuses], [refuses, not_given], [not_given], [not_given]]
    results = [
        result("dark", check=f"ha/check-{number}", outcome=Outcome.UNKNOWN, gaps=of_one, judged=0, failed=0)
        for number, of_one in enumerate(gaps)
    ]
    text = report(run(*results), ReportOptions(width=200))
    assert "leaves     4 checks unknown, 2 of them for that reason" in text
    assert "2 more checks are unknown for want of a connection in the inventory" in text


def test_what_to_do_first_is_never_cut() -> None:
    remedy = " ".join(f"word{i}" for i in range(200))
    run = Run("r", "0", "manual", complete=True, started_at="2026-11-24T07:00:00.000Z", deadline_ms=1)
    run.heads, run.results = [Head("prod")], [result(remedy)]
    for text in (report(run, ReportOptions()), markdown.report(run, ReportOptions())):
        assert "word199" in text.rpartition("do first")[2]


@pytest.mark.parametrize(
    ("unseen", "said"), [([], "24 of 24"), (["2"], "24 of 25, with what could not be judged or seen")]
)
def test_what_is_counted_beside_the_rows_that_offend_is_said(unseen: list[str], said: str) -> None:
    rows = [JudgedRow({"partition": number}, "bad", touches={"broker": [1]}) for number in range(24)]
    gaps = [Gap("no answer", {"broker": number}) for number in unseen]
    failing = result(rows=rows, failed=24, gaps=gaps, common=common(rows, gaps))
    assert [share_of(common, failing) for common in failing.common] == [said]


def test_what_is_counted_of_rows_that_were_kept_alone_is_said() -> None:
    rows = [JudgedRow({"partition": number}, "bad", touches={"broker": [1]}) for number in range(24)]
    failing = result(rows=rows, failed=5_000, common=common(rows, []))
    assert [share_of(common, failing) for common in failing.common] == ["24 of the 24 that are kept"]


def test_where_nothing_could_be_looked_at_there_is_a_line_for_each_other_reason() -> None:
    refuses, not_given = Gap("kafka-1:9092 can't be reached: connection refused"), Gap("no ssh connection is given")
    dark = [
        result(gap.reason, check=f"ha/check-{number}", outcome=Outcome.UNKNOWN, gaps=[gap], judged=0, failed=0)
        for gap, count in ((refuses, 41), (not_given, 3))
        for number in range(count)
    ]
    lone = result("no hosts file", check="ha/lone", outcome=Outcome.UNKNOWN, gaps=[Gap("no hosts")], judged=0, failed=0)
    short = report(run(*dark, lone), ReportOptions(width=120))
    first = [line for line in short.splitlines() if line.startswith("UN")]
    assert first == [
        "UNSEEN   nothing of prod could be looked at: kafka-1:9092 can't be reached: connection refused",
        "UNKNOWN  3 checks, the worst high: no ssh connection is given",
        "UNKNOWN  ha/lone, high: no hosts file",
    ]
    assert "leaves     45 checks unknown, 41 of them for that reason" in short
    assert "every check, with its reasons: --full" in short
    assert "check-40" not in short
    assert "check-40" in report(run(*dark, lone), ReportOptions(full=True))


def test_a_remedy_is_told_with_its_commands_and_in_full_all_of_it() -> None:
    remedy = "Raise it.\n\n```sh\n# at night\nset --this \\\n  --so\nset --that\n```\n\nRisk: disks fill."
    asked = run(result(remedy))
    [brief, full] = [report(asked, ReportOptions(full=full)).splitlines() for full in (False, True)]
    commands = ["           set --this --so", "           set --that"]
    lead = " " * 9
    assert brief[brief.index(f"{lead}do first   Raise it.") + 1 :][:2] == [f"{lead}  {line}" for line in commands]
    assert "Risk" not in " ".join(brief[brief.index(f"{lead}do first   Raise it.") :])
    assert full[full.index(f"{lead}do first   Raise it.") + 1 :][:4] == [
        f"{lead}             # at night",
        *(f"{lead}  {line}" for line in commands),
        f"{lead}           Risk: disks fill.",
    ]


def test_the_walk_that_a_cause_offers_has_the_words_that_it_knows_each_as_one_word_of_a_shell() -> None:
    cause = CauseFound(
        cause="ha/x",
        title="X",
        says="it is so",
        certain=True,
        first="Do it.",
        procedure="ha/y",
        words={"GROUP": "a'; reboot; '", "OFFSET": "542"},
    )
    found = run(result("Wait."))
    found.diagnoses = [Diagnosis(environment="prod", causes=[cause])]
    told = report(found, ReportOptions())
    [walk] = [line for line in told.splitlines() if " walk " in line]
    assert shlex.split(walk)[1:] == [
        *("runbook", "procedure", "walk", "ha#y", "--env", "prod"),
        *("--set", "GROUP=a'; reboot; '", "--set", "OFFSET=542"),
    ]


def test_a_procedure_that_a_remedy_names_is_told_as_the_command_that_walks_it() -> None:
    remedy = "Wait, or go by procedure `restore-leaders`.\n\nLater: procedure `dr#fail-over`."
    asked = run(result(remedy, environment="prod eu"), result(remedy, check="ha/b", subject_kind="link"))
    [brief, full] = [report(asked, ReportOptions(full=full)).splitlines() for full in (False, True)]
    restores = "         walk       runbook procedure walk ha#restore-leaders --env 'prod eu'"
    assert [line for line in brief if " walk " in line] == [restores]
    later = restores.replace("ha#restore-leaders", "dr#fail-over")
    assert [line for line in full if " walk " in line] == [restores, later]
    elsewhere = report(asked, ReportOptions(inventory="our envs.yaml"))
    assert f"{restores} -i 'our envs.yaml'" in elsewhere.splitlines()
    there = report(asked, ReportOptions(full=True, walking="dr/fail-over"))
    assert [line for line in there.splitlines() if " walk " in line] == [restores]
