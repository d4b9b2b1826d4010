"""What a view says without a cell: nothing, or what it said with it; never something else that looks known.

Every view, on facts of real systems: the cells of one column after the other are taken away. This finds the next view
that counts what nobody knows as zero, false or none.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from runbook.plugins.content import builtin_runbooks
from runbook.run.collection import collected_facts
from runbook.run.collection.fact_assembly import compute_view
from support.built_in import GATES, checks_of
from support.evidence import record
from support.evidence.judging import judged

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("unknown stays unknown")]

STATES = 2  # in which the checks that use a view saw something
EXAMPLES = 8  # of each view

SAID_OTHERWISE = {
    ("connector_dead_letters", "dlq_topic"): "a row more, of which all that hangs on the topic is unknown",
    ("controller_centre", "rack"): "brokers without a place are in `unplaced` if they vote, and then layout is unknown",
    ("disk_forecast", "deletes"): "`left_out` counts what is not foretold for certain; days of the volume are unknown",
    ("disk_forecast", "oldest"): "the same",
    ("disk_forecast", "records"): "the same",
    ("disk_forecast", "remote_storage"): "the same",
    ("disk_forecast", "retention_bytes"): "the same",
    ("disk_forecast", "retention_ms"): "the same",
    ("disk_forecast", "roll_ms"): "the same",
    ("disk_forecast", "segment_bytes"): "the same",
    ("known_vulnerability", "kafka_version"): "a release that is not known is a row, of which nothing is known",
    ("limit_at_start", "hard"): "of a file it means that it sets none",
    ("limit_at_start", "soft"): "of a file it means that it sets none",
    ("next_loss", "answers"): "whose fate hangs on it moves to the row of the unknown majority",
    ("next_loss", "last_caught_up_ms"): "whose fate hangs on it moves to the row of the unknown majority",
    ("outage", "mode"): "it is called unknown by that word, and nothing is told of what comes next",
    ("next_loss", "elr"): "its `known` says that nothing is counted",
    ("next_loss", "isr"): "its `known` says that nothing is counted",
    ("next_loss", "leader"): "its `known` says that nothing is counted",
    ("next_loss", "needs"): "its `known` says that nothing is counted",
    ("next_loss", "replicas"): "its `known` says that nothing is counted",
    ("next_loss", "unclean_leader_election"): "its `known` says that nothing is counted",
    ("outage", "elr"): "its `known` says that nothing is counted",
    ("outage", "isr"): "its `known` says that nothing is counted",
    ("outage", "leader"): "its `known` says that nothing is counted",
    ("outage", "needs"): "its `known` says that nothing is counted",
    ("outage", "replicas"): "its `known` says that nothing is counted",
    ("outage", "unclean_leader_election"): "its `known` says that nothing is counted",
    ("own_logger", "level"): "a row more, of which all but the name is unknown",
    ("partition_retention", "deletes"): "a row more, of which nothing is known",
    ("partition_retention", "retention_ms"): "a row more, of which nothing is known",
    ("producer_config", "value"): "it says no reason and no id, where files leave them to a variable",
    ("quorum_loss", "rack"): "no row for a rack that nobody names; its voters count as lost with every rack",
    ("recommended_partition_count", "members"): "`lacking` says so; a group that may have members has rows",
    ("recommended_partition_count", "progress"): "`lacking` says so, and nothing is recommended",
    ("recommended_partition_count", "read_rate"): "the same",
    ("recommended_partition_count", "write_rate"): "the same",
    ("replica_hosts", "broker"): "brokers that no host was seen to run are in `unplaced`",
    ("zookeeper_centre", "number"): "servers without a place are in `unplaced`",
    ("zookeeper_centre", "rack"): "servers without a place are in `unplaced`, and layout hangs on brokers' racks",
    ("zookeeper_reach", "rack"): "servers without a place are in `strange`",
}
"""View and column of its facts → why an unknown cell there changes what is known."""

NOT_SEEN = {
    "advertised_name": "no lab has Kafka itself on Kubernetes",
    "broker_log_files": "no lab has hosts whose logs lie in the folder that the runbook names",
    "broker_setting_taken": "files of brokers are read on hosts, since after those states were kept",
    "client_setting_known": "clients' files are kept where other runbooks look",
    "client_setting_taken": "the same",
    "client_way_in": "files of clients in the lab name no address",
    "declared_broker_setting": "it has a row only where settings are declared",
    "disk_growth": "no state has kept looks",
    "group_quota": "one scene alone has a quota that holds readers back, groups/held-by-quota, and others come first",
    "leaderless_partition": "in the few states that are judged here each partition has a leader",
    "log_dir_volume": "no lab has Kafka itself on Kubernetes",
    "moved_acl": "the ACLs of the lab's two sites let nobody write, and name no group",
    "moved_position": "gates of walks alone ask for it",
    "named_group": "gates of walks alone ask for it, and no scene is looked at for those of consumers.md yet",
    "named_principal": "only a line of a log asks for it",
    "named_subject": "gates of walks alone ask for it",
    "named_topic": "only the text of an error asks for it",
    "overridden_allow": "no kept state has a Deny for every user",
    "planned_offset": "gates of walks alone ask for it",
    "planned_traffic": "it has a row only where an owner says what was planned",
    "producer_buffer": "it has a row only where an owner says what a producer writes",
    "recommended_producer_setting": "client_send is asked for by itself, since after those states were kept",
    "strimzi_pool_size": "no lab has pod sets of an operator",
    "unread_size": "one scene alone has a topic that its size bounds, groups/left-unread, and others come first",
    "voluntary_disruption": "no lab has Kafka itself on Kubernetes",
    "zookeeper_pod_name": "no lab has ZooKeeper on Kubernetes",
}
"""View → why no kept evidence has facts for it."""


class Example(NamedTuple):
    """What a view was given."""

    inputs: Mapping[str, Fact]
    given: Mapping[str, Any]


def probes_by_view(runbook: str) -> dict[str, set[str]]:
    """What the checks of a runbook that use a view ask for."""
    return {
        view.view: {fact.probe for fact in check.facts.values()}
        for check in checks_of(runbook)
        for view in check.views.values()
    }


@cache
def kept() -> list[tuple[set[str], set[str], Bundle]]:
    """Every state: the runbooks it was looked at for, the probes that saw something, and the facts."""
    states = [record.read(file) for file in sorted(record.kept())]
    return [
        (set(state.runbooks), {fact.ask.probe for fact in state.bundle.kept if len(fact.facts[""])}, state.bundle)
        for state in states
    ]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Example]]]:
    seen: dict[str, list[Example]] = defaultdict(list)

    def noted(name: str, inputs: Mapping[str, Fact], given: Mapping[str, Any]) -> Fact:
        made = compute_view(name, inputs, given)
        if len(made) and len(seen[name]) < EXAMPLES:
            seen[name].append(Example(inputs, given))
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collected_facts, "compute_view", noted)
        of_any = set[str]().union(*(looked for looked, _, _ in kept()))
        for file in sorted(builtin_runbooks().glob("*.md")):
            chosen: dict[tuple[str, int], Bundle] = {}
            for probes in probes_by_view(file.stem).values():
                for word in (file.stem, f"{file.stem}{GATES}"):
                    # A runbook that is younger than all states is judged on those of the others.
                    states = [(saw, bundle) for looked, saw, bundle in kept() if word in looked or word not in of_any]
                    fitting = [bundle for saw, bundle in states if probes <= saw]
                    chosen |= {(word, id(bundle)): bundle for bundle in fitting[:STATES]}
            for (word, _), bundle in chosen.items():
                judged(bundle, word, tmp_path_factory.mktemp("judged"))
    seen["leader_loss"] = seen["broker_loss"]  # what-if alone uses it, on the same facts
    return seen


def views() -> list[str]:
    return catalog("views").names()


def declared_keys(fact: Fact) -> set[str]:
    """The columns that name a row: nobody has a row without them."""
    kind = "probes" if fact.source in catalog("probes") else "views"
    module = catalog(kind).load(fact.source)
    declared = module.PROBE if kind == "probes" else module.VIEW
    return {column.name for column in declared.columns if column.key}


def without(example: Example, word: str, column: str) -> Iterator[Example]:
    """The facts without the cells of a column, and without its first one."""
    fact = example.inputs[word]
    cells = fact.columns[column]
    first = next((number for number, cell in enumerate(cells) if cell is not None), None)
    if first is None:
        return
    for fewer in ([None] * len(cells), [*cells[:first], None, *cells[first + 1 :]]):
        yield example._replace(inputs={**example.inputs, word: replace(fact, columns=fact.columns | {column: fewer})})


def rows_by_key(name: str, fact: Fact) -> dict[tuple[str, ...], dict[str, Any]]:
    keys = [column.name for column in catalog("views").load(name).VIEW.columns if column.key]
    return {tuple(repr(row[key]) for key in keys): row for row in fact.rows()}


def otherwise(name: str, before: Fact, now: Fact) -> list[str]:
    """What a view says now that it did not say before, and takes for known."""
    if any("could not be computed" in gap.reason for gap in now.gaps):
        return [f"it stumbles: {now.gaps[-1].reason}"]
    if len(now.gaps) > len(before.gaps):
        return []
    then, here = rows_by_key(name, before), rows_by_key(name, now)
    reasons = {column.why for column in catalog("views").load(name).VIEW.columns}  # may say more, as less is known
    wrong = [f"no row {key} any more" for key in then.keys() - here.keys()]
    wrong += [f"a row {key}, which was not there" for key in here.keys() - then.keys()]
    return wrong + [
        f"{column} of {key} is {cell!r}, and was {then[key][column]!r}"
        for key in then.keys() & here.keys()
        for column, cell in here[key].items()
        if cell is not None and cell != then[key][column] and column not in reasons
    ]


def test_facts_of_every_view_are_kept(examples: dict[str, list[Example]]):
    seen = {name for name, found in examples.items() if found}
    assert [name for name in views() if name not in seen] == [*NOT_SEEN]


@pytest.mark.parametrize("name", views())
def test_what_is_not_known_does_not_become_known(name: str, examples: dict[str, list[Example]]):
    wrong: dict[str, list[str]] = {}
    for example in examples[name]:
        before = compute_view(name, *example)
        for word, declared in catalog("views").load(name).VIEW.inputs.items():
            for column in {*declared.columns} - declared_keys(example.inputs[word]):
                for fewer in without(example, word, column):
                    if found := otherwise(name, before, compute_view(name, *fewer)):
                        wrong[column] = found[:3]
    said = {column for view, column in SAID_OTHERWISE if view == name}
    assert {column: found for column, found in wrong.items() if column not in said} == {}
    assert said <= wrong.keys(), "it does so no more: take it off the list"
