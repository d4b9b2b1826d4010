import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.evidence.bundle import inventory_of, load_bundle, save_bundle
from runbook.evidence.chain import first_fault
from runbook.evidence.store import write_run
from runbook.model.canary import Canary, CanaryHere
from runbook.model.fact import Gap
from runbook.model.link import Mirror
from runbook.model.result import Outcome, Result
from runbook.model.run import Run
from runbook.parse.inventory import FLEET, Inventory
from runbook.run.judgement.runner import Progress
from support.busy_machine import LATE
from support.small_runbooks import (
    EACH,
    FAKES,
    FLEET_SAME,
    GOOD,
    LINK,
    Facts,
    check_text,
    fact,
    inventory,
    judged,
    runner_of,
    stored,
    target,
)

pytestmark = pytest.mark.usefixtures("fakes")


def outcomes(run: Run) -> list[tuple[str, str, Outcome]]:
    return [(result.check, result.subject, result.outcome) for result in run.results]


def results_of(events: Iterator[Result | Progress]) -> list[Result]:
    return [event for event in events if isinstance(event, Result)]


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
    from runbook.plugins.catalog import add_user_checks, catalog

    before = [(catalog(room), dict(catalog(room)._files)) for room in ("connections", "probes", "views")]
    add_user_checks(FAKES)
    runner = runner_of(ends_of_live(), *LIVE, heads=(FLEET,))
    seen = results_of(runner.live(10, [str(FAKES)]))
    assert {result.check for result in seen} == {result.check for result in runner.run.results}
    file = tmp_path_factory.mktemp("bundle") / "b.json"
    save_bundle(file, runner.bundle())
    for catalog_, files in before:
        catalog_._files = files
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
        assert first_fault(file.read_bytes()) is None
        for line in file.read_bytes().splitlines():
            record = msgspec.json.decode(line)
            if record["kind"] == "result":
                assert record["environment"] == name
                found.append((record["check"], record["environment"], record["subject"]))
    assert sorted(found) == sorted((r.check, r.environment, r.subject) for r in run.results)


def test_progress_counts_up_to_everything() -> None:
    runner = runner_of(inventory(a=target("a"), b=target("b")), check_text(EACH))
    seen = [event for event in runner.live(10, [str(FAKES)]) if isinstance(event, Progress)]
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
    told = [event for event in runner.live(2.5, [str(FAKES)]) if isinstance(event, Progress)]
    assert time.monotonic() - start < 2.5 + LATE
    assert [event.waiting_for for event in told].count(["fake_act of prod"]) > 2  # a clock that shows it goes on
    assert outcomes(runner.run) == [("small/fine", "prod", Outcome.PASS), ("small/hangs", "prod", Outcome.UNKNOWN)]
    assert runner.run.results[1].reason == "fake of prod had not answered by the deadline"


def test_what_a_run_took_counts_from_its_beginning_and_its_deadline_from_the_first_request() -> None:
    runner = runner_of(inventory(prod=target("prod")), check_text(EACH, "fine"))
    for _ in runner.live(30, [str(FAKES)], began=time.monotonic() - 100):
        pass
    assert outcomes(runner.run) == [("small/fine", "prod", Outcome.PASS)]
    assert 100_000 < runner.run.loading_ms <= runner.run.took_ms < 130_000


def test_where_nothing_was_asked_all_the_time_was_loading_and_of_a_bundle_there_is_none() -> None:
    runner = runner_of(inventory(bare=target("bare", {})), check_text(EACH, "lacks"))
    for _ in runner.live(30, [str(FAKES)]):
        pass
    assert runner.run.loading_ms == runner.run.took_ms
    kept = runner_of(inventory(prod=target("prod")), check_text(EACH, "fine"))
    results_of(kept.kept(stored({("prod", "fake_row"): fact("fake_row", GOOD)})))
    assert kept.run.loading_ms == 0


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_an_interrupt_at_any_moment_loses_nothing_and_leaves_no_check_without_a_result(taken: int) -> None:
    blocks = [check_text(EACH, f"fine{i}") for i in range(3)]
    runner = runner_of(inventory(prod=target("prod")), *blocks, HANGS)
    found: list[Result] = []
    events = runner.live(20, [str(FAKES)])
    while len(found) < taken:
        event = next(events)
        found += [event] if isinstance(event, Result) else []
    start = time.monotonic()
    runner.interrupt()
    assert time.monotonic() - start < 10  # it waits neither for what hangs nor for the deadline
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
    def calls(count: int) -> int:
        names = [f"e{i}" for i in range(count)]
        ends = inventory(**{name: target(name) for name in names})
        facts: Facts = {(name, "fake_row"): fact("fake_row", GOOD) for name in names}
        runner = runner_of(ends, *[check_text(EACH, f"c{i}") for i in range(10)])
        counted = itertools.count()
        sys.setprofile(lambda *_: next(counted) and None)
        try:
            assert len(results_of(runner.kept(stored(facts)))) == 10 * count
        finally:
            sys.setprofile(None)
        return next(counted)

    calls(1)  # what is loaded once
    assert calls(200) < 12 * calls(20)
