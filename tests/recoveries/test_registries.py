from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.recoveries import (
    proposals_are_changed,
    registries_are_one,
    registry_answers,
    registry_guards,
    registry_takes_schemas,
)
from support.kafka_facts import fact, situation


def registry(**cells: Any) -> Fact:
    values = {"mode": "READONLY", "compatibility": "NONE", "version": "7"}
    return fact(
        "schema_registry",
        [
            {"instance": "a", "answers": True, "silence": "", **values, **cells},
            {"instance": "b", "answers": False, "silence": "can't be reached"},
        ],
        Gap("refused", {"endpoint": "b"}),
        Gap("slow", {"endpoint": "a"}),
    )


def test_an_instance_that_is_back_answers_and_what_it_would_say_was_never_seen() -> None:
    made = registry_answers.RECOVERY.sets["schema_registry"](registry(), situation({"instances": ["b"]}))
    one, other = made.rows()
    assert (one["answers"], one["mode"]) == (True, "READONLY")
    assert (other["answers"], other["silence"], other["mode"], other["compatibility"]) == (True, "", None, None)
    assert [gap.reason for gap in made.gaps] == ["slow"]


def test_a_registry_that_takes_schemas_says_so_where_it_answers_and_keeps_its_level() -> None:
    made = registry_takes_schemas.RECOVERY.sets["schema_registry"](registry(), situation({}, registry()))
    assert (made.columns["mode"], made.columns["compatibility"]) == (["READWRITE", None], ["NONE", None])


def test_a_subject_with_the_registrys_mode_may_have_it_as_its_own() -> None:
    subjects = fact("schema_mode", [{"subject": "s", "mode": "READONLY"}, {"subject": "t", "mode": "IMPORT"}])
    made = registry_takes_schemas.RECOVERY.sets["schema_mode"](subjects, situation({}, registry()))
    assert made.columns["mode"] == [None, "IMPORT"]


def test_a_registry_with_a_level_says_so_and_subjects_with_another_keep_theirs() -> None:
    made = registry_guards.RECOVERY.sets["schema_registry"](registry(), situation({}, registry()))
    assert (made.columns["mode"], made.columns["compatibility"]) == (["READONLY", None], ["BACKWARD", None])
    subjects = fact("schema_subject", [{"subject": "s", "compatibility": level} for level in ("NONE", "FULL", None)])
    made = registry_guards.RECOVERY.sets["schema_subject"](subjects, situation({}, registry()))
    assert made.columns["compatibility"] == [None, "FULL", None]


def test_what_a_registry_of_all_instances_would_tell_is_not_known() -> None:
    made = registries_are_one.RECOVERY.sets["schema_registry"](registry(), situation({}, registry()))
    assert (made.columns["mode"], made.columns["compatibility"]) == ([None, None], [None, None])
    assert (made.columns["version"], made.columns["answers"]) == (registry().columns["version"], [True, False])


def test_a_proposal_that_is_changed_fits_and_others_do_not_by_that() -> None:
    proposals = [{"subject": name, "compatible": False, "messages": ["no"]} for name in ("orders-value", "other-value")]
    given = situation({"subjects": ["orders-value"]})
    made = proposals_are_changed.RECOVERY.sets["schema_proposal"](fact("schema_proposal", proposals), given)
    assert (made.columns["compatible"], made.columns["messages"]) == ([True, False], [[], ["no"]])
