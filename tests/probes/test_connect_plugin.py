from runbook.answers.connect import PLUGINS
from support.connect_servers import Played


def test_each_plugin_of_each_worker_is_a_row():
    fact = Played("healthy").observe("connect_plugin")
    rows = [row for row in fact.rows() if row["plugin"].endswith("JsonConverter") and row["worker"] == "connect-2"]
    assert sorted((row["type"], row["version"]) for row in rows) == [
        ("converter", "4.3.0"),
        ("header_converter", "4.3.0"),
    ]
    keys = [(row["worker"], row["plugin"], row["type"], row["version"]) for row in fact.rows()]
    assert len(keys) == len(set(keys))


def test_a_worker_that_does_not_tell_is_a_gap():
    played = Played("healthy")
    played.answers["connect-1"][PLUGINS] = 500
    fact = played.observe("connect_plugin")
    assert {row["worker"] for row in fact.rows()} == {"connect-2"}
    assert fact.gaps[0].keys == {"server": "connect-1"}
