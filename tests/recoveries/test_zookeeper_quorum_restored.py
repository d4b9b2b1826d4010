from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.recoveries.zookeeper_quorum_restored import RECOVERY
from support.kafka_facts import fact, situation


def servers(*silent: str, idle: str = "") -> Fact:
    return fact(
        "zookeeper_server",
        [
            {
                "server": name,
                "answers": name not in silent,
                "state": None if name in silent else "idle" if name == idle else "follower",
            }
            for name in ("a", "b", "c")
        ],
        *(Gap("refused", {"server": name}) for name in silent),
    )


def ensemble(**cells: Any) -> Fact:
    values = {"ensemble": "a+b+c", "voters": 3, "hierarchical": False, "serving": 2, "leaders": ["a"], "silent": ["b"]}
    return fact("zookeeper_ensemble", [values | {"quorum": True, "spare": 0} | cells], Gap("refused", {"server": "b"}))


def test_servers_that_are_back_answer_and_what_they_would_say_was_never_seen() -> None:
    seen = servers("b")
    made = RECOVERY.sets["zookeeper_server"](seen, situation({}, seen))
    assert (made.columns["answers"], made.columns["state"]) == ([True] * 3, ["follower", None, "follower"])
    assert made.gaps == []


def test_the_ensemble_is_whole_and_one_of_three_is_to_spare() -> None:
    seen = ensemble()
    made = RECOVERY.sets["zookeeper_ensemble"](seen, situation({}, seen, servers("b")))
    [row] = made.rows()
    assert (row["serving"], row["spare"], row["silent"], row["quorum"]) == (3, 1, [], True)
    assert made.gaps == []


def test_votes_in_groups_and_voters_nobody_knows_leave_what_is_to_spare_unknown() -> None:
    for cells in ({"hierarchical": True}, {"voters": None}, {"hierarchical": None}):
        seen = ensemble(**cells)
        made = RECOVERY.sets["zookeeper_ensemble"](seen, situation({}, seen, servers("b")))
        assert made.columns["spare"] == [None]


def test_what_silent_and_idle_servers_did_not_tell_stays_unseen() -> None:
    members = fact("zookeeper_member", [], Gap("refused", {"server": "b"}), Gap("idle", {"server": "a"}), Gap("other"))
    made = RECOVERY.sets["zookeeper_member"](members, situation({}, servers("b", idle="a")))
    assert [gap.withheld for gap in made.gaps] == [True, True, False]
