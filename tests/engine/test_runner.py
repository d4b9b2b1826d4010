import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.engine.bundle import inventory_of, load_bundle, save_bundle
from runbook.engine.canary import Canary, CanaryHere
from runbook.engine.evidence import verify_file
from runbook.engine.fact import Fact, Gap
from runbook.engine.inventory import FLEET, Inventory, Waiver
from runbook.engine.link import Mirror
from runbook.engine.plan import HEAD
from runbook.engine.result import Outcome, Result
from runbook.engine.run import Run
from runbook.engine.runner import Progress
from runbook.engine.store import write_run
from small_runbooks import (
    FAKES,
    NOW,
    ROWS,
    Facts,
    check_text,
    fact,
    inventory,
    judged,
    runner_of,
    small_runbook,
    stored,
    target,
)

pytestmark = pytest.mark.usefixtures("fakes")

EACH = ROWS + "expect: {each: row, that: row.size <= 10}"
GOOD, BAD = [{"name": "a", "size": 1}], [{"name": "a", "size": 11}]
LINK = """
    over: link
    facts: {src: {probe: fake_row, at: source}, dst: {probe: fake_row, at: target}}
    views: {double: {view: fake_double, of: [src]}}
    expect: {all: dst, that: size(dst.name) >= size(double.name)}
"""
FLEET_SAME = "over: fleet\n" + ROWS + "expect: {same: row, by: [name], value: [size]}"


def outcomes(run: Run) -> list[tuple[str, str, Outcome]]:
    return [(result.check, result.subject, result.outcome) for result in run.results]


def results_of(events: Iterator[Result | Progress]) -> list[Result]:
    return [event for event in events if isinstance(event, Result)]


# --- judging what is kept


def test_each_check_has_one_result_per_environment_in_the_order_of_the_plan() -> None:
    ends = inventory(b=target("b"), a=target("a"))
    run = judged(
        ends,
        {("a", "fake_row"): fact("fake_row", GOOD), ("b", "fake_row"): fact("fake_row", BAD)},
        check_text(EACH, "second"),
        check_text(EACH, "first"),
    )
    assert outcomes(run) == [
        ("small/second", "b", Outcome.FAIL),
        ("small/second", "a", Outcome.PASS),
        ("small/first", "b", Outcome.FAIL),
        ("small/first", "a", Outcome.PASS),
    ]


def test_a_result_says_what_it_rests_on() -> None:
    seen = fact("fake_row", GOOD)
    [result] = judged(
        inventory(prod=target("prod")), {("prod", "fake_row"): seen}, check_text(EACH, remedy="act")
    ).results
    [evidence] = result.evidence
    assert (evidence.name, evidence.source, evidence.digest, evidence.rows, evidence.complete) == (
        "row",
        "fake_row",
        seen.digest(),
        1,
        True,
    )
    assert (result.runbook, result.runbook_version, result.remedy, result.judged) == ("small", "1.0.0", "act", 1)
    assert result.check_digest == small_runbook(check_text(EACH)).checks()[0].digest()


def test_a_fact_the_bundle_does_not_hold_is_unknown() -> None:
    [result] = judged(inventory(prod=target("prod")), {}, check_text(EACH)).results
    assert (result.outcome, result.reason) == (
        Outcome.UNKNOWN,
        "fake_row: the bundle does not hold it: it was collected for other checks",
    )


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"name": ["a"], "size": ["1"]}, "has '1' for size, which is declared int"),
        ({"name": ["a", "b"], "size": [1]}, "has columns of different lengths"),
        ({"name": ["a"]}, "row.size could not be found out"),
        ({}, "nothing to judge"),
    ],
)
def test_a_stored_fact_of_another_shape_is_no_ground_for_a_pass(columns: dict[str, list[Any]], reason: str) -> None:
    [result] = judged(
        inventory(prod=target("prod")), {("prod", "fake_row"): Fact("fake_row", columns)}, check_text(EACH)
    ).results
    assert result.outcome is not Outcome.PASS
    assert reason in result.reason


def test_a_connection_that_is_not_given_is_unknown_and_one_declared_absent_does_not_apply() -> None:
    ends = inventory(bare=target("bare", {}), absent=target("absent", {}, absent={"fake": "bare metal"}))
    without, absent = judged(ends, {}, check_text(EACH)).results
    assert (without.outcome, without.reason) == (
        Outcome.UNKNOWN,
        "the inventory gives no fake connection for bare, nor declares it absent",
    )
    assert (absent.outcome, absent.reason) == (Outcome.NOT_APPLICABLE, "absent has no fake: bare metal")


def test_a_check_that_is_barred_has_a_result_without_evidence() -> None:
    ends = inventory(prod=target("prod", labels={"tier": "dev"}, cluster_id="pinned"))
    [result] = judged(ends, {}, check_text(EACH, labels="{tier: [prod]}")).results
    assert (result.outcome, result.reason) == (Outcome.NOT_APPLICABLE, "meant for tier prod; here tier is dev")
    assert (result.evidence, result.judged) == ([], 0)


# --- the right cluster


def cluster(identity: str | None, *gaps: str) -> Fact:
    row = {"cluster_id": identity, "kafka_version": "4.1", "mode": "kraft", "brokers": 3, "answering": 2}
    return fact("kafka_cluster", [row] if identity else [], gaps)


PINNED = target("prod", {"fake": {}, "kafka": {}}, cluster_id="right")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (cluster("wrong"), "this is cluster wrong; the inventory pins prod to right"),
        (cluster(None, "refused"), "whether this is cluster right could not be found out: refused"),
        (cluster(None), "whether this is cluster right could not be found out: it does not say"),
    ],
)
def test_a_cluster_that_is_not_the_pinned_one_makes_everything_unknown(answer: Fact, reason: str) -> None:
    for rows in (GOOD, BAD):
        facts: Facts = {("prod", HEAD): answer, ("prod", "fake_row"): fact("fake_row", rows)}
        [result] = judged(inventory(prod=PINNED), facts, check_text(EACH)).results
        assert (result.outcome, result.reason, result.rows) == (Outcome.UNKNOWN, reason, [])


def test_the_pinned_cluster_is_judged() -> None:
    facts: Facts = {("prod", HEAD): cluster("right"), ("prod", "fake_row"): fact("fake_row", GOOD)}
    [result] = judged(inventory(prod=PINNED), facts, check_text(EACH)).results
    assert result.outcome is Outcome.PASS


def test_a_pin_that_nothing_can_confirm_makes_everything_unknown() -> None:
    ends = inventory(prod=target("prod", cluster_id="right"))
    [result] = judged(ends, {("prod", "fake_row"): fact("fake_row", GOOD)}, check_text(EACH)).results
    assert result.outcome is Outcome.UNKNOWN
    assert "there is no kafka connection to ask" in result.reason


def test_a_link_needs_the_right_cluster_at_both_ends() -> None:
    ends = inventory(Mirror("prod", "dr"), prod=PINNED, dr=target("dr"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in ("prod", "dr")}
    [result, _] = judged(ends, facts | {("prod", HEAD): cluster("wrong")}, check_text(LINK)).results
    assert result.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(("end", "outcome"), [("target", Outcome.PASS), ("source", Outcome.UNKNOWN)])
def test_what_one_end_of_a_link_tells_is_judged_also_while_the_other_end_is_dark(end: str, outcome: Outcome) -> None:
    ends = inventory(Mirror("prod", "dr"), prod=PINNED, dr=target("dr"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in ("prod", "dr")}
    one = f"""
    over: link
    facts: {{row: {{probe: fake_row, at: {end}}}}}
    expect: {{all: row, that: size(row.name) > 0}}
"""
    [result, *_] = judged(ends, facts | {("prod", HEAD): cluster(None, "it is dark")}, check_text(one)).results
    assert result.outcome is outcome


# --- heads


def test_the_head_says_what_the_cluster_says_of_itself() -> None:
    prod = target("prod", {"kafka": {}, "fake": {}}, objectives=["latency"])
    run = judged(inventory(prod=prod), {("prod", HEAD): cluster("abc")}, check_text(EACH))
    [head] = run.heads
    assert (head.cluster_id, head.kafka_version, head.mode, head.brokers, head.answering) == (
        "abc",
        "4.1",
        "kraft",
        3,
        2,
    )
    assert (head.ranking, head.collected_at) == (["latency"], NOW)


def test_without_kafka_the_head_still_has_its_ranking_and_notes() -> None:
    waiver = Waiver("small/any", "alice", "the move to new disks", "2026-11-01")
    prod = target("prod", objectives=["latency"], waivers=[waiver])
    [head] = judged(inventory(prod=prod), {("prod", "fake_row"): fact("fake_row", BAD)}, check_text(EACH)).heads
    assert (head.brokers, head.ranking) == (-1, ["latency"])
    assert head.notes == ["the waiver of alice for small/any expired on 2026-11-01"]


def test_a_waiver_for_a_check_that_is_not_there_is_shown() -> None:
    waivers = [Waiver(check, "alice", "the move to new disks", "2026-12-01") for check in ("small/nay", "other/any")]
    [head] = judged(inventory(prod=target("prod", waivers=waivers)), {}, check_text(EACH)).heads
    assert head.notes == ["the waiver of alice for small/nay names no check of that runbook"]


def test_a_waived_failure_keeps_its_outcome_and_says_who_waived_it() -> None:
    waiver = Waiver("small/any", "alice", "the move to new disks", "2026-12-01")
    ends = inventory(prod=target("prod", waivers=[waiver]))
    [result] = judged(ends, {("prod", "fake_row"): fact("fake_row", BAD)}, check_text(EACH)).results
    assert (result.outcome, result.waived, result.rows[0].waived) == (Outcome.FAIL, True, True)


# --- links and fleets


def test_a_link_is_judged_over_both_ends() -> None:
    ends = inventory(Mirror("prod", "dr"), prod=target("prod"), dr=target("dr"))
    facts: Facts = {("prod", "fake_row"): fact("fake_row", GOOD), ("dr", "fake_row"): fact("fake_row", GOOD)}
    [result, _] = judged(ends, facts, check_text(LINK)).results
    assert (result.subject_kind, result.subject, result.environment) == ("link", "prod→dr", "dr")
    assert result.outcome is Outcome.PASS
    for end in ("prod", "dr"):
        [result, _] = judged(
            ends, facts | {(end, "fake_row"): fact("fake_row", GOOD, ["hidden"])}, check_text(LINK)
        ).results
        assert (result.outcome, result.reason) == (Outcome.UNKNOWN, "hidden")


def test_a_fleet_is_judged_over_all_environments_and_what_one_lacks_is_lacking() -> None:
    ends = inventory(a=target("a"), b=target("b"))
    facts: Facts = {("a", "fake_row"): fact("fake_row", GOOD), ("b", "fake_row"): fact("fake_row", BAD)}
    run = judged(ends, facts, check_text(FLEET_SAME), heads=(FLEET,))
    [result] = run.results
    assert (result.subject, result.environment, result.outcome) == (FLEET, FLEET, Outcome.FAIL)
    assert [row.key for row in result.rows] == [{"environment": name, "name": "a"} for name in "ab"]
    [result] = judged(ends, {("a", "fake_row"): fact("fake_row", GOOD)}, check_text(FLEET_SAME)).results
    assert result.outcome is Outcome.UNKNOWN
    assert result.reason.startswith("b: ")


def test_a_fleet_can_be_looked_at_twice() -> None:
    body = (
        "over: fleet\nfacts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size > before.size}"
    )
    look = {"before": fact("fake_row", [{"name": "a", "size": 1}]), "": fact("fake_row", [{"name": "a", "size": 2}])}
    ends = inventory(a=target("a"), b=target("b"))
    [result] = judged(ends, {("a", "fake_row"): look, ("b", "fake_row"): look}, check_text(body)).results
    assert (result.outcome, result.judged) == (Outcome.PASS, 2)


def test_the_labels_of_one_environment_do_not_stand_for_the_fleet() -> None:
    body = "over: fleet\n" + ROWS + 'expect: {each: row, that: \'env.labels["tier"] == "prod"\'}'
    ends = inventory(a=target("a", labels={"tier": "prod"}), b=target("b"))
    facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in "ab"}
    [result] = judged(ends, facts, check_text(body)).results
    assert result.outcome is Outcome.UNKNOWN


def test_a_view_that_several_checks_use_over_many_environments_is_never_mixed_up() -> None:
    views = "views: {double: {view: fake_double, of: [row]}}\n"
    bodies = [ROWS + views + f"expect: {{each: double, that: double.twice == {2 * i}}}" for i in range(20)]
    blocks = [check_text(f"over: fleet\n{body}", f"c{i}") for i, body in enumerate(bodies)]
    for i in range(20):
        facts: Facts = {("a", "fake_row"): fact("fake_row", [{"name": "a", "size": i}])}
        run = judged(inventory(a=target("a")), facts, *blocks)
        assert [r.check for r in run.results if r.outcome is Outcome.PASS] == [f"small/c{i}"]


# --- live, and from a bundle

LIVE = [
    check_text(
        "facts: {act: {probe: fake_act, with: {text: hello, rows: 3}}}\n"
        "expect: {each: act, that: act.text == 'bye', message: '{act.number}'}",
        "fails",
    ),
    check_text(
        "facts: {act: {probe: fake_act, with: {how: gap}}}\nexpect: {each: act, that: act.number == 0}", "lacks"
    ),
    check_text(
        "facts: {act: {probe: fake_act, with: {how: abort}}}\nexpect: {each: act, that: act.number == 0}", "dies"
    ),
    check_text(
        "facts: {row: {probe: fake_row}, node: {probe: fake_node}}\n"
        "expect: {each: row, join: {node: {broker: broker}}, that: row.size < node.limit && row.ok,"
        " touches: [numbers], message: '{row.settings}'}",
        "joins",
    ),
    check_text(
        "facts: {act: {probe: fake_act, looks: 50ms}}\nexpect: {window: act, that: after.at >= before.at}", "looks"
    ),
    check_text(LINK, "link"),
    check_text(FLEET_SAME, "fleet"),
    check_text(EACH, "barred", labels="{tier: [none]}"),
]


def ends_of_live() -> Inventory:
    settings = {"fake": {"password": "hunter2hunter2"}}
    return inventory(
        Mirror("prod", "dr"), prod=target("prod", settings), dr=target("dr", settings), bare=target("bare", {})
    )


@pytest.fixture(scope="module")
def live_bundle(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path, Run]:
    """A live run with real workers: its results, its bundle, and the run."""
    from runbook.engine.catalog import add_user_checks, catalog

    before = [(catalog(room), dict(catalog(room)._files)) for room in ("connections", "probes", "views")]
    add_user_checks(FAKES)
    runner = runner_of(ends_of_live(), *LIVE, heads=(FLEET,))
    seen = results_of(runner.live(time.monotonic() + 10, [str(FAKES)]))
    assert {result.check for result in seen} == {result.check for result in runner.run.results}
    file = tmp_path_factory.mktemp("bundle") / "b.json"
    save_bundle(file, runner.bundle())
    for one, files in before:
        one._files = files
    return msgspec.json.encode(runner.run.results), file, runner.run


def test_a_live_run_judges_what_its_workers_saw(live_bundle: tuple[bytes, Path, Run]) -> None:
    _, _, run = live_bundle
    found = {(result.check, result.subject): result.outcome for result in run.results}
    expected = {
        "fails": Outcome.FAIL,
        "lacks": Outcome.UNKNOWN,
        "dies": Outcome.UNKNOWN,
        "joins": Outcome.PASS,
        "looks": Outcome.PASS,
        "barred": Outcome.NOT_APPLICABLE,
    }
    for name, outcome in expected.items():
        # What was in flight with the probe that took its worker down may be lost, and is then unknown.
        assert found[f"small/{name}", "prod"] in (outcome, Outcome.UNKNOWN)
        bare = Outcome.NOT_APPLICABLE if name == "barred" else Outcome.UNKNOWN
        assert found[f"small/{name}", "bare"] is bare
    assert found["small/fleet", FLEET] is Outcome.UNKNOWN
    assert found["small/link", "bare"] is Outcome.NOT_APPLICABLE


def test_a_bundle_judged_again_gives_the_same_results_to_the_byte(live_bundle: tuple[bytes, Path, Run]) -> None:
    results, file, _ = live_bundle
    bundle = load_bundle(file)
    assert bundle.selected == ["bare", "dr", "prod"]
    again = runner_of(inventory_of(bundle, str(file)), *LIVE, chosen=["prod", "dr", "bare"])
    assert len(results_of(again.kept(bundle))) == len(again.run.results)
    assert msgspec.json.encode(again.run.results) == results
    assert again.bundle().kept == bundle.kept


def test_a_bundle_keeps_no_consent_to_write() -> None:
    ends = inventory(Mirror("a", "b", canary=Canary()), a=target("a", canary=CanaryHere()), b=target("b"))
    bundle = runner_of(ends, check_text(LINK, "link"), check_text(EACH, "each")).bundle()
    assert [environment.canary for environment in bundle.environments.values()] == [None, None]
    assert [mirror.canary for mirror in bundle.mirrors] == [None]


def test_a_bundle_holds_no_secret(live_bundle: tuple[bytes, Path, Run]) -> None:
    results, file, _ = live_bundle
    assert b"hunter2" not in file.read_bytes()
    assert b"hunter2" not in results


def test_every_result_of_a_run_is_kept_under_its_environment(
    live_bundle: tuple[bytes, Path, Run], tmp_path: Path
) -> None:
    _, _, run = live_bundle
    files = {file.parts[-3]: file for file in write_run(tmp_path, run)}
    assert set(files) == {"prod", "dr", "bare", FLEET}
    found = []
    for name, file in files.items():
        assert verify_file(file.read_bytes()) == ""
        for line in file.read_bytes().splitlines():
            record = msgspec.json.decode(line)
            if record["kind"] == "result":
                assert record["environment"] == name
                found.append((record["check"], record["environment"], record["subject"]))
    assert sorted(found) == sorted((r.check, r.environment, r.subject) for r in run.results)


def test_progress_counts_up_to_everything() -> None:
    runner = runner_of(inventory(a=target("a"), b=target("b")), check_text(EACH))
    seen = [event for event in runner.live(time.monotonic() + 10, [str(FAKES)]) if isinstance(event, Progress)]
    assert (seen[0].facts, seen[0].waiting_for) == (0, ["fake_row of a", "fake_row of b"])
    assert [progress.facts for progress in seen] == sorted(progress.facts for progress in seen)
    last = seen[-1]
    assert (last.facts, last.facts_in_all, last.checks, last.checks_in_all, last.waiting_for) == (2, 2, 2, 2, [])


HANGS = check_text(
    "facts: {act: {probe: fake_act, with: {how: hang}}}\nexpect: {each: act, that: act.number == 0}", "hangs"
)


def test_a_run_ends_by_its_deadline_with_what_it_found() -> None:
    runner = runner_of(inventory(prod=target("prod")), check_text(EACH, "fine"), HANGS)
    start = time.monotonic()
    for _ in runner.live(start + 2.5, [str(FAKES)]):
        pass
    assert time.monotonic() - start < 2.5 + 0.5  # design §6
    assert outcomes(runner.run) == [("small/fine", "prod", Outcome.PASS), ("small/hangs", "prod", Outcome.UNKNOWN)]
    assert runner.run.results[1].reason == "fake of prod had not answered by the deadline"


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_an_interrupt_at_any_moment_loses_nothing_and_leaves_no_check_without_a_result(taken: int) -> None:
    blocks = [check_text(EACH, f"fine{i}") for i in range(3)]
    runner = runner_of(inventory(prod=target("prod")), *blocks, HANGS)
    found: list[Result] = []
    events = runner.live(time.monotonic() + 20, [str(FAKES)])
    while len(found) < taken:
        event = next(events)
        found += [event] if isinstance(event, Result) else []
    start = time.monotonic()
    runner.interrupt()
    assert time.monotonic() - start < 1
    assert runner.run.interrupted
    names = [result.check for result in runner.run.results]
    assert names == ["small/fine0", "small/fine1", "small/fine2", "small/hangs"]
    assert [result for result in found if result not in runner.run.results] == []
    assert runner.run.results[-1].reason == 'fake_act {"how": "hang"}: the run was interrupted'
    assert runner._workers is None or not runner._workers._processes or runner._workers.left() == 0


def test_an_interrupt_in_the_midst_of_judging_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [check_text(EACH, f"c{i}") for i in range(4)]
    runner = runner_of(inventory(prod=target("prod")), *blocks)
    judge, calls = runner._judge, []

    def interrupted(judgement: Any) -> Result:
        calls.append(judgement)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return judge(judgement)

    monkeypatch.setattr(runner, "_judge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        results_of(runner.kept(stored({("prod", "fake_row"): fact("fake_row", GOOD)})))
    runner.interrupt()
    assert [(r.check, r.outcome) for r in runner.run.results] == [(f"small/c{i}", Outcome.PASS) for i in range(4)]


def test_gaps_come_with_what_they_are_about() -> None:
    gap = Gap("broker 2 is silent", {"broker": 2})
    [result] = judged(
        inventory(prod=target("prod")), {("prod", "fake_row"): fact("fake_row", GOOD, [gap])}, check_text(EACH)
    ).results
    assert result.gaps == [gap]


def test_planning_and_judging_many_environments_costs_in_proportion() -> None:
    def seconds(count: int) -> float:
        names = [f"e{i}" for i in range(count)]
        ends = inventory(**{name: target(name) for name in names})
        facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in names}
        runner = runner_of(ends, *[check_text(EACH, f"c{i}") for i in range(10)])
        start = time.process_time()
        assert len(results_of(runner.kept(stored(facts)))) == 10 * count
        return time.process_time() - start

    assert seconds(200) < 40 * max(seconds(20), 0.01)
