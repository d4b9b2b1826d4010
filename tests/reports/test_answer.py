"""What is said first of an environment."""

import pytest
from msgspec.structs import replace

from runbook.connections.kafka.errors import from_code
from runbook.connections.kafka.visibility import hidden_topics
from runbook.model.diagnosis import CauseFound, Diagnosis, WalkOnRecord
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline
from runbook.model.result import Outcome, Result
from runbook.model.run import Head
from runbook.reports._answer import answer, answering
from runbook.reports._brief import Brief
from runbook.reports._unseen import Standby, standbys
from support.small_runbooks import result


def found(cause: str, says: str) -> CauseFound:
    return CauseFound(cause=cause, title="A cause", says=says, certain=True, first=f"mend {says}")


@pytest.mark.parametrize(
    ("brokers", "answer_us", "silent", "said"),
    [
        (3, 2, [2], "2 of 3 brokers answer, not broker 2"),
        (2, 2, [2], "2 of 3 brokers answer, not broker 2"),  # named by partitions, and not registered any more
        (3, 1, [2, 3], "1 of 3 brokers answer, not brokers 2, 3"),
        (3, 3, [], "3 of 3 brokers answer"),
        (3, 2, None, "2 of 3 brokers answer (which: runbook check ha)"),
        (None, None, [2], ""),
    ],
)
def test_who_does_not_answer_is_one_of_those_that_there_are(
    brokers: int | None, answer_us: int | None, silent: list[int] | None, said: str
) -> None:
    assert answering(Head("prod", brokers=brokers, answering=answer_us, silent=silent)) == said


def test_further_findings_of_one_kind_hide_no_other_kind() -> None:
    full = [found("ha/disk-is-full", f"disk {number} is full") for number in (1, 2, 3)]
    said = Diagnosis(environment="prod", causes=[*full, found("error-handling/worker-is-silent", "a worker is silent")])
    parts = answer(said, [], "2026-11-24T14:00:00Z")
    assert [(part.word, part.says) for part in parts] == [
        ("CAUSE", "disk 1 is full"),
        ("CAUSE", "a worker is silent"),
        ("CAUSE", "disk 2 is full"),
        ("CAUSES", "1 more: --full"),
    ]
    firsts = [line.says for part in parts for line in part.lines if line.label == "first"]
    assert firsts == ["mend disk 1 is full", "mend a worker is silent"]  # of one kind it is the same, and said once


STANDING = replace(found("topics/no-bound", "2 topics have no bound"), standing=True)


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ([], [("CAUSE", "2 topics have no bound")]),
        (
            [found("ha/down", "broker 2 is down")],
            [("CAUSE", "broker 2 is down"), ("STANDING", "2 topics have no bound: --full")],
        ),
    ],
)
def test_standing_conditions_are_one_line_beside_a_fault_of_this_hour(
    others: list[CauseFound], told: list[tuple[str, str]]
) -> None:
    said = Diagnosis(environment="prod", causes=[*others, STANDING])
    parts = answer(said, [], "2026-11-24T14:00:00Z", Brief(read=False))
    assert [(part.word, part.says) for part in parts] == told
    in_full = answer(said, [], "2026-11-24T14:00:00Z")
    assert [(part.word, part.says) for part in in_full] == [("CAUSE", cause.says) for cause in said.causes]


def test_several_standing_conditions_are_one_line_by_their_titles() -> None:
    copies = replace(found("ha/one-copy", "topic a has one copy"), standing=True, title="Topics have one copy")
    said = Diagnosis(environment="prod", causes=[found("ha/down", "broker 2 is down"), copies, copies, STANDING])
    [_, part] = answer(said, [], "2026-11-24T14:00:00Z", Brief(read=False))
    assert (part.word, part.says) == ("STANDING", "Topics have one copy; A cause: --full")


MOVE = "`runbook procedure walk dr#fail-over --env eu --to us`"
OVER = WalkOnRecord(
    walk="w",
    procedure="dr/fail-over",
    environments=["eu", "us"],
    standing="completed",
    stage="after",
    by="ada",
    at="2026-11-24T13:48:00Z",
    word="/var/walks/w.jsonl",
)


@pytest.mark.parametrize(
    ("walk", "line"),
    [
        (OVER, "dr#fail-over eu → us, by ada: completed, 12 minutes ago: runbook procedure show /var/walks/w.jsonl"),
        (
            replace(OVER, standing="under way", stage="step 5", at="2026-11-24T14:00:09Z"),
            (
                "dr#fail-over eu → us, by ada: under way at step 5, 0 seconds ago: "
                "runbook procedure show /var/walks/w.jsonl"
            ),
        ),
        (
            replace(OVER, standing="paused", stage="", environments=["eu"], word="w w"),
            "dr#fail-over eu, by ada: paused, 12 minutes ago: runbook procedure walk --resume 'w w' -i 'my sites.yaml'",
        ),
        (replace(OVER, procedure="dr/fail-back"), ""),
        (replace(OVER, procedure="dr/fail-back", standing="given up"), ""),
        (
            replace(OVER, procedure="dr/reseed-a-site", standing="paused", stage="step 2"),
            (
                "dr#reseed-a-site eu → us, by ada: paused at step 2, 12 minutes ago: "
                "runbook procedure show /var/walks/w.jsonl"
            ),
        ),
    ],
)
def test_a_procedure_that_somebody_walks_already_is_offered_with_that(walk: WalkOnRecord, line: str) -> None:
    cause = replace(found("dr/dark", "no broker answers"), first=f"Is it gone? Then {MOVE}.")
    said = Diagnosis(environment="eu", causes=[cause], walks=[walk])
    [part] = answer(said, [], "2026-11-24T14:00:00Z", Brief(inventory="my sites.yaml"))
    assert "".join(told.says for told in part.lines if told.label == "on record") == line


def test_a_walk_that_has_not_ended_is_told_once_with_the_first_cause() -> None:
    causes = [replace(found(f"dr/{name}", name), first=f"Then {MOVE}.") for name in ("dark", "far")]
    said = Diagnosis(environment="eu", causes=causes, walks=[replace(OVER, standing="paused"), OVER])
    parts = answer(said, [], "2026-11-24T14:00:00Z")
    told = [[line.says for line in part.lines if line.label == "on record"] for part in parts]
    assert [["paused" in line for line in lines] for lines in told] == [[True, False], [False]]


@pytest.mark.parametrize(
    ("explains", "helps", "perhaps", "said"),
    [
        (["ha/a"], [], [], "1 of 2 failing checks: they pass without it"),
        (["ha/a"], ["ha/b"], [], "1 of 2 failing checks: they pass without it; 1 more, together with the other causes"),
        ([], ["ha/a"], [], "1 of 2 failing checks, together with the other causes"),
        ([], [], ["ha/a"], "perhaps 1 of 2 failing checks"),
        (["ha/a"], [], ["ha/b"], "1 of 2 failing checks: they pass without it; perhaps 1 more"),
        ([], [], [], "none of 2 failing checks"),
    ],
)
def test_what_a_cause_explains_alone_and_with_others_is_told_apart(
    explains: list[str], helps: list[str], perhaps: list[str], said: str
) -> None:
    cause = replace(found("ha/disk-is-full", "a disk is full"), explains=explains, helps=helps, may_explain=perhaps)
    failed = [result(check, "prod", Outcome.FAIL) for check in ("ha/a", "ha/b")]
    [part, *_] = answer(Diagnosis(environment="prod", causes=[cause]), failed, "2026-11-24T14:00:00Z")
    assert [line.says for line in part.lines if line.label == "explains"] == [said]


def test_what_a_cause_hides_nothing_of_is_not_said_to_be_hidden() -> None:
    cause = replace(found("ha/disk-is-full", "a disk is full"), explains=["ha/a"])
    results = [result("ha/a", "prod", Outcome.FAIL), result("ha/b", "prod", Outcome.UNKNOWN)]
    [part, *_] = answer(Diagnosis(environment="prod", causes=[cause]), results, "2026-11-24T14:00:00Z")
    [said] = [line.says for line in part.lines if line.label == "explains"]
    assert said == "1 of 1 failing check: they pass without it; none of 1 unknown"


def test_what_no_cause_explains_or_hides_is_named() -> None:
    cause = replace(found("ha/broker-is-down", "a broker is down"), explains=["ha/a"], withholds=["ha/c"])
    failed = [result(check, "prod", Outcome.FAIL) for check in ("ha/a", "ha/b")]
    results = [*failed, *(result(check, "prod", Outcome.UNKNOWN) for check in ("ha/c", "ha/d"))]
    said = Diagnosis(environment="prod", causes=[cause], unexplained=["ha/b"])
    _, *also = answer(said, results, "2026-11-24T14:00:00Z", Brief(left=0))
    assert [part.says for part in also] == [
        "1 more failing check that no cause explains: ha/b",
        "1 unknown that no cause hides: ha/d",
    ]
    [_, left] = answer(said, results, "2026-11-24T14:00:00Z", Brief(left=0, tight=True))
    assert left.says.endswith(": --full")


@pytest.mark.parametrize(("keys", "said"), [({"broker": [2]}, "A cause: broker 2"), ({}, "A cause")])
def test_what_follows_from_a_cause_is_named_with_what_it_is_about_where_it_has_keys(
    keys: dict[str, list[int]], said: str
) -> None:
    down = found("ha/broker-is-down", "broker 2 is down")
    behind = replace(found("ha/copies-are-behind", "copies are behind"), beneath=down.says, keys=keys)
    [part, *_] = answer(Diagnosis(environment="prod", causes=[down, behind]), [], "2026-11-24T14:00:00Z")
    assert [line.says for line in part.lines if line.label == "with it"] == [said]


def test_what_is_explained_by_what_follows_from_a_cause_is_counted_with_it_and_once() -> None:
    dark = replace(found("dr/site-is-dark", "a site is dark"), may_explain=["dr/a", "dr/b"])
    halted = replace(found("dr/flow-stands", "the flow stands"), beneath=dark.says, explains=["dr/a", "dr/c"])
    about = replace(halted, keys={"connectors": [["one", "two"]]})
    results = [result(check, "prod", Outcome.FAIL) for check in ("dr/a", "dr/b", "dr/c")]
    [part] = answer(Diagnosis(environment="prod", causes=[dark, about]), results, "2026-11-24T14:00:00Z")
    assert [(line.label, line.says) for line in part.lines][-3:] == [
        ("explains", "2 of 3 failing checks, with what stands beneath it; perhaps 1 more"),
        ("with it", "A cause: connectors one, two"),
        ("read", "runbook show dr#site-is-dark"),
    ]


_REFUSED = 29  # TOPIC_AUTHORIZATION_FAILED


class SeesNoTopic:
    """A client without Describe on any topic."""

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """As Kafka answers about a name that may not be seen."""
        return dict.fromkeys(names, "TOPIC_AUTHORIZATION_FAILED")


def unknown(check: str, *gaps: Gap) -> Result:
    return replace(result(check, "prod", Outcome.UNKNOWN), severity="critical", gaps=[*gaps])


def refused(right: str) -> Gap:
    return Gap.of(from_code(_REFUSED, "broker 1", right=right))


def test_the_rights_that_were_refused_are_the_answer_where_nothing_worse_is_known() -> None:
    results = [
        unknown("ha/a", *hidden_topics(SeesNoTopic(), list, Deadline(5))),
        unknown("ha/b", refused("Describe on the cluster"), refused("DescribeConfigs on the topic")),
        unknown("ha/c", Gap("broker 2 did not answer in 2.0 s")),
    ]
    [part] = answer(None, results, "2026-11-24T14:00:00Z")
    assert (part.word, part.says) == (
        "RIGHTS",
        "our user lacks Describe on all topics, Describe on the cluster, DescribeConfigs on the topic",
    )
    assert [line.says for line in part.lines][:2] == [
        "2 of 3 checks unknown for want of it; more may hang on it",
        "ha/a (critical), ha/b (critical): --full",
    ]


def test_rights_are_not_the_answer_beneath_a_failure_as_grave_or_a_cause_or_where_none_was_refused() -> None:
    lacking = unknown("ha/a", refused("Describe on the cluster"))
    failing = replace(result("ha/b", "prod", Outcome.FAIL), severity="high")
    caused = Diagnosis(environment="prod", causes=[found("ha/disk-is-full", "a disk is full")])
    when = "2026-11-24T14:00:00Z"
    assert answer(None, [lacking, failing], when) == []
    assert [part.word for part in answer(caused, [lacking], when)] == ["CAUSE"]
    assert answer(None, [unknown("ha/a", Gap("no broker answers"))], when) == []
    assert answer(None, [replace(failing, severity="medium"), lacking], when) != []


def nothing_of(environment: str) -> list[Result]:
    refuses = Gap("kafka-1:9092 can't be reached: connection refused", kind=GapKind.REFUSED)
    return [replace(unknown(f"ha/{name}", refuses), judged=0, environment=environment) for name in "ab"]


def test_where_the_standby_is_silent_too_nobody_is_sent_there() -> None:
    both = [*nothing_of("prod"), *nothing_of("dr")]
    assert standbys(["dr", "far"], both) == [Standby("dr", silent=True), Standby("far")]
    [part] = answer(None, both[:2], "2026-11-24T14:00:00Z", standbys=standbys(["dr", "far"], both))
    tries = "runbook env --env prod tries each connection and says what to look at"
    assert [(line.label, line.says) for line in part.lines[1:]] == [
        (
            "first",
            f"neither prod nor dr answers from here: look at your own network; do not fail over from here; {tries}",
        ),
        ("standby", "it is mirrored to far; could that take over? runbook check dr --env far"),
    ]
    given = Brief(inventory="our envs.yaml")
    [part] = answer(None, both[:2], "2026-11-24T14:00:00Z", given, standbys(["dr", "far"], both))
    assert "runbook env --env prod -i 'our envs.yaml' tries" in part.lines[1].says
    assert part.lines[2].says.endswith("runbook check dr --env far -i 'our envs.yaml'")


def test_a_cause_stands_before_what_it_leaves_unseen_which_says_no_other_first_step() -> None:
    said = Diagnosis(environment="prod", causes=[found("dr/neither", "neither site answers")])
    parts = answer(said, nothing_of("prod"), "2026-11-24T14:00:00Z", standbys=[Standby("dr")])
    assert [part.word for part in parts] == ["CAUSE", "UNSEEN"]
    assert [line.label for line in parts[1].lines] == ["leaves"]
    possible = [replace(said.causes[0], certain=False)]
    first = answer(replace(said, causes=possible), nothing_of("prod"), "2026-11-24T14:00:00Z")
    assert [part.word for part in first] == ["UNSEEN", "POSSIBLE"]


def test_who_interrupts_a_run_is_not_told_that_nothing_could_be_looked_at() -> None:
    nothing = [replace(unknown(f"ha/{name}", Gap("ended", kind=GapKind.INTERRUPTED)), judged=0) for name in "ab"]
    assert answer(None, nothing, "2026-11-24T14:00:00Z") == []


def test_where_nothing_could_be_looked_at_that_is_said_first_with_why_and_what_to_do() -> None:
    refuses = Gap("kafka-1:9092 can't be reached: connection refused", kind=GapKind.REFUSED)
    not_given = Gap("there is no ssh", kind=GapKind.NOT_CONFIGURED)
    nowhere = [replace(unknown(f"ha/{name}", refuses), judged=0) for name in "ab"]
    nowhere += [replace(unknown(f"os/{name}", not_given), judged=0) for name in "cde"]
    when = "2026-11-24T14:00:00Z"
    [part] = answer(None, nowhere, when)
    assert (part.word, part.says) == (
        "UNSEEN",
        "nothing of prod could be looked at: kafka-1:9092 can't be reached: connection refused",
    )
    tries = "runbook env --env prod tries each connection and says what to"
    assert [(line.label, line.says) for line in part.lines] == [
        ("leaves", "5 checks unknown, 2 of them for that reason"),
        ("first", f"is it up, and reached from here? {tries} look at"),
    ]
    silent = [replace(unknown(f"ha/{name}", Gap("no answer", kind=GapKind.TIMED_OUT)), judged=0) for name in "ab"]
    [part] = answer(None, silent, when)
    assert part.lines[1].says == f"is it up, and reached from here, and do limits let us connect? {tries} look at"
    [part] = answer(None, nowhere, when)
    assert [part.says for part in answer(None, nowhere[2:], when)] == [
        f"nothing of prod could be looked at: {not_given.reason}"
    ]
    assert [line.says for line in answer(None, nowhere[2:], when)[0].lines][1] == f"{tries} write"
    [mirrored] = answer(None, nowhere, when, standbys=[Standby("dr")])
    assert [(line.label, line.says) for line in mirrored.lines[2:]] == [
        ("standby", "it is mirrored to dr; could that take over? runbook check dr --env dr")
    ]
    assert len(answer(None, nowhere[2:], when, standbys=[Standby("dr")])[0].lines) == len(
        part.lines
    )  # nobody was asked
    waits = Gap("it waits", kind=GapKind.NO_TURN)
    late = [replace(unknown(f"ha/{name}", waits), judged=0) for name in "ab"]
    assert [line.says for line in answer(None, late, when)[0].lines][1] == "give it more time: --deadline 1m"
    assert answer(None, nowhere[:1], when) == []  # one check says it itself
    for seen in (result("ha/z", "prod", Outcome.PASS), result("ha/z", "prod", Outcome.FAIL), unknown("ha/z", refuses)):
        assert answer(None, [*nowhere, seen], when) == []
