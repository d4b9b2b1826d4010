from pathlib import Path
from typing import Any

import pytest

from runbook.parse.extending import read_whole
from runbook.parse.runbook import parse_runbook
from runbook.search.index import Index
from runbook.search.spelling import without_noise
from support.searched_books import BOOK, HEAD, diagnostics, symptoms, topics


@pytest.fixture(scope="module")
def found() -> Any:
    """Search the book for a text: names of hits, the best first."""
    index = Index([parse_runbook(BOOK, "disks", "disks.md")])

    def names(text: str) -> list[str]:
        return [hit.name for hit in index.search(text)]

    return names


@pytest.mark.parametrize(
    "text",
    [
        "KafkaDiskFull",
        "kafkadiskfull",
        "kafka diskfull",
        "a Kafka-DiskFull, said the pager",
        "kafkadisk-full",
        "no spaceleft on device",
        "writing: no space leftondevice",
        "[FIRING:2] KafkaDiskFull (prod-eu critical)",
        "KafkaLogDirOffline",
        "java.io.IOException: No space left on device",
        "No  space left\non device",
        "org.apache.kafka.common.errors.KAFKA_STORAGE_ERROR: Disk error when trying to access log file",
        "KAFKA_STORAGE",
        "org.apache.kafka.common.errors.KafkaStorageException: The log dir is already offline",
        "kafka_storage_error",
        "brokers ran out of log dirs: KafkaLogDirsOffline",
        "retention was raised",
    ],
)
def test_an_alert_or_error_however_it_is_pasted_leads_to_its_diagnostic_first(found: Any, text: str):
    assert found(text)[0] == "disks/a-disk-is-full"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("log directory room", "disks/disks-have-room"),
        ("reassignment plan", "disks/move-replicas"),
        ("everything about retention", "disks"),
        ("segments expired", "disks/disks-have-room"),
    ],
)
def test_words_lead_to_what_speaks_of_them(found: Any, text: str, name: str):
    assert name in found(text)


def test_what_a_diagnostic_names_ends_the_list(found: Any):
    assert found("KafkaDiskFull") == ["disks/a-disk-is-full"]
    assert found("disk") == ["disks", "disks/a-disk-is-full", "disks/disks-have-room", "disks/move-replicas"]
    assert found("segments of a disk") == ["disks/disks-have-room"]


def test_only_what_has_nearly_as_many_of_the_words_stands_behind_the_best(found: Any):
    assert found("expired segments of a volume") == ["disks/disks-have-room"]


@pytest.mark.parametrize(("text", "first"), [("move replicas", "books/b"), ("replicas moved", "books/a")])
def test_who_asks_for_what_a_procedure_does_is_led_to_it_first(text: str, first: str):
    book = (
        f"{HEAD}---\n```yaml {{.diagnostic}}\nid: a\ntitle: Replicas were moved away\nsymptom: ''\n"
        "causes: [{cause: It is so}]\n```\n"
        "```yaml {.procedure}\nid: b\ntitle: Move replicas of a broker to others\nsteps: [{do: Write a plan.}]\n```\n"
    )
    hits = Index([parse_runbook(book, "books", "books.md")]).search(text)
    assert [hit.name for hit in hits][:1] == [first]


def test_what_stands_in_prose_of_ones_own_is_found_by_its_section():
    text = BOOK.replace(
        "```yaml {.check}", "# Disks\n\nAsk Zoe.\n\n## On weekends\n\nCall the porter.\n\n```yaml {.check}", 1
    )
    index = Index([parse_runbook(text, "disks", "disks.md")])
    [hit] = index.search("which porter")
    assert (hit.name, hit.title, hit.kind) == ("disks", "On weekends", "section")
    [hit] = index.search("zoe")  # under no heading but the runbook's
    assert (hit.name, hit.kind) == ("disks", "runbook")
    assert Index([parse_runbook(text, "disks", "disks.md", origin="built-in")]).search("porter") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # the first contains that of c
        ("Login failed for user 7: SslHandshakeFailedException", ["logins/b", "logins/a"]),
        ("ssl handshake failed, then login failed", ["logins/a", "logins/c"]),  # the longer one first
        ("LOGIN_FAILED_ERROR", ["logins/c"]),
        ("rebuilding", ["logins/d"]),
    ],
)
def test_the_longest_name_in_a_text_decides(text: str, names: list[str]):
    book = diagnostics(
        a=["SSL_HANDSHAKE_FAILED"], b=["Login failed for user"], c=["LoginFailedException"], d=["Rebuilding"]
    )
    assert [hit.name for hit in Index([book]).search(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("java.io.IOException: login failed for user 7", ["logins/b"]),  # a name that says more
        ("java.io.IOException: the porter is asleep", ["logins/c", "logins/a"]),  # words that are spoken of
        ("java.io.IOException: nobody knows why", ["logins/a"]),
        ("java.io.IOException", ["logins/a"]),
    ],
)
def test_a_generic_exception_counts_only_behind_what_the_rest_of_the_line_says(text: str, names: list[str]):
    book = diagnostics(a=["java.io.IOException"], b=["Login failed for user"], c=["a porter who is asleep"])
    assert [hit.name for hit in Index([book]).search(text)] == names


def test_a_near_word_leads_to_what_is_called_otherwise_behind_what_is_called_so() -> None:
    index = Index([parse_runbook(symptoms("Brokers are down", "Disks are offline"), "a", "a.md")])
    [first, second] = index.search("offline")
    assert (first.name, first.why) == ("a/symptom-1", "speaks of offline")
    assert (second.name, second.why) == ("a/symptom-0", "speaks of down")
    assert next(hit.name for hit in index.search("an offline broker")) == "a/symptom-0"
    assert [hit.name for hit in index.search("down")] == ["a/symptom-0"]  # what is down need not be offline


def test_a_short_word_that_was_typed_in_the_wrong_order_is_read_as_meant(found: Any) -> None:
    assert found("romo") == found("room") != []
    assert found("rooom") == []  # of a short word a letter less may be another


def test_where_nothing_is_found_the_nearest_name_or_title_is_known() -> None:
    index = Index([parse_runbook(BOOK, "disks", "disks.md")])
    assert index.nearest("KafkaDskFul") == "KafkaDiskFull"
    assert index.nearest("mov replcas awy") == "Move replicas away"
    assert index.nearest("xyzzy") == Index([]).nearest("xyzzy") == ""


def test_one_plain_word_is_a_name_only_where_it_stands_alone():
    book = diagnostics(a=["Rebuilding"], b=["the login of a user"])
    assert [hit.why for hit in Index([book]).search("rebuilding")] == ["error Rebuilding"]
    assert Index([book]).search("rebuilding users")[0].why.startswith("speaks of")


def test_what_the_head_of_a_runbook_names_too_comes_before_the_same_name_elsewhere():
    first = diagnostics("first", a=["LoginFailed"])
    second = diagnostics("second", "errors: [LOGIN_FAILED]\n", b=["LoginFailed"])
    assert [hit.name for hit in Index([first, second]).search("login failed")] == ["second/b", "first/a"]


def test_the_longest_name_that_is_put_together_otherwise_is_the_one_that_is_meant():
    book = diagnostics(a=["under-replicated"], b=["UnderReplicatedPartitions"])
    assert [hit.name for hit in Index([book]).search("underreplicated partitions of orders")] == ["logins/b"]
    assert [hit.name for hit in Index([book]).search("underreplicated")] == ["logins/a"]
    assert Index([book]).search("under. Replicated") == Index([book]).search("under replicated")  # two sentences
    assert Index([]).search("underreplicated") == []


def test_an_alert_is_found_without_the_condition_that_it_is_written_with():
    hits = Index([parse_runbook(BOOK, "disks", "disks.md")]).search("alertname=KafkaLogDirOffline severity=page")
    assert [hit.why for hit in hits] == ["alert KafkaLogDirOffline > 0"]


@pytest.mark.parametrize("text", ["", "  ", "...", "Something else entirely", "x", "the", "was not by", "404 7"])
def test_what_nobody_speaks_of_is_not_found(found: Any, text: str):
    assert found(text) == []


def test_a_hit_says_why_it_is_one():
    book = parse_runbook(BOOK, "disks", "disks.md")
    assert Index([book]).search("IOException: No space left on device")[0].why == "error No space left on device"
    assert Index([book]).search("replicas moved")[0].why == "speaks of replicas, moved"


def test_the_order_of_equal_hits_does_not_depend_on_the_order_of_runbooks():
    first, second = parse_runbook(BOOK, "a", "a.md"), parse_runbook(BOOK, "b", "b.md")
    assert Index([first, second]).search("disk") == Index([second, first]).search("disk")


def test_what_is_called_so_is_found_behind_symptoms_that_speak_of_it() -> None:
    """A check's title holds every word that was asked; a symptom's does so too, and helps more."""
    check = """```yaml {.check}
id: retention-has-room
title: What retention keeps has room
severity: high
facts: {dir: {probe: kafka_log_dir}}
expect: {each: dir, that: "true"}
effect: none
remedy: None.
```
"""
    symptom = """```yaml {.diagnostic}
id: retention-makes-no-room
title: Retention makes no room
symptom: A disk fills up.
causes: [{cause: It is long}]
```
"""
    books = [BOOK.partition("```")[0] + check, BOOK.partition("```")[0].replace("Disks", "Ours") + symptom]
    index = Index(
        [parse_runbook(text, name, f"{name}.md") for text, name in zip(books, ("disks", "ours"), strict=True)]
    )
    assert [hit.name for hit in index.search("retention")] == [
        "ours/retention-makes-no-room",
        "disks/retention-has-room",
        "disks",  # behind them what has the word elsewhere
        "ours",
    ]
    assert next(hit.name for hit in index.search("retention-has-room")) == "disks/retention-has-room"
    assert next(hit.name for hit in index.search("what retention keeps has room")) == "disks/retention-has-room"


def test_the_runbook_of_that_name_is_the_first(found: Any) -> None:
    assert found("disks")[0] == "disks"
    assert found("a-disk-is-full")[0] == "disks/a-disk-is-full"


def test_what_speaks_of_as_many_words_as_a_symptom_is_not_left_out_though_it_fits_less_well() -> None:
    texts = {
        "a": symptoms("Records are kept longer than meant"),
        "b": topics("Bees", "Every topic has an end", effect="topics keep records longer than Legal wants"),
        "c": topics("Cats", "Every topic has an owner", effect="records are kept"),  # of fewer words: noise
    }
    hits = Index([parse_runbook(text, name, f"{name}.md") for name, text in texts.items()]).search(
        "records kept longer"
    )
    assert [hit.name for hit in hits] == ["a/symptom-0"]
    hits = Index([parse_runbook(text, name, f"{name}.md") for name, text in texts.items()]).search("records longer")
    assert [(hit.name, hit.why) for hit in hits] == [
        ("a/symptom-0", "speaks of records, longer"),
        ("b/check-0", "speaks of records, longer"),
    ]


def test_what_is_of_ones_own_project_stands_before_all_but_the_first_of_the_built_in() -> None:
    many = symptoms(*(f"Retention of kind {number}" for number in range(12)))
    built_in = parse_runbook(many, "a", "a.md", origin="built-in")
    own = parse_runbook(topics("Ours", "Every topic has an end", effect="retention is long"), "ours", "ours.md")
    names = [hit.name for hit in Index([built_in, own]).search("retention")]
    assert len(names) == 13
    assert names.index("ours/check-0") == 5
    assert names[:5] == [name for name in names if name.startswith("a/")][:5]


def test_a_name_that_a_runbook_of_ones_own_lists_leads_there_and_hides_nothing_that_is_built_in() -> None:
    """As who listed an alert in the head of their own runbook met it: theirs was not found, or nothing else was."""
    built_in = diagnostics(origin="built-in", a=["OffsetOutOfRange", "disk offline"])
    same = diagnostics("ours", "errors: [OffsetOutOfRange]\n")
    longer = diagnostics("ours", "errors: [really disk offline]\n")
    assert [hit.name for hit in Index([built_in, same]).search("OffsetOutOfRange")] == ["logins/a", "ours"]
    assert [hit.name for hit in Index([built_in, longer]).search("really disk offline")] == ["ours", "logins/a"]


def test_what_is_built_in_of_a_runbook_that_is_extended_is_not_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "topics.md"
    amended = "```yaml {.amend}\nid: overrides-are-declared\ntitle: Retention is declared\n```\n"
    file.write_text(topics("Ours", "Every topic has an end", extends="topics") + amended)
    hits = Index([read_whole(file)]).search("topic")
    assert {"topics", "topics/check-0"} < {hit.name for hit in hits if hit.ours}
    assert {hit.name for hit in hits if hit.ours} <= {"topics", "topics/check-0", "topics/overrides-are-declared"}
    assert [hit.ours for hit in hits if hit.name == "topics/a-topic-grows"] == [False]


def index_of(*books: str) -> Index:
    return Index([parse_runbook(text, f"book-{number}", f"{number}.md") for number, text in enumerate(books)])


def test_words_that_no_runbook_has_weigh_nothing() -> None:
    index = index_of(symptoms("Clocks of brokers differ too much"))
    [hit] = index.search("clocks differ KDC kdc-1.acme.example zork frobnicated greater than expected 4711")
    assert (hit.name, hit.found) == ("book-0/symptom-0", "title")


def test_where_no_place_has_half_of_the_words_three_are_near(found: Any) -> None:
    book = symptoms("Clocks differ", "Disks fill up", "Leaders are uneven", "Brokers hang", "Nobody commits")
    hits = index_of(book).search("clocks disks leaders brokers commits")
    assert [hit.found for hit in hits] == ["near"] * 3
    assert len({hit.name for hit in hits}) == 3
    assert found("nothing of this is known") == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("failed to flush records", "book-1/symptom-0"),  # by words
        ("FLUSH_FAILED", "book-1/symptom-0"),  # by a name that both list
        ("failed to flush records at the other site", "book-0/symptom-0"),
        ("Records failed to flush at once", "book-0/symptom-0"),  # it is called so
    ],
)
def test_a_disaster_is_never_first_for_a_question_that_is_none(text: str, first: str) -> None:
    head = HEAD + "tags: [disaster recovery]\n"
    disaster = symptoms("Records failed to flush at once").replace(HEAD, head).replace("causes:", NAMES + "causes:")
    plain = symptoms("A worker failed to flush records in time").replace("causes:", NAMES + "causes:")
    assert index_of(disaster, plain).search(text)[0].name == first


NAMES = "errors: [FLUSH_FAILED]\n"


def test_numbers_are_no_part_of_a_name_unless_it_has_them() -> None:
    index = Index([diagnostics(a=["Disconnecting from node due to"], b=["exit code 137"])])
    [hit] = index.search("Disconnecting from node 7 due to a timeout of 30000 ms")
    assert (hit.name, hit.why) == ("logins/a", "error Disconnecting from node due to")
    assert index.search("exit code 137, twice")[0].name == "logins/b"


def test_a_listed_name_counts_where_its_words_do_not_stand_together() -> None:
    index = Index([diagnostics(a=["member was fenced by the coordinator"], b=["coordinator of a member has moved"])])
    hits = index.search("fenced: the coordinator, for a long time, knew no such member")
    assert hits[0].name == "logins/a"


def test_checks_and_procedures_list_errors_too() -> None:
    text = BOOK.replace("effect: writers", "errors: [VOLUME_TOO_SMALL]\neffect: writers").replace(
        "steps: [{do", "errors: [REPLICA_IS_STUCK]\nsteps: [{do"
    )
    index = Index([parse_runbook(text, "disks", "disks.md")])
    assert [hit.name for hit in index.search("VolumeTooSmallException at 7")] == ["disks/disks-have-room"]
    assert [hit.name for hit in index.search("error: replica is stuck")] == ["disks/move-replicas"]


def test_errors_of_a_check_are_no_part_of_its_verdict() -> None:
    [check] = parse_runbook(BOOK, "disks", "disks.md").checks()
    text = BOOK.replace("effect: writers", "errors: [VOLUME_TOO_SMALL]\neffect: writers")
    assert parse_runbook(text, "disks", "disks.md").checks()[0].digest() == check.digest()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("KafkaConnectTaskFailed", ["logins/task"]),
        ("task failed connect", ["logins/task"]),
        ("KafkaTaskFailed", []),  # a part of a name is none
    ],
)
def test_a_name_is_found_in_any_order_with_kafka_before_it_or_not(text: str, named: list[str]) -> None:
    index = Index([diagnostics(task=["ConnectFailedTask"], other=["TaskElsewhere"])])
    assert [hit.name for hit in index.search(text) if hit.found == "name"] == named


def test_kafka_before_a_name_is_no_word_that_a_title_must_have() -> None:
    [hit] = Index([parse_runbook(symptoms("A disk has a high usage"), "disks", "disks.md")]).search(
        "KafkaDiskUsageHigh"
    )
    assert hit.found == "title"


def test_what_has_expired_is_another_name_than_what_expires() -> None:
    index = Index([diagnostics(late=["CertificateExpired"], soon=["CertificateExpiration"])])
    assert [hit.name for hit in index.search("a certificate expires in 3 days")] == ["logins/soon"]
    assert [hit.name for hit in index.search("the certificate expired")] == ["logins/late"]


def test_what_stands_around_a_line_of_a_log_says_nothing() -> None:
    book = symptoms("A consumer of a group has trouble", "Replicas flush slowly")
    line = (
        "[Consumer clientId=a, groupId=group] consumer-1.example:9092 (com.acme.consumer.Group) replicas flush slowly"
    )
    assert index_of(book).search(line)[0].name == "book-0/symptom-1"
    assert without_noise(line).split() == ["(com.acme.consumer.Group)", "replicas", "flush", "slowly"]


def test_both_spellings_of_english_are_one() -> None:
    assert index_of(symptoms("A client is not authorized")).search("authorised")[0].name == "book-0/symptom-0"


def test_a_name_is_meant_that_one_letter_makes() -> None:
    [hit] = Index([diagnostics(a=["under-replicated"])]).search("undereplicated")
    assert hit.why == "error under-replicated"


def test_how_a_place_was_found_tells_how_sure_it_is() -> None:
    index = index_of(symptoms("Clocks of brokers differ too much", "Disks of brokers fill up"))
    assert [hit.found for hit in index.search("clocks differ")] == ["title"]
    assert index.search("clocks leaders too fill much")[0].found == "words"
