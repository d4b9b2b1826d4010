"""What a walk fills in, and what it leaves to the person."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runbook.model.block import Procedure, Step
from runbook.model.errors import UsageError
from runbook.parse.inventory import Environment, Target
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from runbook.procedure.placeholders import ADDRESSES, fill_in, needs_login, placeholders, read_set, values_of

TOOL = "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group GROUP --topic TOPIC:0"
MOVE = Procedure("move", "Move it", [Step(do="Look.", command=TOOL)])


def target(name: str = "prod", **connections: dict[str, object]) -> Target:
    return Target(name, Environment(cluster_id="r_CsNuCqQAWDDVTrsGJlnQ"), connections)


def test_words_are_replaced_and_what_is_left_is_named() -> None:
    filled = fill_in(TOOL, {"HOST:PORT": "k-1:9092,k-2:9092", "TOPIC": "orders"})
    assert filled.text == (
        "kafka-consumer-groups.sh --bootstrap-server k-1:9092,k-2:9092 --group GROUP --topic orders:0"
    )
    assert filled.left == ("GROUP",)


@pytest.mark.parametrize("command", ["A_TOPIC", "GROUPING", "my_GROUP", "TOPIC_A"])
def test_a_word_within_another_is_no_placeholder(command: str) -> None:
    assert placeholders(command) == ()


def test_a_word_that_sticks_to_others_is_one() -> None:
    assert fill_in("connect-NAME User:NAME /NAME/x", {"NAME": "a"}).text == "connect-a User:a /a/x"


def test_a_value_that_begins_with_a_hyphen_is_no_option() -> None:
    """Ids of clusters that ZooKeeper was there before may begin so; Kafka's own ones do not."""
    command = "format --cluster-id CLUSTER_ID --config x; echo CLUSTER_ID; a --topic=TOPIC --group GROUP"
    filled = fill_in(command, {"CLUSTER_ID": "-eFd", "TOPIC": "-t", "GROUP": "- g"})
    assert filled.text == "format --cluster-id=-eFd --config x; echo -eFd; a --topic=-t --group='- g'"
    assert fill_in(command, {"CLUSTER_ID": "eFd"}).text.startswith("format --cluster-id eFd --config")


def test_a_hostile_name_is_one_word_for_a_shell() -> None:
    assert fill_in("echo GROUP", {"GROUP": "a b; rm -rf $(x) 'q'"}).text == ("echo 'a b; rm -rf $(x) '\"'\"'q'\"'\"''")


@pytest.mark.parametrize("command", ["echo 'TOPIC'", 'echo "TOPIC"', 'echo \'{"topic": "TOPIC"}\''])
def test_within_quotes_only_what_needs_none_is_filled_in(command: str) -> None:
    assert fill_in(command, {"TOPIC": "a b"}) == (command, ("TOPIC",))
    assert fill_in(command, {"TOPIC": "a.b-c_1"}) == (command.replace("TOPIC", "a.b-c_1"), ())


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=40))
def test_whatever_a_name_is_a_shell_takes_it_as_that_name(name: str) -> None:
    filled = fill_in("printf %s GROUP", {"GROUP": name})
    assert filled.left == ()
    assert shlex.split(filled.text) == ["printf", "%s", name]


def test_a_real_shell_says_the_same() -> None:
    name = 'it\'s $HOME `id` "x" \\ ; & | > < * ? ~ #\n-e'
    said = subprocess.run(
        ["bash", "-c", fill_in("printf %s GROUP", {"GROUP": name}).text], capture_output=True, check=True
    )
    assert said.stdout.decode() == name


def test_what_the_inventory_tells_is_known() -> None:
    here = target(
        kafka={"bootstrap.servers": "k-1:9092, k-2:9092"},
        connect={"workers": {"one": "http://c-1:8083/", "two": "http://c-2:8083"}},
        schema_registry={"url": ["http://r-1:8081", "http://r-2:8081"]},
        kubernetes={"namespace": "kafka"},
        zookeeper={"servers": {"zk-1": {"address": "z-1:2181"}, "zk-2": {"address": "z-2:2181"}}, "chroot": "/kafka"},
    )
    source = target(
        "left", kafka={"bootstrap.servers": "old:9092"}, connect={"workers": {"one": {"address": "http://old-1:8083"}}}
    )
    assert values_of(here, source) == {
        "HOST:PORT": "k-1:9092,k-2:9092",
        "TARGET:PORT": "k-1:9092,k-2:9092",
        "SOURCE:PORT": "old:9092",
        "ZOOKEEPER:PORT": "z-1:2181/kafka",
        "http://WORKER:8083": "http://c-1:8083",
        "http://SOURCE_WORKER:8083": "http://old-1:8083",
        "$REGISTRY": "http://r-1:8081",
        "NAMESPACE": "kafka",
        "CLUSTER_ID": "r_CsNuCqQAWDDVTrsGJlnQ",
        "ENVIRONMENT": "prod",
    }


def test_what_it_does_not_tell_or_hides_is_left_out() -> None:
    secret = {"env": "REGISTRY"}
    bare = Target("bare", Environment(), {"schema_registry": {"url": secret}, "connect": {"workers": {}}})
    assert values_of(bare) == {"ENVIRONMENT": "bare"}
    login = target(schema_registry={"url": "http://ada:hunter2@r-1:8081"})
    assert "$REGISTRY" not in values_of(login)


@pytest.mark.parametrize(
    ("protocol", "login"),
    [({}, ""), ({"security.protocol": "plaintext"}, ""), ({"security.protocol": "sasl_ssl"}, "SASL_SSL")],
)
def test_a_login_is_named_where_the_cluster_asks_for_one(protocol: dict[str, object], login: str) -> None:
    assert needs_login(target(kafka=protocol)) == login


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("TOPIC", "write NAME=VALUE"),
        ("TOPIC=", "write NAME=VALUE"),
        ("TOPC=orders", "no command of move has it; did you mean TOPIC"),
        ("SUBJECT=orders", "no command of move has it"),
    ],
)
def test_a_word_that_can_not_be_set_is_refused(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_set([given], MOVE)


def test_words_are_set() -> None:
    assert read_set(["TOPIC=orders", "GROUP=a=b"], MOVE) == {"TOPIC": "orders", "GROUP": "a=b"}


def test_the_environment_that_is_walked_is_filled_in() -> None:
    assert fill_in("runbook check ha.md --env ENVIRONMENT", values_of(target())) == (
        "runbook check ha.md --env prod",
        (),
    )


def test_addresses_of_two_sites_are_only_asked_for_where_there_are_two() -> None:
    for file in sorted(Path(builtin_runbooks()).glob("*.md")):
        for placed in read_runbook(file).placed():
            if isinstance(placed.block, Procedure) and placed.name.partition("/")[0] != "dr":
                words = {word for step in placed.block.steps for word in placeholders(step.command)}
                assert not words & {"SOURCE:PORT", "TARGET:PORT"}, placed.name


ADDRESS = re.compile(r"\b[A-Z_]+:(?:PORT|\d{4})\b|…")


@pytest.mark.parametrize("file", sorted(builtin_runbooks().glob("*.md")), ids=lambda file: file.stem)
def test_every_address_in_a_command_of_a_procedure_is_filled_in(file: Path) -> None:
    for procedure in read_runbook(file).procedures():
        for step in procedure.steps:
            rest = re.sub("|".join(map(re.escape, ADDRESSES)), "", step.command or "")
            assert ADDRESS.findall(rest) == [], f"{procedure.id}: {step.command}"
