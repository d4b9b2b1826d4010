from pathlib import Path
from typing import Any


def test_a_case_that_comes_out_otherwise_is_wrong_and_says_how(command: Any, cases: Path):
    cases.write_text(cases.read_text().replace("expect: fail", "expect: pass"))
    ended = command("test", "runbooks/first.md")
    assert ended.code == 1
    assert "WRONG  first/enough-brokers: one of three does not answer\n       expected pass, is fail:" in ended.out
    assert "3 cases right, 1 wrong" in ended.out


def test_right_cases_are_named_on_request_only(command: Any, knowledge: Path):
    assert knowledge
    quiet, verbose = command("test", "runbooks/first.md"), command("test", "runbooks/first.md", "--verbose")
    assert quiet.code == verbose.code == 0
    assert quiet.out == "4 cases right, 0 wrong, 0 checks and causes without cases\n"
    assert "right  first/enough-brokers: three brokers answer (pass)" in verbose.out


def test_without_any_case_nothing_was_shown(command: Any, cases: Path):
    cases.unlink()
    ended = command("test", "runbooks/first.md")
    assert ended.code == 4
    assert "no cases: first/enough-brokers" in ended.err


def test_mistakes_in_a_case_file_are_told_and_the_other_files_judged(command: Any, knowledge: Path, cases: Path):
    second = knowledge / "runbooks/second.md"
    second.write_text((knowledge / "runbooks/first.md").read_text() + "More prose.\n")
    other = knowledge / "tests/cases/second/enough-brokers.yaml"
    other.parent.mkdir()
    other.write_text(cases.read_text().replace("first/", "second/"))
    cases.write_text(cases.read_text().replace("answers: false", "answer: false"))
    ended = command("test", "runbooks/first.md", "runbooks/second.md")
    assert ended.code == 2
    assert "tests/cases/first/enough-brokers.yaml:20" in ended.err
    assert "4 cases right, 0 wrong" in ended.out


def test_only_some_checks_can_be_tried(command: Any, knowledge: Path):
    assert knowledge
    assert command("test", "runbooks/first.md", "--only", "enough-brokers").code == 0
    ended = command("test", "runbooks/first.md", "--only", "enough-broker")
    assert ended.code == 2
    assert "did you mean first/enough-brokers?" in ended.err


def test_a_mistake_of_the_runbook_is_told_also_where_one_check_of_it_is_named(command: Any, knowledge: Path):
    runbook = knowledge / "runbooks/first.md"
    sound = runbook.read_text("utf-8")
    for mistake, said in (
        (sound.replace("title: What our", "titel: What our"), "did you mean title?"),
        (sound.replace("params.least", "params.last"), "did you mean params.least?"),
    ):
        runbook.write_text(mistake, "utf-8")
        for words in ([], ["first"], ["runbooks/first.md"]):
            ended = command("test", *words, "--only", "enough-brokers")
            assert ended.code == 2
            assert said in ended.err
            assert "no such check" not in ended.err


def test_several_checks_may_be_named_at_once_and_by_pattern(command: Any, knowledge: Path):
    assert knowledge
    for only in ("enough-*", "first/*", "enough-brokers,first/enough-brokers", "enough-brokers,"):
        assert command("test", "first", "--only", only).out.startswith("4 cases right"), only
    for only, said in (
        ("less-*", "--only less-*: no such"),
        ("enough-brokers,x", "--only x: no such"),
        ("", "no such"),
    ):
        ended = command("test", "first", "--only", only)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err


def test_a_recorded_base_serves_many_cases(command: Any, knowledge: Path, cases: Path):
    from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
    from runbook.model.ask import FactQuestion
    from runbook.model.fact import Fact
    from runbook.parse.inventory import Environment

    columns = {"broker": [1, 2, 3], "rack": ["a", "b", "c"], "host": ["x", "y", "z"], "port": [9092] * 3}
    fact = Fact("kafka_broker", columns | {"fenced": [False] * 3, "answers": [True] * 3})
    kept = [Kept(FactQuestion("prod", "kafka", "kafka_broker"), {"": fact})]
    now = "2026-11-21T10:00:00+00:00"
    bundle = Bundle(FORMAT, "0", "run", now, {"prod": Environment()}, {"prod": ["kafka"]}, [], kept, typed_gaps=True)
    save_bundle(cases.with_name("healthy.json"), bundle)
    cases.write_text(
        "base: healthy.json\n"
        "cases:\n"
        "  - {name: as recorded, expect: pass}\n"
        "  - name: broker 3 is gone\n"
        "    expect: fail\n"
        "    facts: {broker: {change: [{where: {broker: 3}, set: {answers: false}}]}}\n"
    )
    assert knowledge
    assert command("test", "runbooks/first.md").out == "2 cases right, 0 wrong, 0 checks and causes without cases\n"
    assert command("lint", "runbooks/first.md").code == 0


def test_that_nothing_was_tested_is_said_with_what_to_write(command: Any, knowledge: Path, cases: Path):
    cases.write_text("cases: []\n")
    ended = command("test")
    assert ended.code == 4
    assert (
        "nothing was tested: no check or cause has a case\n    write tests/cases/first/enough-brokers.yaml" in ended.err
    )
    first = knowledge / "runbooks/first.md"
    first.write_text(first.read_text().replace(" {.check}", ""))
    ended = command("test", "runbooks/first.md")
    assert ended.code == 4
    assert "nothing was tested: there is no check or cause in what was named" in ended.err


def test_the_last_line_counts_files_that_can_not_be_read(command: Any, cases: Path):
    cases.write_text("cases: [")
    ended = command("test")
    assert ended.code == 2
    assert ended.out.endswith("without cases; mistakes in 1 file\n")
    assert "nothing was tested" not in ended.err
