"""Kept evidence can't be made to lie: three ways to try it, and that each is caught."""

import lzma
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kafka_lab import LabState
from kafka_lab.breaking import faults, in_force
from runbook.connections import _memory
from runbook.connections.kafka import Kafka, errors, reads
from runbook.evidence.bundle import Kept
from runbook.model.errors import TimedOut
from runbook.model.fact import Observed
from runbook.probes import kafka_broker
from support.evidence import record
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.judging import fact_in, judged_as_kept
from support.evidence.making import NotSeenError, make
from support.evidence.replaying import Replayed, replayed
from support.evidence.scene import Scene, State, scene, scenes_of

KEPT = record.place_of("plain", "stop-broker", "during")


def copied(evidence: record.Evidence, folder: Path) -> Path:
    """A copy of kept evidence, to be tampered with."""
    return record.write(evidence, folder)


# -- a bundle is edited


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda raw: raw["recordings"][0]["kept"].pop(), id="answers"),
        pytest.param(lambda raw: raw["last"]["claims"].update(more=True), id="proof"),
        pytest.param(lambda raw: raw["asked"].update(started_at="2099-01-01T00:00:00Z"), id="time"),
        pytest.param(lambda raw: raw["releases"]["systems"].update(kafka="0"), id="release"),
    ],
)
def test_an_edited_file_is_refused(edit: Callable[[dict[str, Any]], None], tmp_path: Path):
    file = copied(record.read(KEPT), tmp_path)
    raw = msgspec.msgpack.decode(lzma.decompress(file.read_bytes()), strict=False)
    edit(raw)
    file.write_bytes(lzma.compress(msgspec.msgpack.encode(raw)))
    with pytest.raises(ValueError, match="edited since it was made"):
        record.read(file)


def test_evidence_of_another_state_is_refused_under_this_name(tmp_path: Path):
    file = copied(record.read(KEPT), tmp_path)
    with pytest.raises(ValueError, match="it was moved"):
        record.read(file.rename(file.with_name("after.raw.xz")))


def test_the_same_evidence_is_the_same_bytes(tmp_path: Path):
    evidence = record.read(KEPT)
    assert copied(evidence, tmp_path / "a").read_bytes() == copied(evidence, tmp_path / "b").read_bytes()
    assert copied(evidence, tmp_path / "c").read_bytes() == KEPT.read_bytes()


# -- what is asked changes


def test_a_client_or_a_system_of_another_release_is_named():
    then = record.Releases({"kafka-python": "3.0"}, {"kafka": "4.3"})
    assert then.differences(then) == []
    assert then.differences(record.Releases({"kafka-python": "3.1"}, {"kafka": "4.4"})) == [
        "kafka-python (clients)",
        "kafka (systems)",
    ]


def test_a_question_that_nobody_put_then_is_named_and_its_fact_is_no_evidence(monkeypatch: pytest.MonkeyPatch):
    observe = kafka_broker.observe

    def more(kafka: Kafka) -> Observed:
        kafka.quotas()
        return observe(kafka)

    monkeypatch.setattr(kafka_broker, "observe", more)
    asked = anew(record.read(KEPT))
    assert [question for question in asked.missing if "DescribeClientQuotas" in question]
    assert fact_in(asked.bundle, "kafka_broker").gaps
    assert len(fact_in(asked.bundle, "kafka_topic"))


@pytest.mark.parametrize("edit", ["a class", "a sentence", "an API key"])
def test_what_asks_nothing_else_makes_nothing_stale(edit: str, monkeypatch: pytest.MonkeyPatch):
    kept = record.read(KEPT)
    if edit == "a class":
        monkeypatch.setattr(_memory, "_Once", type("_Renamed", (_memory._Once,), {}))
    elif edit == "a sentence":
        monkeypatch.setattr(errors, "silence", lambda subject, seconds: TimedOut(f"{subject}: {seconds}: no word"))
    else:
        monkeypatch.setitem(reads.KEYS, "Produce", 0)
    again = anew(kept)
    assert again.missing == []
    assert [facts_of(one) for one in again.bundle.kept] == [facts_of(one) for one in kept.bundle.kept]


def anew(evidence: record.Evidence) -> Replayed:
    """The facts, computed once more, by the code as it is now."""
    return replayed(evidence.asked, evidence.recordings)


def facts_of(kept: Kept) -> dict[str, str]:
    return {look: fact.digest() for look, fact in kept.facts.items()}


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
    proofs = cycle([{"broker 2 has no process": True}, {"broker 2 has no process": False}])

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
