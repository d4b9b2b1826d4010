import datetime as dt
import re
from pathlib import Path

import pytest

from runbook.run.planning.inventory_mistakes import mistakes_of, remarks_of
from runbook.run.planning.unknown_labels import UnknownLabel, read_labelled, unknown_labels
from runbook.run.sources.runbooks import read_all
from runbook.show.reachability import describe, reached
from support.small_runbooks import target

HA = read_all(["ha"])


def mistakes(folder: Path, entry: str, known: tuple[str, ...] = ("ha", "gc")) -> list[tuple[str, str]]:
    file = folder / "environments.yaml"
    file.write_text(f"environments: {{prod: {{{entry}}}}}\n")
    return [(problem.message, problem.remedy) for problem in mistakes_of(file, HA, known)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("owner: me, reason: short, expires: 2026-12-01", ["waivers.0.reason: fewer than 10 characters"]),
        (
            "owner: '', reason: short, expires: soon",
            [
                "waivers.0.owner: must not be empty",
                "waivers.0.reason: fewer than 10 characters",
                "waivers.0.expires: 'soon' does not match the form of 2026-12-31",
            ],
        ),
    ],
)
def test_what_is_wrong_with_a_waiver_hides_not_what_it_names(tmp_path: Path, wrong: str, said: list[str]):
    found = dict(mistakes(tmp_path, f"waivers: [{{check: ha/brokers-agre, {wrong}}}]"))
    assert list(found) == ['the waiver names no check: "ha/brokers-agre"', *said]
    assert found['the waiver names no check: "ha/brokers-agre"'].startswith("did you mean ha/brokers-agree?")
    assert all(found.values())


def test_waivers_and_parameters_of_what_is_no_runbook_are_told(tmp_path: Path):
    rest = "owner: me, reason: long enough, expires: 2026-12-01"
    entry = (
        f"waivers: [{{check: brokers-agree, {rest}}}, {{check: hq/one, {rest}}}, {{check: gc/one, {rest}}}],"
        " params: {hq/x: {a: 1}}"
    )
    assert mistakes(tmp_path, entry) == [
        ('the waiver names no check: "brokers-agree"', "write ha/brokers-agree"),
        ('the waiver names no check: "hq/one"', "no runbook hq here; did you mean ha? known: gc, ha"),
        ('the parameters are of no runbook: "hq/x"', "did you mean ha? known: gc, ha"),
    ]
    assert [message for message, _ in mistakes(tmp_path, entry, ())] == ['the waiver names no check: "brokers-agree"']


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"tier": "prod"}, []),
        ({"tier": "sandbox", "region": "eu"}, []),
        (
            {"tier": "production"},
            [("tier", "no check knows tier production; N checks, for prod or stage alone, will not apply", "prod")],
        ),
        ({"tier": "dev"}, []),
        (
            {"tier": "gold"},
            [("tier", "no check knows tier gold; N checks, for prod or stage alone, will not apply", "")],
        ),
        ({"teir": "prod"}, [("teir", "no check knows the label teir", "tier")]),
    ],
)
def test_labels_that_no_check_knows_are_told(labels: dict[str, str], said: list[tuple[str, str, str]]):
    found = unknown_labels(target("prod", {}, labels=labels), read_labelled())
    assert [(label.name, re.sub(r"\d+ checks", "N checks", label.message), label.meant) for label in found] == said


def test_lint_remarks_on_those_that_are_near_to_one(tmp_path: Path):
    file = tmp_path / "environments.yaml"
    file.write_text("environments: {prod: {labels: {tier: production}}, dev: {labels: {tier: dev}}}\n")
    [remark] = remarks_of(file, read_labelled())
    assert str(remark).startswith(f"{file}:1:38  remark: no check knows tier production;")
    assert remark.remedy == "did you mean prod?"
    file.write_text("environments: [")
    assert remarks_of(file, []) == []


def test_waivers_that_expired_are_remarked_on(tmp_path: Path):
    file = tmp_path / "environments.yaml"
    waivers = "".join(
        f"      - {{check: ha/a, owner: me, reason: long enough, expires: {day}}}\n"
        for day in ("2026-01-31", "2026-02-30", dt.datetime.now(dt.UTC).date().isoformat())
    )
    file.write_text(f"environments:\n  prod:\n    waivers:\n{waivers}")
    [remark] = remarks_of(file, [])
    assert str(remark).startswith(f"{file}:4:64  remark: the waiver of me for ha/a expired on 2026-01-31")


def test_the_list_of_environments_remarks_on_all_of_them():
    lines = describe(reached(target("prod", {}), None, [UnknownLabel("tier", "no check knows tier x", "y")]))
    assert "  remark   tier             no check knows tier x; did you mean y?" in lines.splitlines()
