from typing import Any

import pytest

from runbook.model.fact import Gap, tabulate
from runbook.views.registry_accord import VIEW, compute
from support.kafka_facts import fact


def accord(*levels: str | None, silent: int = 0) -> list[dict[str, Any]]:
    rows = [{"instance": f"i{n}", "answers": True, "compatibility": level} for n, level in enumerate(levels)]
    rows += [{"instance": f"s{n}", "answers": False, "compatibility": None} for n in range(silent)]
    return list(tabulate("registry_accord", VIEW.columns, compute(registry=fact("schema_registry", rows))).rows())


@pytest.mark.parametrize(
    ("levels", "agrees"),
    [
        (("FULL",), True),
        (("FULL", "FULL"), True),
        (("FULL", "NONE"), False),
        (("FULL", None), None),
        (("FULL", "NONE", None), False),
    ],
)
def test_instances_agree_if_all_of_them_tell_the_same_level(levels: tuple[str | None, ...], agrees: Any) -> None:
    assert {row["agrees"] for row in accord(*levels)} == {agrees}


def test_an_instance_that_is_silent_contradicts_nobody() -> None:
    assert [(row["instance"], row["agrees"]) for row in accord("FULL", silent=1)] == [("i0", True)]


def test_each_instance_is_told_beside_what_the_others_say_unless_one_does_not_say() -> None:
    assert [(row["compatibility"], row["others"]) for row in accord("FULL", "NONE", None)] == [
        ("FULL", None),
        ("NONE", None),
        (None, ["FULL", "NONE"]),
    ]


def test_what_could_not_be_seen_of_the_registry_stays_a_gap() -> None:
    assert compute(registry=fact("schema_registry", [], Gap("refused"))).gaps == [Gap("refused")]
