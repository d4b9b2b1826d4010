from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.subject_level import VIEW, compute


def levels(subjects: dict[str, str | None], *instances: tuple[bool, str | None]) -> dict[str, Any]:
    subject = Fact(
        "schema_subject",
        {
            "subject": [*subjects],
            "deleted": [level == "" for level in subjects.values()],
            "compatibility": [*subjects.values()],
        },
    )
    registry = Fact(
        "schema_registry",
        {
            "instance": [f"r{number}" for number in range(len(instances))],
            "answers": [answers for answers, _ in instances],
            "compatibility": [level for _, level in instances],
        },
    )
    rows = tabulate("x", VIEW.columns, compute(subject=subject, registry=registry)).rows()
    return {row["subject"]: (row["compatibility"], row["default"]) for row in rows}


def test_each_subject_has_its_level_beside_the_registrys():
    found = levels({"a-value": "FULL", "b-value": "BACKWARD", "gone-value": ""}, (True, "BACKWARD"), (False, None))
    assert found == {"a-value": ("FULL", "BACKWARD"), "b-value": ("BACKWARD", "BACKWARD")}


def test_the_registrys_level_is_unknown_where_instances_differ_or_one_does_not_tell():
    assert levels({"a-value": "FULL"}, (True, "BACKWARD"), (True, "NONE"))["a-value"] == ("FULL", None)
    assert levels({"a-value": "FULL"}, (True, "BACKWARD"), (True, None))["a-value"] == ("FULL", None)
