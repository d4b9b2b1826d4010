"""Kept evidence can't be made to lie: three ways to try it, and that each is caught."""

import gzip
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from kafka_lab import LabState
from kafka_lab.breaking import faults, in_force
from runbook.model.column import Column
from support.evidence import code, record
from support.evidence import origin as origins
from support.evidence.code import meaning
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.judging import judged_as_kept
from support.evidence.making import NotSeenError, make
from support.evidence.origin import Origin, origin_of
from support.evidence.scene import Scene, State, scene, scenes_of, shape_of

[STOPPED] = [scene for scene in scenes_of("plain") if scene.name == "stop-broker"]
KEPT = record.place_of("plain", "stop-broker", "during")


def copied(evidence: record.Evidence, folder: Path) -> Path:
    """A copy of kept evidence, to be tampered with."""
    return record.write(evidence, folder)


# -- a bundle is edited


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda raw: raw["bundle"]["kept"][0]["facts"].clear(), id="facts"),
        pytest.param(lambda raw: raw["last"]["claims"].update(more=True), id="proof"),
        pytest.param(lambda raw: raw["bundle"].update(started_at="2099-01-01T00:00:00Z"), id="time"),
        pytest.param(lambda raw: raw["origin"].update(scene="0"), id="origin"),
    ],
)
def test_an_edited_file_is_refused(edit: Callable[[dict[str, Any]], None], tmp_path: Path):
    file = copied(record.read(KEPT), tmp_path)
    raw = json.loads(gzip.decompress(file.read_bytes()))
    edit(raw)
    file.write_bytes(gzip.compress(json.dumps(raw).encode()))
    with pytest.raises(ValueError, match="edited since it was made"):
        record.read(file)


def test_evidence_of_another_state_is_refused_under_this_name(tmp_path: Path):
    file = copied(record.read(KEPT), tmp_path)
    with pytest.raises(ValueError, match="it was moved"):
        record.read(file.rename(file.with_name("after.json.gz")))


def test_the_same_evidence_is_the_same_bytes(tmp_path: Path):
    evidence = record.read(KEPT)
    assert copied(evidence, tmp_path / "a").read_bytes() == copied(evidence, tmp_path / "b").read_bytes()
    assert copied(evidence, tmp_path / "c").read_bytes() == KEPT.read_bytes()


# -- what made it changes


def origin() -> Origin:
    evidence = record.read(KEPT)
    asked = [(kept.ask.connection, kept.ask.probe) for kept in evidence.bundle.kept]
    return origin_of(asked, STOPPED, shape_of("plain").systems())


def test_any_part_of_what_made_it_that_changes_is_named():
    kept, now = record.read(KEPT).origin, origin()
    assert kept.differences(now) == []
    changed = msgspec.structs.replace(
        now,
        probes=now.probes | {"kafka_topic": "0"},
        scene="0",
        clients=now.clients | {"kafka-python": "0"},
        systems={"kafka": "0"},
    )
    assert kept.differences(changed) == [
        "the scene that brought the state about",
        "kafka_topic (probes)",
        "kafka-python (clients)",
        "kafka (systems)",
    ]


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ("checks/runbook/probes/kafka_broker.py", "stale"),
        # which the probe reaches through its connection
        ("checks/runbook/connections/kafka/reader/brokers.py", "stale"),
        ("checks/kafka_lab/faults/stop_broker.py", "stale"),
        ("checks/runbook/probes/kubernetes_pod.py", "fresh"),
        ("checks/runbook/judge/judge.py", "fresh"),  # judging runs on the evidence each time
    ],
)
def test_a_change_of_code_makes_stale_what_it_made(changed: str, stale: str, monkeypatch: pytest.MonkeyPatch):
    before = origin()
    text = (Path(__file__).parents[1] / changed).read_text("utf-8")
    real = code.meaning
    monkeypatch.setattr(code, "meaning", lambda other: real(other) + ("!" if other == text else ""))
    caches = (code.meaning_of, origins._digest_of_probe)
    for cache in caches:
        cache.cache_clear()
    try:
        assert bool(before.differences(origin())) is (stale == "stale")
    finally:
        monkeypatch.undo()
        for cache in caches:
            cache.cache_clear()


SCENES = """
from support.imagined import shared, other
LATE, UNUSED = 3, 4
def helper():
    return LATE
def not_called():
    return UNUSED
def made_of(given, told):
    @decorated(EXPECTED)
    def play(lab, folder):
        from support.imagined import late
        yield helper(), shared(), late(), given, told()
    return play
def told():
    return "told"
play = made_of({"given": (1, 2)}, told)
"""
SUPPORT = "def shared():\n    return 1\ndef other():\n    return 2\ndef late():\n    return 3\n"
FILES = {"live/imagined/scenes.py": SCENES, "support/imagined.py": SUPPORT}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("live/imagined/scenes.py", "return LATE", "return -LATE"),
        ("live/imagined/scenes.py", "LATE, UNUSED = 3", "LATE, UNUSED = 5"),
        ("live/imagined/scenes.py", "yield helper()", "yield helper"),
        ("live/imagined/scenes.py", "(1, 2)", "(1, 3)"),  # a value that it was given
        ("live/imagined/scenes.py", '"told"', '"otherwise"'),  # a function that it was given
        ("support/imagined.py", "return 1", "return 11"),
        ("support/imagined.py", "return 3", "return 33"),  # imported when it runs
    ],
)
def test_all_that_a_scene_runs_is_of_what_made_it(file: str, old: str, new: str, tmp_path: Path):
    changed = FILES | {file: FILES[file].replace(old, new)}
    assert imagined(tmp_path / "before", FILES) != imagined(tmp_path / "after", changed)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("live/imagined/scenes.py", "return UNUSED", "return 1"),
        ("live/imagined/scenes.py", "EXPECTED", "OTHERWISE"),  # what is expected makes no evidence
        ("support/imagined.py", "return 2", "return 22"),
    ],
)
def test_what_a_scene_does_not_run_is_not(file: str, old: str, new: str, tmp_path: Path):
    changed = FILES | {file: FILES[file].replace(old, new)}
    assert changed != FILES
    assert imagined(tmp_path / "before", FILES) == imagined(tmp_path / "after", changed)


def imagined(root: Path, files: dict[str, str]) -> list[str]:
    """What takes part in a scene of these modules."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("live.imagined.scenes", root / "live/imagined/scenes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(decorated=lambda _: lambda play: play, EXPECTED=0, OTHERWISE=1)
    support = ModuleType("support.imagined")
    exec(files["support/imagined.py"], vars(support))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "support.imagined", support)
        patch.setattr(code, "_TESTS", root)
        spec.loader.exec_module(module)
        return code.taking_part([module.play], ("live", "support"))


def test_comments_and_docstrings_make_nothing_stale_and_code_does():
    assert meaning('def f(a):\n    """Say."""\n    return a  # why\n') == meaning("def f(a):\n\n    return (a)\n")
    assert meaning("def f(a):\n    return a\n") != meaning("def f(a):\n    return -a\n")


def test_what_a_cell_says_of_changes_makes_nothing_stale_and_all_else_does():
    cell = 'a: Annotated[int, Cell("Bytes.", {})]\n'
    plain = meaning('a: Annotated[int, Cell("Bytes.")]\n')
    assert meaning(cell.format("moves=True")) == meaning(cell.format("moves=False")) == plain
    assert meaning(cell.format("key=True")) != plain
    assert meaning('a = f("Bytes.", moves=True)\n') != meaning('a = f("Bytes.")\n')
    column = Column("a", "int", "Bytes.")
    assert origins._builtins(column) == origins._builtins(msgspec.structs.replace(column, moves=True, renewed=True))
    assert origins._builtins(column) != origins._builtins(msgspec.structs.replace(column, key=True))


# -- a fault does nothing


def of_a_fault_that_does_nothing(claims: Mapping[str, bool], **more: float) -> Scene:
    @scene({"during": {"ha": Expected()}})
    def idle(lab: LabState, _: Path) -> Iterator[State]:
        yield State("during", inventory_of(lab), lambda: claims, **more)

    return idle


@pytest.mark.parametrize(
    "claims", [pytest.param({}, id="none"), pytest.param({"broker 2 has no process": False}, id="wrong")]
)
def test_a_state_that_the_lab_does_not_prove_is_not_kept(claims: Mapping[str, bool], tmp_path: Path):
    lab = LabState("idle", str(tmp_path), "", "", "", [])
    tmp_path.joinpath("environments.yaml").write_text("environments: {}\n")
    with pytest.raises(NotSeenError, match="did not come about"):
        make(of_a_fault_that_does_nothing(claims, within=0), lab, {}, into=tmp_path / "kept", work=tmp_path)
    assert record.kept(tmp_path / "kept") == []


@pytest.mark.live
def test_a_fault_that_ends_while_it_is_looked_at_is_not_kept(healthy_lab: LabState, tmp_path: Path):
    proofs = iter([{"broker 2 has no process": True}, {"broker 2 has no process": False}])

    @scene({"during": {"ha": Expected()}})
    def over(lab: LabState, _: Path) -> Iterator[State]:
        yield State("during", inventory_of(lab), lambda: next(proofs))

    with pytest.raises(NotSeenError, match="had ended when the look had"):
        make(over, healthy_lab, {}, into=tmp_path / "kept", work=tmp_path)
    assert record.kept(tmp_path / "kept") == []


@pytest.mark.live
def test_no_secret_of_a_lab_is_kept(healthy_lab: LabState, tmp_path: Path):
    @scene({"well": {"ha": Expected()}})
    def well(lab: LabState, _: Path) -> Iterator[State]:
        yield State("well", inventory_of(lab), lambda: {"it is up": True}, secrets=["payments"])

    with pytest.raises(NotSeenError, match="a secret of the lab"):
        make(well, healthy_lab, {}, into=tmp_path / "kept", work=tmp_path)
    assert record.kept(tmp_path / "kept") == []


@pytest.mark.live
def test_the_proof_of_every_fault_that_any_lab_can_have_fails_where_it_is_not_in_force(healthy_lab: LabState):
    for fault in sorted(played.name for played in scenes_of("plain") if played.name in faults()):
        claims = in_force(healthy_lab, fault)
        assert claims, fault
        assert all(none_of(lambda claims=claims: claims)().values()), fault


# -- a forecast is compared with nothing


@pytest.mark.parametrize("foretold", [True, False])
def test_a_forecast_without_an_aftermath_and_the_other_way_round_are_not_kept(*, foretold: bool, tmp_path: Path):
    @scene({"before": {"ha": Expected()}}, forecasts={"before": lambda *_: []} if foretold else {})
    def half(lab: LabState, _: Path) -> Iterator[State]:
        yield State("before", inventory_of(lab), dict, aftermath=None if foretold else dict)

    lab = LabState("half", str(tmp_path), "", "", "", [])
    tmp_path.joinpath("environments.yaml").write_text("environments: {}\n")
    with pytest.raises(NotSeenError, match="a forecast needs an aftermath"):
        make(half, lab, {}, into=tmp_path / "kept", work=tmp_path)


# -- what is expected


def test_an_expectation_that_names_no_check_is_wrong():
    assert list(Expected(fails={"no-such-check": ""}).broken({}, {})) == ["no-such-check: there is no such check"]


def test_only_what_was_told_and_is_not_left_to_chance_proves_anything():
    expected = Expected(fails={"a": "x"}, passes={"b"}, undetermined={"c"}, others=("pass", "not_applicable"))
    assert expected.proves("a", "fail")
    assert expected.proves("b", "pass")
    assert expected.proves("d", "pass")
    assert not expected.proves("c", "pass")
    assert not expected.proves("a", "pass")
    assert not Expected(others=("pass", "unknown")).proves("d", "pass")


def test_more_rows_than_were_told_to_fail_are_wrong():
    kept = record.read(record.place_of("plain", "unsafe-topic", "during"))
    results = judged_as_kept(kept.shape, kept.scene, kept.state, "ha")
    check = "topic-survives-one-broker"
    expected = {"fails": {check: "invoices"}, "others": ("pass", "fail", "not_applicable")}
    assert list(Expected(rows={check: 1}, **expected).broken(results, {})) == []
    [said] = Expected(rows={check: 2}, **expected).broken(results, {})
    assert said.startswith(f"{check}: 1 rows fail instead of 2")
