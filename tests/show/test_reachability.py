import json
from pathlib import Path

import pytest

from runbook.model.errors import FilePosition
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import NOT_ASKED, GapKind
from runbook.model.old_gaps import from_sentence
from runbook.parse.inventory import Inventory, Waiver
from runbook.parse.unobserved import Unobserved
from runbook.parse.yaml_document import Document
from runbook.show.not_configured import environments_json
from runbook.show.reachability import describe, reached, summarize
from support.small_runbooks import target

KAFKA = {"kafka": {"bootstrap.servers": "a:1"}}


def test_what_waits_for_a_word_of_the_inventory_is_told_and_is_no_lack():
    facts = {name: Fact(name, {}, [from_sentence("not allowed")]) for name in ("kafka_record", "kafka_entry")}
    found = reached(target("prod", KAFKA), facts)
    text, complete = describe(found), found.complete
    assert complete
    lines = {line.split()[1]: line for line in text.splitlines() if line.startswith("  waits")}
    assert "active: true" in lines["kafka_entry"]
    assert "may_read: [" in lines["kafka_record"]
    probe = {"mirror_offset_sync": Fact("mirror_offset_sync", {}, [from_sentence("not allowed")])}
    aligned = describe(reached(target("prod", KAFKA, absent={"ssh": "bare metal"}), facts | probe)).splitlines()
    assert len({line.index(says) for line in aligned for says in ("it reads", "bare") if says in line}) == 1


@pytest.mark.parametrize(("pinned", "wrong"), [("abc", False), ("", False), ("other", True)])
def test_another_cluster_than_the_pinned_one_is_told(pinned: str, *, wrong: bool):
    cluster = Fact("kafka_cluster", {"cluster_id": ["abc"]})
    found = reached(target("prod", KAFKA, cluster_id=pinned), {"kafka_cluster": cluster})
    text, complete = describe(found), found.complete
    said = "WRONG    cluster_id       this is cluster abc; the inventory pins prod to other: correct cluster_id:"
    assert (said in text, complete) == (wrong, not wrong)


def test_it_is_said_of_how_many_environments_some_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # a lab on this machine has an inventory of its own
    both = {name: target(name, KAFKA) for name in ("prod", "stage")}
    book = Inventory("environments.yaml", Document({}, FilePosition("environments.yaml"), {}, {}), both, [], "prod")
    assert summarize([*both.values()], book) == "2 environments in environments.yaml; without --env, prod"
    assert summarize([both["stage"]], book) == "1 of 2 environments in environments.yaml; without --env, prod"


def test_waivers_are_told_with_their_last_days():
    some = Waiver("ha/enough-brokers", "payments", "until the new racks are here", "2026-12-31", {"topic": "orders-*"})
    whole = Waiver("security/default-quotas-limit-every-client", "edge", "quotas come in May", "2026-11-01")
    lines = describe(reached(target("prod", KAFKA, waivers=[some, whole]), None)).splitlines()
    assert [" ".join(line.split()) for line in lines if line.startswith("  waiver")] == [
        "waiver ha/enough-brokers last day 2026-12-31 of topic orders-*; payments: until the new racks are here",
        "waiver security/default-quotas-limit-every-client last day 2026-11-01; edge: quotas come in May",
    ]


@pytest.mark.parametrize("kind", sorted({*NOT_ASKED, GapKind.DEADLINE}))
def test_what_was_not_asked_needs_no_rights(kind: GapKind):
    seen = Fact("kafka_cluster", {"cluster_id": ["abc"]})
    late = {name: Fact(name, {}, [Gap("kafka was late", kind=kind)]) for name in ("kafka_broker", "kafka_topic")}
    text = describe(reached(target("prod", KAFKA), {"kafka_cluster": seen} | late))
    assert "kafka was late" in " ".join(text.split())
    assert "needs" not in text


def test_what_is_allowed_and_can_not_be_seen_is_a_lack():
    found = reached(target("prod", KAFKA, may_read=["orders"]), {"kafka_record": Fact("x", {}, [from_sentence("no")])})
    text, complete = describe(found), found.complete
    assert not complete
    assert "waits" not in text


def test_rights_are_named_where_something_was_refused_and_not_where_a_broker_is_down():
    down = from_sentence("broker 2 (b:1) can't be reached: connection refused", {"broker": 2})
    refused = from_sentence("broker 1 does not let us look: it needs DescribeConfigs on the cluster", {"broker": 1})
    rows = {"broker": [1], "name": ["a"], "value": ["b"]}

    def described(*gaps: Gap) -> str:
        return describe(reached(target("prod", KAFKA), {"kafka_broker_config": Fact("x", rows, [*gaps])}))

    assert f"kafka_broker_config      {down.reason}\n" in f"{described(down)}\n"
    assert f"{refused.reason} (and 1 more); needs DescribeConfigs" in described(down, refused)


def test_each_probe_of_a_connection_that_fails_says_why_where_the_reasons_differ():
    records = {"records": {"drills": "/nowhere"}}
    lines = "records has no `attestations:`, which names the file", "/nowhere is not there: correct its path"
    facts = {
        name: Fact(name, {}, [from_sentence(why)]) for name, why in zip(("attestation", "drill"), lines, strict=True)
    }
    told = describe(reached(target("prod", records), facts))
    assert "2 probes see nothing, each for a reason of its own" in told
    assert all(line in told for line in lines)
    assert "or say why there is none: absent: {attestation: why there is none}" in told
    late = {
        name: Fact(name, {}, [from_sentence(f"it did not answer in {seconds} s")])
        for name, seconds in {"kafka_broker": 2.8, "kafka_topic": 3.1}.items()
    }
    assert "reason of its own" not in describe(reached(target("prod", KAFKA), late))


def test_probes_that_lack_the_same_stand_in_one_line():
    known = ["kafka_topic", "kafka_broker", "kafka_replica", "kafka_quorum"]
    facts = {name: Fact(name, {"name": ["a"]}, [from_sentence("no agent is given")]) for name in known}
    facts["kafka_group"] = Fact("kafka_group", {"group": ["a"]}, [from_sentence("connection refused")])
    lines = describe(reached(target("prod", KAFKA), facts)).splitlines()
    [same] = [line for line in lines if "no agent is given" in line]
    assert same.startswith("    4 probes  ")
    assert same.endswith(" (kafka_topic, kafka_broker, kafka_replica and 1 more)")
    assert same.count("needs") == 1
    unsaid = {name: Fact(name, {"name": ["a"]}, [from_sentence("the inventory does not say where")]) for name in known}
    assert "needs" not in describe(reached(target("prod", KAFKA), unsaid))
    assert [line.split()[:3] for line in lines if "refused" in line] == [["kafka_group", "connection", "refused;"]]


ENDS = {"ssh": "9999-12-31", "jolokia": "2026-01-31"}


def test_what_nobody_looks_at_is_told_with_its_end_and_what_is_called_absent_with_what_rewrites_it():
    left = {name: Unobserved("no access yet", "team-x", until) for name, until in ENDS.items()}
    lines = describe(reached(target("prod", KAFKA, unobserved=left, absent={"files": "not collected"}), None))
    assert "  not seen ssh              no access yet (team-x, until 9999-12-31)" in lines.splitlines()
    assert "jolokia no access yet (team-x, until 2026-01-31); that day has passed, and its" in " ".join(lines.split())
    assert "absent: files reads as unobserved, as every cluster has files of" in " ".join(lines.split())


def test_programs_read_the_same_as_json():
    prod = target("prod", KAFKA, absent={"zookeeper": "KRaft"}, labels={"tier": "prod"})
    inventory = Inventory("e.yaml", Document({}, FilePosition("e.yaml"), {}, {}), {"prod": prod}, [], "prod")
    facts = {"kafka_broker": Fact("kafka_broker", {"broker": [1]}, [from_sentence("broker 2 did not answer in 2.0 s")])}
    document = json.loads(environments_json(inventory, [prod], [reached(prod, facts)]))
    [entry] = document.pop("environments")
    assert document == {"inventory": "e.yaml", "default": "prod", "mistakes": []}
    assert (entry["environment"], entry["complete"], entry["labels"]) == ("prod", False, {"tier": "prod"})
    assert [(note["word"], note["about"]) for note in entry["noted"]] == [("PARTLY", "kafka"), ("absent", "zookeeper")]
    lack = {"probe": "kafka_broker", "reason": "broker 2 did not answer in 2.0 s", "more": 0, "rights": []}
    lack |= {"kind": "timed out"}
    assert entry["noted"][0]["lacks"] == [lack]
    assert "tls" in entry["not_said"]
    assert not {"kafka", "zookeeper"} & {*entry["not_said"]}
