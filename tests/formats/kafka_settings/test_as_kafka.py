"""What we say of configurations against what Kafka's own classes said of them, both ways."""

from collections import Counter

import pytest

from runbook.formats.kafka_settings import judge, judged
from runbook.formats.kafka_settings.rules import RULES, Rule
from support.config_files import COUNTS, ConfigFile, recorded

FILES = recorded()
_WITHOUT_CLASS = ("could not be found", "cannot be found")  # what is on the class path is not in a file
_LEAST_OF_EACH = 5  # accepted and refused by each release


def _way(file: ConfigFile, release: str) -> str:
    said = file.said[release]
    if any(words in said for words in _WITHOUT_CLASS):
        return "a class that is not there"
    ours = judge(file.kind, release, file.settings)
    theirs = "Kafka takes it" if said == "ok" else "Kafka refuses it"
    if ours.mistakes:
        return f"{theirs}, we refuse it"
    return f"{theirs}, we do not know" if ours.unknown else f"{theirs}, we take it"


@pytest.mark.parametrize("kind", list(COUNTS))
def test_kafka_refuses_what_we_say_it_refuses_and_nothing_else(kind: str):
    files = [file for file in FILES if file.kind == kind]
    for release in judged(kind):
        ways = Counter(_way(file, release) for file in files)
        print(f"{kind:10} {release:8} {dict(sorted(ways.items()))}")  # noqa: T201 - with -s: the table
        assert ways["Kafka takes it, we refuse it"] == ways["Kafka refuses it, we take it"] == 0
        assert min(ways["Kafka takes it, we take it"], ways["Kafka refuses it, we refuse it"]) >= _LEAST_OF_EACH
        assert ways["Kafka takes it, we do not know"] + ways["Kafka refuses it, we do not know"] <= len(files) / 8


def test_most_reasons_are_in_kafkas_own_words():
    hit = of = 0
    for file in FILES:
        release = judged(file.kind)[-1]
        if file.said[release] != "ok" and (mistakes := judge(file.kind, release, file.settings).mistakes):
            of += 1
            hit += any(mistake.says == file.said[release].removeprefix("requirement failed: ") for mistake in mistakes)
    assert hit / of > 0.8


def test_kafka_refuses_a_file_for_each_rule_and_says_so_or_for_nothing_else():
    witnessed = set()
    for file in FILES:
        for release in judged(file.kind):
            if file.said[release] != "ok":
                mistakes = {mistake.says for mistake in judge(file.kind, release, file.settings).mistakes}
                witnessed |= mistakes if len(mistakes) == 1 else mistakes & {file.said[release]}
                witnessed |= mistakes & {file.said[release].removeprefix("requirement failed: ")}
    missed = [rule.says for rule in RULES if not any(_is_of(rule, says) for says in witnessed)]
    assert missed == []


def _is_of(rule: Rule, says: str) -> bool:
    return says.startswith(rule.says.partition("{0}")[0]) and says.endswith(rule.says.rpartition("}")[2])
