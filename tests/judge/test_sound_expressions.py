import os
from pathlib import Path
from typing import Any

import pytest

from runbook.judge import expression
from runbook.judge.cause import compile_cause
from runbook.judge.compiled import Compiled, compile_check
from runbook.judge.expression import Expression, Undecided, Variables
from runbook.judge.sound_expressions import KIND, SoundExpressions, name_for, sound_expressions
from runbook.model.block import Cause
from runbook.parse.runbook import Runbook, read_runbook
from runbook.plugins.content import builtin_runbooks

TYPES = {"row.size": "int", "row.name": "string"}
NAME = f"some.{KIND}"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("RUNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kept"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the binding compiles."""
    texts: list[str] = []
    compile_ = Variables._compile

    def counted(self: Variables, text: str, **options: bool) -> Any:
        texts.append(text)
        return compile_(self, text, **options)

    monkeypatch.setattr(Variables, "_compile", counted)
    return texts


def test_what_compiled_before_is_compiled_when_it_is_evaluated(compiled: list[str]):
    sound = SoundExpressions(NAME)
    Variables(TYPES, sound).compile("row.size > 1")
    sound.save()
    assert compiled == ["row.size > 1"]
    made = Variables(TYPES, SoundExpressions(NAME)).compile("row.size > 1")
    assert isinstance(made, Expression)
    assert made.used == ["row.size"]
    assert compiled == ["row.size > 1"]
    assert [made.value({"row.size": size}) for size in (1, 2)] == [False, True]
    assert compiled == ["row.size > 1"] * 2


@pytest.mark.parametrize(
    ("types", "text", "flat"),
    [
        (TYPES, "row.size > 2", False),
        (TYPES | {"row.other": "int"}, "row.size > 1", False),
        (TYPES | {"row.size": "float"}, "row.size > 1.0", False),
        (TYPES, "row.size > 1", True),
    ],
)
def test_another_text_other_types_and_another_form_are_compiled_at_once(
    types: dict[str, str], text: str, *, flat: bool, compiled: list[str]
):
    sound = SoundExpressions()
    Variables(TYPES, sound).compile("row.size > 1")
    Variables(types, sound).compile(text, flat=flat)
    assert compiled == ["row.size > 1", text]


def test_what_has_a_mistake_is_never_sound(compiled: list[str]):
    sound = SoundExpressions(NAME)
    told = [Variables(TYPES, sound).compile(text) for text in ("row.sise > 1", "row.sise > 1", "row.size")]
    assert all(isinstance(one, list) for one in told)
    assert len(compiled) == 3
    sound.save()
    assert sound.packed() == b""


@pytest.mark.parametrize("text", ["row.sise > 1", "row.size", "row.name + 1 == 2", "][", "row.name.matches('(')"])
def test_of_what_is_taken_for_sound_and_is_not_nothing_is_decided(text: str):
    class Everything(SoundExpressions):
        def __contains__(self, digest: bytes) -> bool:
            return True

    made = Variables(TYPES, Everything()).compile(text)
    assert isinstance(made, Expression)
    rows = {"row.size": [1, None], "row.name": ["a", "b"]}
    for answer in [made.value({"row.size": 1, "row.name": "a"}), *made.each(rows, {}, 2)]:
        assert isinstance(answer, Undecided)
        assert answer.reason


def book() -> Runbook:
    return read_runbook(builtin_runbooks() / "gc.md", origin="built-in")


def judged(checks: list[Compiled]) -> list[Any]:
    """What the expressions of checks are, compiled."""
    found = []
    for check in checks:
        for one in (check.where, check.that, check.applies, *(check.message._parts if check.message else [])):
            made = getattr(one, "expression", one)
            found.append(made and (made.text, made.types, str(made._compiled.return_type())))
    return found


def test_a_runbook_is_the_same_whether_its_expressions_compiled_before_or_not(compiled: list[str]):
    checks = book().checks()
    at_once = judged([compile_check(placed) for placed in checks])
    sound_expressions.cache_clear()
    sound = sound_expressions(book().digest)
    causes = [placed for placed in book().placed() if isinstance(placed.block, Cause)]
    first = judged([compile_check(placed, sound) for placed in checks])
    for placed in causes:
        compile_cause(placed, sound)
    sound.save()
    sound_expressions.cache_clear()
    compiled.clear()
    again = [compile_check(placed, sound_expressions(book().digest)) for placed in checks]
    for placed in causes:
        compile_cause(placed, sound_expressions(book().digest))
    assert causes
    assert compiled == []
    assert at_once == first == judged(again)
    assert compiled


@pytest.mark.parametrize("damage", [b"", os.urandom(1000)], ids=["empty", "random"])
def test_damage_costs_time_only(damage: bytes, cache: Path, compiled: list[str]):
    sound = SoundExpressions(name_for("a runbook"))
    Variables(TYPES, sound).compile("row.size > 1")
    sound.save()
    (cache / name_for("a runbook")).write_bytes(damage)
    made = Variables(TYPES, SoundExpressions(name_for("a runbook"))).compile("row.size > 1")
    assert isinstance(made, Expression)
    assert len(compiled) == 2


def test_nothing_is_written_where_nothing_is_new(cache: Path):
    SoundExpressions(NAME).save()
    assert not cache.exists()


def test_the_variables_of_a_text_are_those_that_stand_in_it_as_whole_names():
    types = dict.fromkeys(("a.b", "a.bc", "b.c", "now", "params.a_b", "a.d"), "int")
    variables = Variables(types)
    assert variables._used("a . b > now && x.a.bc(1)") == ["a.b", "a.bc", "now"]
    assert variables._used("a.b.c") == ["a.b", "b.c"]
    assert variables._used("'a.d' == nowhere + params.a_b2") == ["a.d"]
    assert variables._used("ba.b + a.bcd + a..d + _now") == []


def test_a_long_text_of_names_takes_no_time():
    assert Variables({"a.b": "int"})._used(".".join("x" * 100_000)) == []
    assert expression.cel  # the binding is not asked
