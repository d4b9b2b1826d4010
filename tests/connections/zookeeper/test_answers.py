"""What servers answer is read the same by word and by admin server, and what is no answer is none."""

import json
from typing import Any

import pytest

from runbook.answers.zookeeper import CLIENTS, CONFIGURATION, MONITOR, QUESTIONS, STATE
from runbook.connections.zookeeper import READS, by_admin, by_word, connect
from runbook.formats.zookeeper import Answers, EnsembleMember, ServerState, is_quorum
from runbook.model.errors import Garbled
from runbook.model.probe import Deadline
from support.http_servers import Answer, http_server
from support.zookeeper_servers import Played, word_server

OLD = """Zookeeper version: 3.4.14-4c25d480e66aadd371de8bd2fd8da255ac140bcf, built on 03/06/2019 16:18 GMT
Latency min/avg/max: 0/0/12
Received: 54
Sent: 53
Connections: 1
Outstanding: 2
Zxid: 0x200000003
Mode: standalone
Node count: 4
"""
HIERARCHICAL = """tickTime=2000
serverId=1
membership:
server.1=a:2888:3888:participant;0.0.0.0:2181
server.2=[fd00::2]:2888:3888:participant
server.3=c:2888:3888:observer
server.4=d:2888:3888
group.1=1:2
group.2=4
weight.1=1
weight.2=0
weight.4=3
version=100000000
"""


def asked(answers: dict[str, str | bytes], question: str) -> tuple[Answers, list[str]]:
    with word_server(answers) as (place, words):
        zookeeper = connect({"servers": {"zk-1": place}}, Deadline(60, patience=20))
        by_server = getattr(zookeeper, question)()
        getattr(zookeeper, question)()
        zookeeper.close()
    return by_server, words


def test_both_ways_tell_the_same():
    with Played("healthy").connection() as words, Played("healthy", admin=True).connection() as admin:
        assert admin.places() != words.places()  # their ports differ
        by_words, by_http = words.states()[0], admin.states()[0]
        for name, state in by_words.items():
            other = by_http[name]
            assert (other.mode, other.version, other.znodes) == (state.mode, state.version, state.znodes)
        assert words.configurations() == admin.configurations()  # told by the word, whichever way the rest goes
        for name, metrics in words.monitors()[0].items():
            assert {
                key: str(admin.monitors()[0][name][key]) for key in ("server_state", "quorum_size", "watch_count")
            } == {key: metrics[key] for key in ("server_state", "quorum_size", "watch_count")}
        sessions = [
            {
                name: sorted(client.session for client in clients if client.session)
                for name, clients in way.clients()[0].items()
            }
            for way in (words, admin)
        ]
        assert sessions[0] == sessions[1]
        assert sum(map(len, sessions[0].values())) == 3


def test_without_the_word_the_admin_server_leaves_votes_open():
    played = Played("healthy", admin=True)
    played.forbid("conf")
    with played.connection() as zookeeper:
        configurations, gaps = zookeeper.configurations()
    assert gaps == []
    assert {member.group for configuration in configurations.values() for member in configuration.members} == {None}
    assert {len(configuration.members) for configuration in configurations.values()} == {3}
    assert {configuration.init_limit for configuration in configurations.values()} == {None}


def test_each_word_is_sent_once():
    (states, gaps), words = asked({"srvr": OLD}, "states")
    assert (gaps, words) == ([], ["srvr"])
    assert states["zk-1"] == ServerState("standalone", "3.4.14", 0, 0.0, 12, 54, 1, 2, 4)


def test_a_word_that_is_not_allowed_is_a_gap_with_the_remedy():
    (answers, [gap]), _ = asked({}, "monitors")
    assert not answers
    assert gap.keys == {"server": "zk-1"}
    assert "does not answer mntr: set 4lw.commands.whitelist=srvr,mntr,conf,cons" in gap.reason


class InTurn(dict[str, Any]):
    """Another answer each time that a word is sent."""

    def get(self, word: str, default: Any = None) -> Any:
        """The next one."""
        del default
        return self[word].pop(0)


HERE = " /127.0.0.1:1[1](queued=0,recved=9,sent=9,sid=0x1,lop=PING,est=1,to=4000)"
ENDED = " null[0](queued=0,recved=1,sent=1)"  # as ZooKeeper 3.9.5 told it while a question of ours was hung up
SESSION_ENDED = ENDED.replace(")", ",sid=0x2,lop=PING,est=1,to=4000)")


def test_a_connection_without_a_session_that_ends_while_it_is_listed_is_nobodys():
    assert by_word.clients(f"{HERE}\n{ENDED}\n") == by_word.clients(HERE)
    cells = {"remote_socket_address": "127.0.0.1:1", "session_id": 1, "session_timeout": 4000}
    ended = {"remote_socket_address": None}
    assert [client.session for client in by_admin.clients([{"command": "c", "connections": [cells, ended]}])] == [1]


def test_a_session_whose_connection_ends_while_it_is_listed_is_asked_for_once_more():
    with pytest.raises(by_word.SessionEnds):
        by_word.clients(f"{HERE}\n{SESSION_ENDED}")
    with pytest.raises(by_word.SessionEnds):
        by_admin.clients([{"command": "c", "connections": [{"remote_socket_address": None, "session_id": 2}]}])
    (sessions, gaps), words = asked(InTurn({"cons": [f"{HERE}\n{SESSION_ENDED}", HERE]}), "clients")
    assert (gaps, words) == ([], ["cons", "cons"])
    assert [client.session for client in sessions["zk-1"]] == [1]
    (sessions, [gap]), _ = asked({"cons": SESSION_ENDED}, "clients")
    assert not sessions
    assert "whose connection ended at that moment" in gap.reason


def test_a_server_without_its_ensemble_has_a_state_and_measures_nothing():
    for admin in (False, True):
        with Played("ensemble_lost", admin=admin).connection() as zookeeper:
            assert zookeeper.states()[0] == {"zk-1": ServerState("")}
            for question in ("monitors", "configurations", "clients"):
                answers, gaps = getattr(zookeeper, question)()
                assert not answers
                [reason] = [gap.reason for gap in gaps if gap.keys["server"] == "zk-1"]
                # Its admin server breaks over the metrics: ZooKeeper 3.8 answers 500.
                assert "serves no clients" in reason or (admin and question == "monitors")
            assert [gap.keys["server"] for gap in zookeeper.states()[1]] == ["zk-2", "zk-3"]


@pytest.mark.parametrize("question", ["states", "monitors", "configurations", "clients"])
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"", "without an answer"),
        (b"\xff\xfe\x00", "no text"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "as ZooKeeper does not"),
        (b"hello " * 2_000_000, "more than 8 MB"),
    ],
)
def test_what_is_not_zookeepers_is_a_gap(question: str, answer: bytes, says: str):
    (answers, [gap]), _ = asked({question.word: answer for question in QUESTIONS}, question)
    assert not answers
    assert says in gap.reason


@pytest.mark.parametrize("question", ["states", "monitors", "clients"])
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{}", b"<html>", b"\xff", b"[" * (10 << 20), b'{"command": "x", "connections": 3}'],
)
def test_what_is_not_the_admin_servers_is_a_gap(question: str, body: bytes):
    with http_server(lambda _: Answer(body)) as (place, _):
        zookeeper = connect({"servers": {"a": {"address": "127.0.0.1:1", "admin": place}}}, Deadline(60, patience=20))
        answers, [gap] = getattr(zookeeper, question)()
        zookeeper.close()
    assert not answers
    assert gap.reason


def test_groups_weights_and_observers_are_read():
    members = by_word.configuration(HIERARCHICAL).members
    assert [(member.number, member.role, member.group, member.weight) for member in members] == [
        (1, "participant", 1, 1),
        (2, "participant", 1, 0),
        (3, "observer", 0, 1),
        (4, "participant", 2, 3),
    ]
    assert (members[0].client_address, members[1].host) == ("0.0.0.0:2181", "fd00::2")


@pytest.mark.parametrize(
    ("groups", "present", "decides"),
    [
        ((0, 0, 0), {1, 2}, True),
        ((0, 0, 0), {1}, False),
        ((0, 0, 0, 0), {1, 2}, False),
        ((1, 1, 1, 2, 2, 2, 3, 3, 3), {1, 2, 4, 5}, True),
        ((1, 1, 1, 2, 2, 2, 3, 3, 3), {1, 2, 3, 4, 7}, False),
    ],
)
def test_a_quorum_is_a_majority_or_a_majority_of_groups(groups: tuple[int, ...], present: set[int], *, decides: bool):
    members = [EnsembleMember(n, "h", 1, 2, "participant", "", group) for n, group in enumerate(groups, 1)]
    assert is_quorum(present, members) is decides
    assert is_quorum(present, [*members, EnsembleMember(99, "h", 1, 2, "observer")]) is decides


def test_nobody_decides_where_nobody_votes():
    assert not is_quorum({1}, [])


def test_a_group_without_weight_does_not_count():
    members = [EnsembleMember(n, "h", 1, 2, "participant", "", n, weight) for n, weight in enumerate((1, 1, 0), 1)]
    assert is_quorum({1, 2}, members)
    assert not is_quorum({1, 3}, members)


@pytest.mark.parametrize(
    "text", ["tickTime=1\nserver.1=nonsense\n", "Latency min/avg/max: x\nMode: leader\n", "Mode: leader\n"]
)
def test_answers_that_contradict_themselves_are_refused(text: str):
    with pytest.raises(Garbled):
        (by_word.configuration if "tickTime" in text else by_word.state)(text)


def test_members_told_wrongly_by_the_admin_server_are_refused():
    view: dict[str, Any] = {"command": "voting_view", "current_config": {"1": {"server_addresses": []}}}
    with pytest.raises(Garbled, match="member 1"):
        by_admin.configuration([by_admin.document(json.dumps(answer).encode()) for answer in ({"command": "c"}, view)])


def test_all_that_is_sent_only_reads():
    changes = ("reset", "rst", "stmk", "srst", "crst", "restore", "snapshot", "set_", "stop", "kill")
    assert not [request for request in READS if any(word in request for word in changes)]
    assert {question.word for question in (STATE, MONITOR, CONFIGURATION, CLIENTS)} == {"srvr", "mntr", "conf", "cons"}


def test_a_server_that_is_down_is_a_gap_and_the_others_are_told():
    with Played("server_stopped").connection() as zookeeper:
        answers, [gap] = zookeeper.states()
    assert set(answers) == {"zk-1", "zk-3"}
    assert "can't be reached: connection refused" in gap.reason


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (by_word.clients, " /127.0.0.1:1[1](sid==)"),
        (by_word.clients, f" /127.0.0.1:1[1](sid=0x{'9' * 5000})"),
        (by_word.clients, f" /127.0.0.1:{'9' * 5000}[1](queued=0)"),
        (by_word.configuration, f"tickTime=2000\nserver.1=a:2888:{'9' * 5000}\n"),
        (by_word.configuration, "tickTime=2000\ngroup.1=a:b\n"),
        (by_word.configuration, "tickTime=2000\nweight.x=1\n"),
        (by_word.state, OLD.replace("standalone", "")),
        (by_word.state, OLD.replace("0/0/12", "0/0/" + "9" * 5000)),  # more digits than Python reads
        (by_word.state, OLD.replace("0/0/12", "9" * 5000 + "/0/12")),
        (by_admin.document, b"[" * 100_000),
        (by_admin.document, b'{"command": "\xff"}'),
    ],
)
def test_numbers_that_are_none_are_refused(read: Any, text: str):
    with pytest.raises(Garbled):
        read(text)
