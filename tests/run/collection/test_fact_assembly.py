import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.ask import FactQuestion
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.view import Input
from runbook.parse.unobserved import Unobserved
from runbook.plugins.catalog import catalog
from runbook.run.collection.fact_assembly import (
    compute_view,
    facts_without_asking,
    joined,
    kinds_of,
    settings_of,
    stored,
    together,
    unreachable,
)
from runbook.views import broker_loss
from support.small_runbooks import fact, target

pytestmark = pytest.mark.usefixtures("fakes")
ROWS = [{"name": "a", "size": 2}, {"name": "b"}]


def test_a_view_is_computed_from_facts() -> None:
    made = compute_view("fake_double", {"row": fact("fake_row", ROWS)}, {"times": 3})
    assert (made.source, made.columns, made.complete) == ("fake_double", {"name": ["a", "b"], "twice": [6, None]}, True)
    assert made.collected_at == fact("fake_row").collected_at


def test_a_view_lacks_what_its_facts_lack_and_what_it_could_not_compute() -> None:
    made = compute_view("fake_double", {"row": fact("fake_row", ROWS, ["hidden", "late"])}, {"gap": "half"})
    assert [gap.reason for gap in made.gaps] == ["hidden", "late", "half"]


def test_of_a_fact_that_a_view_spares_it_says_itself_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    module = catalog("views").load("fake_double")
    monkeypatch.setattr(module, "VIEW", replace(module.VIEW, inputs={"row": Input("fake_row", tells=True)}))
    made = compute_view("fake_double", {"row": fact("fake_row", ROWS, ["hidden", "late"])}, {"gap": "half"})
    assert [gap.reason for gap in made.gaps] == ["half"]


def test_a_gap_that_several_facts_have_counts_once() -> None:
    brokers = fact("kafka_broker", gaps=[Gap("broker 2 is silent", {"broker": 2})])
    partitions = fact("kafka_partition", gaps=[Gap("broker 2 is silent", {"broker": 2})])
    assert compute_view("broker_loss", {"partition": partitions, "broker": brokers}, {}).gaps == [
        Gap("broker 2 is silent", {"broker": 2})
    ]


def test_a_view_of_a_fact_without_meaning_has_none_either() -> None:
    made = compute_view("fake_double", {"row": fact("fake_row", inapplicable="ZooKeeper mode")}, {})
    assert (made.source, made.inapplicable, len(made)) == ("fake_double", "ZooKeeper mode", 0)


def test_a_view_is_as_old_as_the_newest_of_what_it_was_computed_from() -> None:
    older = replace(fact("kafka_partition"), collected_at="2026-11-20T10:00:00+00:00")
    newer = fact("kafka_broker")
    for inputs in ({"partition": older, "broker": newer}, {"broker": newer, "partition": older}):
        assert compute_view("broker_loss", inputs, {}).collected_at == newer.collected_at


def test_a_view_that_can_not_look_is_no_mistake_of_its_author(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise CannotLook("it is dark")

    monkeypatch.setattr(catalog("views").load("fake_double"), "compute", refuse)
    made = compute_view("fake_double", {"row": fact("fake_row", ROWS)}, {})
    reason = "the view fake_double could not be computed: it is dark"
    assert (made.source, [gap.reason for gap in made.gaps]) == ("fake_double", [reason])


def test_a_view_that_fails_is_incomplete_and_says_why() -> None:
    made = compute_view("fake_double", {"row": fact("fake_row", ROWS)}, {"fail": True})
    assert (len(made), made.complete) == (0, False)
    assert made.gaps[0].reason == (
        "the view fake_double could not be computed: KeyError: 'asked to fail' (runbook --debug shows where)"
    )


def test_a_view_says_nothing_where_a_cell_that_it_needs_is_not_known() -> None:
    partitions = fact("kafka_partition", gaps=["hidden"])
    brokers = fact("kafka_broker", [{"broker": 1, "fenced": False}, {"broker": 2}])
    made = compute_view("broker_loss", {"partition": partitions, "broker": brokers}, {})
    assert (made.source, len(made), set(made.columns)) == ("broker_loss", 0, {c.name for c in broker_loss.VIEW.columns})
    assert [gap.reason for gap in made.gaps] == ["hidden", "fenced of 1 of 2 rows of kafka_broker is not known"]


def test_a_connection_the_inventory_lacks_is_not_known() -> None:
    facts = unreachable(FactQuestion("prod", "fake", "fake_row"), target("prod", {}))
    assert [gap.reason for gap in facts[""].gaps] == [
        "the inventory gives no fake connection for prod, nor declares it absent"
    ]


def test_a_connection_declared_absent_has_no_meaning() -> None:
    facts = unreachable(FactQuestion("prod", "fake", "fake_row"), target("prod", {}, absent={"fake": "bare metal"}))
    assert (facts[""].inapplicable, facts[""].gaps) == ("prod has no fake: bare metal", [])


LEFT = Unobserved("no access yet", "team-x", "2027-01-31")
LAST = dt.datetime(2027, 1, 31, 23, tzinfo=dt.UTC)


@pytest.mark.parametrize("name", ["fake", "fake_row"])
def test_what_is_declared_unobserved_is_a_gap_of_its_own_kind_until_its_end(name: str) -> None:
    ask, here = FactQuestion("prod", "fake", "fake_row"), target("prod", {}, unobserved={name: LEFT})
    [gap] = (facts_without_asking(ask, here, LAST) or {})[""].gaps
    assert (gap.kind, gap.connection) == (GapKind.UNOBSERVED, name)
    assert gap.reason == f"prod does not observe {name.replace('_', ' ')}: no access yet (team-x, until 2027-01-31)"
    [gap] = (facts_without_asking(ask, here, LAST + dt.timedelta(hours=1)) or {})[""].gaps
    assert gap.kind is GapKind.NOT_CONFIGURED
    assert gap.reason == (
        f"prod was to do without {name} until 2027-01-31 (team-x: no access yet), and still does not observe it"
    )


def test_a_probe_that_is_not_asked_over_a_given_connection_is_not_observed_and_the_others_are() -> None:
    here = target("prod", unobserved={"fake_row": LEFT})
    [gap] = (facts_without_asking(FactQuestion("prod", "fake", "fake_row"), here, LAST) or {})[""].gaps
    assert gap.kind is GapKind.UNOBSERVED
    assert facts_without_asking(FactQuestion("prod", "fake", "other_row"), here, LAST) is None


def test_what_several_connections_could_tell_is_unobserved_where_one_is_and_no_other_is_given_or_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = catalog("probes").load("fake_row")
    monkeypatch.setattr(module, "PROBE", replace(module.PROBE, connections=("fake_one", "ssh")))
    ask = FactQuestion("prod", "fake_one", "fake_row")

    def kinds(**declared: Any) -> list[GapKind]:
        return [gap.kind for gap in unreachable(ask, target("prod", {}, **declared), LAST)[""].gaps]

    assert kinds(unobserved={"ssh": LEFT}) == [GapKind.NOT_CONFIGURED]
    assert kinds(unobserved={"ssh": LEFT}, absent={"fake_one": "bare metal"}) == [GapKind.UNOBSERVED]
    assert kinds(absent={"fake_one": "bare metal", "ssh": "not looked at"}) == [GapKind.UNOBSERVED]


def test_a_probe_that_a_service_does_not_answer_has_no_meaning_and_the_others_do() -> None:
    hidden = target("prod", absent={"fake_row": "the provider runs it"})
    facts = facts_without_asking(FactQuestion("prod", "fake", "fake_row"), hidden)
    assert facts is not None
    assert (facts[""].inapplicable, facts[""].gaps) == ("prod does not show fake_row: the provider runs it", [])
    assert set(facts) == {""}
    assert set(facts_without_asking(FactQuestion("prod", "fake", "fake_row", looks="1s"), hidden) or {}) == {
        "",
        "before",
    }
    assert facts_without_asking(FactQuestion("prod", "fake", "other_row"), hidden) is None


def test_two_looks_lack_the_connection_both_and_one_look_lacks_one() -> None:
    assert set(unreachable(FactQuestion("prod", "fake", "fake_row", looks="1s"), target("prod", {}))) == {"", "before"}
    assert set(unreachable(FactQuestion("prod", "fake", "fake_row"), target("prod", {}))) == {""}


def test_each_kind_of_connection_that_could_answer_is_named_with_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    module = catalog("probes").load("fake_row")
    kinds = {"connections": ("fake_one", "fake_two", "file_store"), "needs": {"file_store": "fake_path"}}
    monkeypatch.setattr(module, "PROBE", replace(module.PROBE, **kinds))
    ask = FactQuestion("prod", "fake_one", "fake_row")
    [gap] = unreachable(ask, target("prod", {}))[""].gaps
    assert gap.reason == (
        "the inventory gives no fake one or fake two connection, no `fake_path:` of file store for prod,"
        " nor declares it absent"
    )
    absent = {"fake_one": "bare metal", "fake_two": "nobody has it"}
    without = unreachable(ask, target("prod", {}, absent=absent))[""]
    assert (without.inapplicable, without.gaps) == ("prod has no fake one or fake two: bare metal; nobody has it", [])


def test_a_probe_that_is_not_known_here_can_be_answered_by_the_connection_that_is_named() -> None:
    assert kinds_of(FactQuestion("prod", "fake", "nobodys_probe")) == (("fake",), {})


def test_a_bundle_without_a_look_lacks_that_look_alone() -> None:
    ask = FactQuestion("prod", "fake", "fake_row", looks="1s")
    made = stored(ask, {"before": fact("fake_row", ROWS)})
    assert (len(made["before"]), made["before"].complete) == (2, True)
    assert [gap.reason for gap in made[""].gaps] == [f"the bundle does not hold a fact of {ask} that can be judged"]
    assert list(made[""].columns) == list(made["before"].columns)
    unknown = stored(FactQuestion("prod", "fake", "nobodys_probe"), {"": fact("fake_row", ROWS)})[""]
    assert (len(unknown), unknown.complete) == (0, False)


def test_what_is_asked_is_not_barred() -> None:
    assert facts_without_asking(FactQuestion("prod", "fake", "fake_row"), target("prod")) is None
    assert facts_without_asking(FactQuestion("prod", "fake", "fake_row"), target("prod", {})) is not None


def test_a_probe_that_tries_something_waits_until_it_is_allowed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    module = catalog("probes").load("fake_row")
    monkeypatch.setattr(module, "PROBE", replace(module.PROBE, proof="active"))
    facts = facts_without_asking(FactQuestion("prod", "fake", "fake_row", looks="1s"), target("prod"))
    assert facts is not None
    assert set(facts) == {"", "before"}
    assert "active: true of prod allows it" in facts[""].gaps[0].reason
    assert set(facts_without_asking(FactQuestion("prod", "fake", "fake_row"), target("prod")) or {}) == {""}
    assert facts_without_asking(FactQuestion("prod", "fake", "fake_row"), target("prod", active=True)) is None


def test_a_connection_gets_the_settings_of_those_that_it_builds_on() -> None:
    given = {"tls": {"ca": "a.pem"}, "kafka": {"bootstrap.servers": "a:1"}, "ssh": {"hosts": {}}}
    assert settings_of(target("prod", given), "tls") == {"ca": "a.pem", "kafka": {"bootstrap.servers": "a:1"}}
    assert settings_of(target("prod", given), "kafka") == {"bootstrap.servers": "a:1", "may_read": []}


def test_facts_of_several_environments_are_one_that_says_whose_each_row_is() -> None:
    asks = [FactQuestion(name, "fake", "fake_node") for name in ("prod", "test")]
    made = together(asks, [fact("fake_node", [{"broker": 1}, {"broker": 2}]), fact("fake_node", [{"broker": 1}])])
    assert (made.source, made.collected_at) == ("fake_node", fact("fake_node").collected_at)
    assert made.columns["environment"] == ["prod", "prod", "test"]
    assert made.columns["broker"] == [1, 2, 1]


def test_what_one_environment_lacks_the_whole_lacks_by_its_name() -> None:
    asks = [FactQuestion(name, "fake", "fake_node") for name in ("prod", "test")]
    gap = Gap("broker 2 is silent", {"broker": 2})
    made = together(asks, [fact("fake_node", [{"broker": 1}]), fact("fake_node", gaps=[gap])])
    assert made.gaps == [Gap("test: broker 2 is silent", {"broker": 2, "environment": "test"})]


def test_the_whole_has_no_meaning_only_where_no_part_of_it_has() -> None:
    asks = [FactQuestion(name, "fake", "fake_node") for name in ("prod", "test")]
    without = fact("fake_node", inapplicable="bare metal")
    assert together(asks, [without, without]).inapplicable == "bare metal"
    assert together(asks, [without, fact("fake_node", [{"broker": 1}])]).inapplicable == ""


def test_what_several_kinds_of_connection_told_is_one_fact() -> None:
    made = joined([fact("fake_row", [{"name": "a"}]), fact("fake_row", [{"name": "b"}], ["late"])])
    assert (made.columns["name"], [gap.reason for gap in made.gaps]) == (["a", "b"], ["late"])
    assert (made.source, made.collected_at) == ("fake_row", fact("fake_row").collected_at)


def test_one_kind_of_connection_alone_is_one_fact_too() -> None:
    alone = fact("fake_row", [{"name": "a"}])
    assert joined([alone]) == alone


def test_one_that_does_not_apply_adds_nothing_and_all_of_them_say_why() -> None:
    without = fact("fake_row", inapplicable="bare metal")
    assert joined([without, fact("fake_row", [{"name": "b"}])]).columns["name"] == ["b"]
    assert joined([without, fact("fake_row", [{"name": "b"}])]).inapplicable == ""
    assert joined([without, without]).inapplicable == "bare metal"


def test_a_connection_is_told_what_its_environment_allows_whatever_its_own_settings_say() -> None:
    given = {"kafka": {"bootstrap.servers": "a:1", "may_read": ["*"]}}
    assert settings_of(target("prod", given), "kafka")["may_read"] == []
    assert settings_of(target("prod", given, may_read=["orders"]), "kafka")["may_read"] == ["orders"]
