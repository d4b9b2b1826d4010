from typing import Any

from runbook.model.fact import Fact
from support.zookeeper_servers import Played

GROUPS = "\ngroup.1=1\ngroup.2=2\ngroup.3=3\n"


def only_row(fact: Fact) -> dict[str, Any]:
    [row] = fact.rows()
    return row


def test_three_that_are_well_may_lose_one():
    fact = Played("healthy").observe("zookeeper_ensemble")
    assert fact.complete
    row = only_row(fact)
    assert (row["voters"], row["serving"], row["leaders"], row["silent"]) == (3, 3, ["zk-3"], [])
    assert (row["hierarchical"], row["quorum"], row["spare"]) == (False, True, 1)


def test_a_lost_server_leaves_nothing_to_spare_and_no_doubt():
    """Its leader counts one follower: nobody has to be asked who is gone."""
    fact = Played("server_stopped").observe("zookeeper_ensemble")
    assert fact.complete
    row = only_row(fact)
    assert (row["voters"], row["serving"], row["silent"]) == (3, 2, ["zk-2"])
    assert (row["quorum"], row["spare"]) == (True, 0)


def test_what_a_leader_still_counts_and_does_not_answer_is_hearsay():
    played = Played("healthy")
    played.answers["zk-1"] = {}
    fact = played.observe("zookeeper_ensemble")
    row = only_row(fact)
    assert fact.complete  # of the quorum; the rest says itself that it is not known
    assert (row["quorum"], row["serving"], row["spare"]) == (True, None, None)


def test_with_a_silent_leader_nobody_knows():
    played = Played("healthy")
    played.answers["zk-3"] = {}
    fact = played.observe("zookeeper_ensemble")
    assert not fact.complete
    assert (only_row(fact)["leaders"], only_row(fact)["quorum"], only_row(fact)["spare"]) == (None, None, None)


def test_one_that_serves_nobody_proves_nothing_of_those_that_are_silent():
    fact = Played("ensemble_lost").observe("zookeeper_ensemble")
    assert not fact.complete
    assert (only_row(fact)["voters"], only_row(fact)["quorum"]) == (None, None)


def test_two_that_lead_are_no_quorum():
    played = Played("healthy")
    played.answers["zk-1"]["srvr"] = played.answers["zk-1"]["srvr"].replace("follower", "leader")
    row = only_row(played.observe("zookeeper_ensemble"))
    assert (row["leaders"], row["quorum"], row["spare"]) == (["zk-1", "zk-3"], False, -1)


def test_a_follower_that_does_not_keep_up_does_not_count():
    played = Played("healthy")
    monitored = played.answers["zk-3"]["mntr"]
    played.answers["zk-3"]["mntr"] = monitored.replace("zk_synced_followers\t2", "zk_synced_followers\t1")
    row = only_row(played.observe("zookeeper_ensemble"))
    assert (row["serving"], row["quorum"], row["spare"]) == (2, True, 0)


def test_members_that_the_inventory_does_not_name_count_as_the_leader_says():
    played = Played("healthy")
    del played.answers["zk-1"]
    fact = played.observe("zookeeper_ensemble")
    assert fact.complete
    assert (only_row(fact)["voters"], only_row(fact)["serving"], only_row(fact)["spare"]) == (3, 3, 1)


def test_without_the_leaders_word_we_count_ourselves():
    played = Played("healthy")
    played.forbid("mntr")
    assert only_row(played.observe("zookeeper_ensemble"))["spare"] == 1
    played = Played("server_stopped")
    played.forbid("mntr")
    row = only_row(played.observe("zookeeper_ensemble"))
    assert (row["quorum"], row["serving"], row["spare"]) == (True, None, None)


def test_groups_decide_where_there_are_groups():
    played = Played("healthy")
    for answers in played.answers.values():
        answers["conf"] += GROUPS
    row = only_row(played.observe("zookeeper_ensemble"))
    assert (row["hierarchical"], row["quorum"], row["spare"]) == (True, True, 1)
    played = Played("healthy")
    for answers in played.answers.values():
        answers["conf"] += "\ngroup.1=1:2\ngroup.2=3\n"
    row = only_row(played.observe("zookeeper_ensemble"))
    assert (row["quorum"], row["spare"]) == (True, 0)


def test_where_nobody_tells_how_votes_count_the_remedy_is_said():
    played = Played("healthy", admin=True)
    assert played.observe("zookeeper_ensemble").complete
    played.forbid("conf")
    fact = played.observe("zookeeper_ensemble")
    [gap] = fact.gaps
    assert "allow the four-letter word conf" in gap.reason
    assert (only_row(fact)["voters"], only_row(fact)["quorum"]) == (3, None)


def test_a_server_alone_has_nothing_to_spare():
    played = Played("healthy")
    del played.answers["zk-1"], played.answers["zk-2"]
    answers = played.answers["zk-3"]
    answers["srvr"] = answers["srvr"].replace("leader", "standalone")
    answers["conf"] = answers["conf"].partition("initLimit")[0]
    fact = played.observe("zookeeper_ensemble")
    assert fact.complete
    row = only_row(fact)
    assert (row["voters"], row["leaders"], row["quorum"], row["spare"]) == (1, ["zk-3"], True, 0)
