"""Who leads and who is in sync: the short rules of views and recoveries agree with the controller's, step by step.

`decided`, the controller's own rule, is compared with Kafka's code in tests/live/test_elections_as_kafka.py.
"""

from collections.abc import Iterator
from itertools import islice, permutations

import pytest

from runbook.rules.election import NOBODY, ElectionState, ElectionTerms, decided, fate, may_lead, when_back
from support.elections import Change, histories

STATES = [*islice(histories(400, seed=3), 4000)]
BROKERS = {1, 2, 3, 4, 5}
SETTLED = [change for change in STATES if not (change.after.adding or change.after.removing)]


def without(state: ElectionState, node: int) -> tuple[int, ...]:
    return tuple(one for one in state.isr if one != node)


def lost(change: Change, nodes: tuple[int, ...]) -> ElectionState:
    """Fence brokers one after the other."""
    state, serves = change.after, {*change.terms.serves}
    for node in nodes:
        serves.discard(node)
        terms = change.terms._replace(serves=frozenset(serves))
        state = decided(state, terms, isr=without(state, node))
    return state


@pytest.mark.parametrize("count", [1, 2])
def test_what_a_loss_makes_of_a_partition_is_what_the_controller_makes_of_it(count: int) -> None:
    seen = set()
    for change in SETTLED[:: 3 * count]:
        state = change.after
        for nodes in permutations(sorted(BROKERS & change.terms.serves), count):
            gone = BROKERS - (change.terms.serves - {*nodes})
            left = fate(
                in_sync=len({*state.isr} - gone),
                eligible=len({*state.elr} & {*state.replicas} - gone),
                copies=len({*state.replicas} - gone),
                needs=change.terms.needs,
                unclean=False,
            )
            known = state.leader != NOBODY or state.isr or not {state.last_leader} & {*state.replicas} - gone
            if known:  # else the one that led last is elected as soon as nobody is eligible
                assert left.offline == (lost(change, nodes).leader == NOBODY), (state, nodes)
                seen.add(left)
    assert {left.offline for left in seen} == {True, False}


def ends(change: Change, back: tuple[int, ...], serves: frozenset[int]) -> Iterator[ElectionState]:
    """What a partition comes to when brokers come back, in each order, after a stop in order and after a kill."""
    for order in permutations(back):
        for killed in (False, True):
            state, serving = change.after, {*serves}
            for node in order:
                if killed and change.terms.keeps_eligible:
                    terms = change.terms._replace(serves=frozenset(serving))
                    state = decided(state, terms, isr=without(state, node), ended_badly=(node,))
                serving.add(node)
                state = decided(state, change.terms._replace(serves=frozenset(serving)))
            yield state


def test_a_partition_has_the_leader_that_is_foretold_when_brokers_come_back() -> None:
    told: dict[str, int] = {}
    for change in SETTLED:
        state, serves = change.after, change.terms.serves
        away = BROKERS - serves
        if state.leader != NOBODY or change.election == "unclean":
            continue
        for back in (*((node,) for node in away), tuple(away)):
            now = when_back(state, back, serves | {*back}, last_is_known=True)
            came = {end.leader != NOBODY for end in ends(change, back, serves)}
            if now is not None:
                assert came == {now.leader != NOBODY}, (state, back, now)
            told["unknown" if now is None else "led" if now.leader != NOBODY else "not led"] = 1
    assert told.keys() == {"unknown", "led", "not led"}


def test_who_led_last_leads_again_once_nobody_is_eligible_and_not_before() -> None:
    """Seen on Kafka 4.3: plain/no-copy-eligible of our kept evidence."""
    terms = ElectionTerms(frozenset({1, 2, 3}), needs=1, keeps_eligible=True)
    stuck = ElectionState((3,), (), (1, 2), last_leader=3)
    assert decided(stuck, terms) == stuck
    assert may_lead(stuck.replicas, stuck.isr, stuck.elr) == []
    assert decided(stuck._replace(elr=()), terms) == ElectionState((3,), (3,), (), leader=3)
    assert decided(stuck, terms, election="unclean") == ElectionState((3,), (3,), (), leader=3)


def test_a_kill_of_the_only_copy_takes_its_leader_where_others_were_in_sync_before() -> None:
    """From the reassignment on: what was in sync stays eligible, with a replica or without."""
    terms = ElectionTerms(frozenset({1, 2}), needs=1, keeps_eligible=True)
    cut = ElectionState((3,), (3,), (1, 2), leader=3)
    down = decided(cut, terms, isr=())
    assert down == ElectionState((3,), (), (1, 2, 3), NOBODY, 3)
    assert when_back(down, (3,), {1, 2, 3}, last_is_known=True) is None  # after a stop in order it leads again
    killed = decided(down, terms, isr=(), ended_badly=(3,))
    assert decided(killed, terms._replace(serves=frozenset({1, 2, 3}))).leader == NOBODY
