"""A block is named by its runbook and its id, or by its id alone; a wrong name is told the nearest."""

import json
from pathlib import Path
from typing import Any

import pytest

from runbook.model.exit_code import ExitCode
from runbook.search.index import Index
from support.own_runbook import change

HEALTHY = str(Path(__file__).parents[1] / "cases" / "ha" / "healthy.json")


@pytest.mark.parametrize("word", ["ha#brokers-agree", "ha/brokers-agree", "ha.md#brokers-agree"])
def test_one_check_is_named_as_show_names_it(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY, "-f", "json")
    assert [result["check"] for result in json.loads(done.out)["results"]] == ["ha/brokers-agree"]


def test_a_check_beside_a_whole_runbook_and_only(command: Any) -> None:
    done = command("check", "ha#brokers-agree", "gc", "--only", "every-broker-answers", "--from", HEALTHY, "-f", "json")
    names = [result["check"] for result in json.loads(done.out)["results"]]
    assert {"ha/brokers-agree", "ha/every-broker-answers"} == {name for name in names if name.startswith("ha/")}
    assert sum(name.startswith("gc/") for name in names) > 10


def test_a_diagnostic_means_the_checks_that_tell_its_causes_apart(command: Any) -> None:
    done = command("check", "ha#a-broker-is-cut-off", "--from", HEALTHY, "-f", "json")
    shown = command("show", "ha#a-broker-is-cut-off").out
    names = [result["check"] for result in json.loads(done.out)["results"]]
    assert len(names) > 1
    assert all(name.split("/")[1] in shown for name in names)


def test_a_symptom_of_which_nothing_fails_says_what_no_check_can_tell(command: Any) -> None:
    done = command("check", "ha#replicas-are-behind", "--from", HEALTHY)
    assert (done.code, done.err) == (0, "")
    done = command("check", "ha#writers-are-refused", "ha#topics-cannot-be-created", "--from", HEALTHY)
    assert done.err.startswith("no check can tell: The topic name is taken or invalid; ")
    assert done.err.endswith(": runbook show ha#topics-cannot-be-created\n")


@pytest.mark.parametrize("word", ["UnderReplicatedPartitions", "under-replicated-partitions"])
def test_an_alert_means_the_symptoms_that_list_it(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY, "-f", "json")
    symptoms = ["ha#replicas-are-behind", "observability#in-sync-sets-flap"]
    assert done.err.startswith(f"{word} is listed by {', '.join(symptoms)}\n")
    assert (
        json.loads(done.out)["results"]
        == json.loads(command("check", *symptoms, "--from", HEALTHY, "-f", "json").out)["results"]
    )


@pytest.mark.parametrize(
    "text",
    [
        "NotEnoughReplicasException: the ISR is too small",
        f"{'x' * 300} NotEnoughReplicasException: Messages are rejected since there are fewer in-sync replicas",
    ],
)
def test_a_line_of_a_log_means_the_symptoms_that_list_its_error(command: Any, text: str) -> None:
    done = command("check", text, "--from", HEALTHY)
    assert done.code == 0
    assert "is listed by ha#writers-are-refused" in done.err


def test_of_a_text_that_nothing_lists_what_shares_its_words_is_checked(command: Any) -> None:
    done = command("check", "consumer reads everything again", "--from", HEALTHY, "-f", "json")
    assert "no runbook lists this text; checked is what shares its words: consumers#" in done.err
    assert "need not be about it: runbook find 'consumer reads everything again'" in done.err
    assert {result["check"].partition("/")[0] for result in json.loads(done.out)["results"]} >= {"consumers"}


@pytest.mark.parametrize("word", ["KafkaOfflinePartitions", "[FIRING:1] KafkaOfflinePartitions cluster=prod"])
def test_an_alert_with_kafka_before_its_name_means_the_same(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY)
    assert "is listed by ha#partitions-are-offline" in done.err


def test_an_alert_that_nothing_lists_is_asked_for_by_its_words(command: Any) -> None:
    done = command("check", "KafkaDiskAlmostFull", "--from", HEALTHY)
    assert "no runbook lists this text; checked is what shares its words: ha#a-disk-failed-or-is-full" in done.err
    assert "need not be about it: runbook find KafkaDiskAlmostFull" in done.err


@pytest.mark.parametrize("word", ["KafkaJVMGCTimeHigh", "Hha", "xyzzy.md"])
def test_a_word_that_is_no_alert_s_name_or_says_too_little_is_refused(command: Any, word: str) -> None:
    assert command("check", word, "--from", HEALTHY).code == 2


def test_a_text_without_a_word_that_any_runbook_has_is_sent_to_the_search(command: Any) -> None:
    done = command("check", "xyzzy plugh", "--from", HEALTHY)
    assert done.code == 2
    assert done.err == "no runbook, alert or error is named in this text: runbook find 'xyzzy plugh'\n"


def test_a_topic_that_the_error_names_is_looked_for(command: Any) -> None:
    there = command("check", "Topic orders not present in metadata after 60000 ms.", "--from", HEALTHY, "-f", "json")
    typo = command("check", "Topic ordres not present in metadata after 60000 ms.", "--from", HEALTHY, "-f", "json")
    outcomes = [
        result["outcome"]
        for done in (there, typo)
        for result in json.loads(done.out)["results"]
        if result["check"] == "ha/the-named-topic-exists"
    ]
    assert outcomes == ["pass", "fail"]


def test_a_cause_that_the_error_names_is_the_first_thing_of_the_answer(command: Any) -> None:
    asked = ("check", "InvalidTxnTimeoutException", "--from", HEALTHY)
    done = command(*asked)
    assert done.out.startswith("The error itself says: transaction.timeout.ms is above")
    assert "error itself" not in done.err
    assert command(*asked, "-f", "markdown").out.startswith("**The error itself says** transaction.timeout.ms")
    said = json.loads(command(*asked, "-f", "json").out)["error_says"]
    assert said["symptom"] == "error-handling/transactions-fail"
    assert said["remedy"].startswith("Lower transaction.timeout.ms")
    assert "the error itself says: transaction.timeout.ms is above" in command(*asked, "-f", "github").err
    assert json.loads(command("check", "ha#brokers-agree", "--from", HEALTHY, "-f", "json").out)["error_says"] is None


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Topic ordres not present in metadata after 60000 ms.", True),
        ("Topic orders not present in metadata after 60000 ms.", False),
    ],
)
def test_a_cause_whose_checks_pass_is_not_ruled_out_by_that(command: Any, text: str, *, seen: bool) -> None:
    done = command("check", text, "--from", HEALTHY)
    assert ("checks of this cause pass here, which does not rule it out" in " ".join(done.out.split())) is not seen
    assert json.loads(command("check", text, "--from", HEALTHY, "-f", "json").out)["error_says"]["seen"] is seen


def test_a_cause_that_the_error_names_is_told_where_no_check_can(command: Any) -> None:
    text = "Invalid receive (size = 1195725856 larger than 104857600)"
    done = command("check", text, "--from", HEALTHY)
    assert done.code == 4
    assert done.out.startswith("The error itself says: An HTTP client, such as a health check")
    assert json.loads(command("check", text, "--from", HEALTHY, "-f", "json").out)["results"] == []
    untold = command("check", "security#the-broker-refuses-a-huge-request", "--from", HEALTHY)
    assert (untold.code, untold.out) == (2, "")


def test_of_an_error_that_two_causes_name_none_is_said_to_be_it(command: Any) -> None:
    done = command("check", "FindCoordinator request failed: COORDINATOR_NOT_AVAILABLE", "--from", HEALTHY)
    assert "error itself" not in done.out
    assert "the error leaves: " in done.err


def test_a_text_is_searched_for_once(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Counted(Index):
        def __init__(self, *of: Any) -> None:
            made.append("an index")
            super().__init__(*of)

    monkeypatch.setattr("runbook.search.index.Index", Counted)
    for text in ("Topic orders not present in metadata after 60000 ms.", "consumer reads everything again"):
        command("check", text, "--from", HEALTHY)
    assert len(made) == 2


@pytest.mark.parametrize("word", ["ha#broker-is-down", "ha#what-has-stopped"])
def test_a_cause_or_an_effect_means_the_runbook_beside_whose_checks_it_is_told(command: Any, word: str) -> None:
    done = command("check", word, "--from", HEALTHY, "-f", "json")
    whole = command("check", "ha", "--from", HEALTHY, "-f", "json")
    assert done.code == whole.code
    assert len(json.loads(done.out)["results"]) == len(json.loads(whole.out)["results"]) > 50


def test_only_completes_checks_of_the_runbook_that_is_named(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "runbook check ha --only "
    monkeypatch.setenv("_RUNBOOK_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "4")
    words = command().out.split()
    assert len(words) > 50
    assert all(word.startswith("ha/") for word in words)


def test_a_name_among_many_is_told_by_the_nearest_and_by_what_lists_them(command: Any) -> None:
    done = command("show", "ha#brokers-agre")
    assert done.err.startswith("ha has no block brokers-agre: did you mean brokers-agree? runbook list ha names all ")
    assert len(done.err) < 120
    assert "did you mean rolling-restart?" in command("show", "ha#restart").err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["lab", "break", "stop-brokr"], "did you mean stop-broker? runbook lab break names all "),
        (["lab", "break", "brokr-zzz-7"], "runbook lab break names all "),
        (["check", "ha", "--from", HEALTHY, "--only", "brokers-agre"], "did you mean brokers-agree? runbook list ha "),
        (["check", "ha", "--from", HEALTHY, "--only", "zzzzzz"], "no such check; runbook list ha names all "),
        (["test", "ha", "--only", "brokers-agre"], "did you mean ha/brokers-agree? runbook list ha names all "),
        (["show", "copys-are-on-two-hosts"], "did you mean os-hardware#copies-are-on-two-hosts? runbook list names"),
        (["show", "dor"], "did you mean dr? known: "),
        (["check", "hi"], "did you mean ha? known: "),
        (["list", "hb"], "did you mean ha? known: "),
        (["find", "retention", "--in", "observ"], "did you mean observability? known: "),
    ],
)
def test_no_wrong_name_meets_a_wall_of_names(command: Any, words: list[str], expected: str) -> None:
    done = command(*words)
    assert (done.code, done.out) == (2, "")
    assert expected in done.err
    assert len(done.err) < 300


def test_a_check_of_an_inventory_that_there_is_not_is_told_by_the_nearest(command: Any, here: Path) -> None:
    kafka = "absent: {kafka: nothing is asked here}"
    typo = "params: {ha/brokers-agre: {x: 1}}"
    (here / "environments.yaml").write_text(f"environments: {{dev: {{{kafka}, {typo}}}}}\n", "utf-8")
    done = command("check", "ha#brokers-agree")
    assert done.code == 2
    assert done.err.splitlines()[1].strip().startswith("did you mean ha/brokers-agree? runbook list ha names all ")


def test_an_id_alone_is_the_one_block_of_that_name(command: Any) -> None:
    options = ("--from", HEALTHY, "-f", "json")
    assert [r["check"] for r in json.loads(command("check", "brokers-agree", *options).out)["results"]] == [
        "ha/brokers-agree"
    ]
    assert command("show", "brokers-agree").out == command("show", "ha#brokers-agree").out
    assert command("test", "brokers-agree").out == command("test", "ha#brokers-agree").out
    assert "0 wrong" in command("test", "ha#brokers-agree").out


def test_an_id_alone_is_found_where_it_is_spelt_like_a_runbook(command: Any, first: Any) -> None:
    """Nearness to the name of a runbook only guesses at what was meant; an id that is there is no guess."""
    change(first, "id: enough-brokers", "id: brokers-are-enough")
    first.rename(first.with_name("brokers.md"))
    for book, alone in (("brokers", "brokers-are-enough"), ("consumers", "consumers-fall-behind")):
        whole = f"{book}#{alone}"
        assert command("show", alone).out == command("show", whole).out != ""
        named = [command("check", word, "--from", HEALTHY, "-f", "json") for word in (alone, whole)]
        checks = [[result["check"] for result in json.loads(done.out)["results"]] for done in named]
        assert checks[0] == checks[1] != []
    assert "did you mean consumers?" in command("show", "consumers-fall-behnd").err


def test_an_id_of_two_blocks_asks_which(command: Any, knowledge: Any) -> None:
    for name in ("first", "second"):
        book = knowledge.joinpath("runbooks", "first.md").read_text("utf-8")
        knowledge.joinpath("runbooks", f"{name}.md").write_text(book.replace("title:", f"title: {name}", 1), "utf-8")
    done = command("show", "enough-brokers")
    assert (done.code, done.err) == (
        2,
        "enough-brokers: which? first#enough-brokers or ha#enough-brokers or second#enough-brokers\n",
    )


@pytest.mark.parametrize("word", ["ha#brokers-agree", "brokers-agree"])
@pytest.mark.parametrize("name", ["lint", "list"])
def test_a_block_where_a_runbook_is_wanted_is_told_what_shows_it(command: Any, name: str, word: str) -> None:
    done = command(name, word)
    said = f"{word} is one block: runbook show ha#brokers-agree; here whole runbooks are named: ha\n"
    assert (done.code, done.err) == (2, said)


def test_a_block_of_two_runbooks_is_told_both_where_one_of_them_is_wanted(command: Any, knowledge: Path) -> None:
    assert knowledge.joinpath("runbooks", "first.md").is_file()  # it has an enough-brokers, too
    both = "runbook show first#enough-brokers or runbook show ha#enough-brokers; here whole runbooks are named"
    assert command("list", "enough-brokers").err == f"enough-brokers is one block: {both}: first or ha\n"
    assert "no runbook enough-brokrs: no such file" in command("list", "enough-brokrs").err


def test_a_procedure_is_told_that_it_has_no_cases(command: Any) -> None:
    done = command("test", "ha#rolling-restart")
    assert (done.code, done.err) == (2, "ha#rolling-restart is no check and no cause, and only those have cases\n")


def test_cases_of_one_check_beside_a_whole_runbook(command: Any) -> None:
    alone = int(command("test", "ha#brokers-agree").out.split()[0])
    whole = int(command("test", "observability").out.split()[0])
    assert command("test", "ha#brokers-agree", "observability").out.startswith(f"{alone + whole} cases right, 0 wrong")


def test_an_error_that_no_check_can_tell_is_answered_whatever_else_is_asked(command: Any, tmp_path: Path) -> None:
    text, saved = "Invalid receive (size = 1195725856 larger than 104857600)", tmp_path / "saved.json"
    done = command("check", text, f"again: {text}", "--from", HEALTHY, "--save", str(saved), "-f", "junit")
    assert done.code == ExitCode.NOTHING
    assert "nothing was asked and nothing is kept" in done.err
    assert "the error itself says: An HTTP client, such as a health check" in done.err
    assert not saved.exists()
