from runbook.model.fact import Fact, Gap
from runbook.views.group_assignor import GroupAssignor, compute
from support.client_configs import client_config


def groups(assignors: dict[str, str | None], *, gap: str = "") -> Fact:
    columns = {"group": [*assignors], "protocol": [*assignors.values()]}
    return Fact("kafka_consumer_group", columns, gaps=[Gap(gap)] if gap else [])


def two(first: str | None, second: str | None, *more: tuple[str, str, str, str | None]) -> Fact:
    name = "partition.assignment.strategy"
    return client_config(
        ("a", "consumer", "group.id", "billing"),
        ("a", "consumer", name, first),
        ("b", "consumer", "group.id", "billing"),
        ("b", "consumer", name, second),
        *more,
    )


def assignor(config: Fact, there: Fact) -> GroupAssignor:
    [row] = compute(config=config, group=there).rows
    assert isinstance(row, GroupAssignor)
    return row


def test_a_group_shows_what_all_of_its_clients_offer() -> None:
    row = assignor(two("range, sticky", "sticky"), groups({"billing": "sticky"}))
    assert row == GroupAssignor(
        group="billing", clients=["a", "b"], common=["sticky"], protocols=["classic"], assignor="sticky"
    )


def test_nothing_in_common_is_known_as_soon_as_two_do_not_agree() -> None:
    third = ("c", "consumer", "group.id", "billing")
    assert assignor(two("range", "sticky", third), groups({})).common == []
    assert assignor(two("range", None), groups({})).common is None
    assert assignor(two(None, None), groups({})).common is None


def test_two_protocols_are_two() -> None:
    other = ("b", "consumer", "group.protocol", "consumer")
    assert assignor(two("range", "range", other), groups({})).protocols == ["classic", "consumer"]
    assert assignor(two("range", "range", (*other[:3], None)), groups({})).protocols is None


def test_a_group_that_may_be_hidden_has_an_assignor_that_nobody_knows() -> None:
    assert assignor(two("range", "range"), groups({})).assignor == ""
    assert assignor(two("range", "range"), groups({}, gap="groups may be hidden")).assignor is None
    assert assignor(two("range", "range"), groups({"billing": None})).assignor is None


def test_a_client_whose_group_is_a_variable_is_a_gap() -> None:
    observed = compute(config=client_config(("a", "consumer", "group.id", None)), group=groups({}))
    assert observed.rows == []
    assert [gap.reason for gap in observed.gaps] == ["which group client a is of is not known"]


def test_a_group_of_one_client_has_no_row() -> None:
    alone = client_config(("a", "consumer", "group.id", "billing"), ("b", "consumer", "group.id", "shop"))
    assert compute(config=alone, group=groups({})).rows == []
    unnamed = client_config(("a", "consumer", "max.poll.records", "1"), ("b", "consumer", "max.poll.records", "1"))
    assert compute(config=unnamed, group=groups({})).rows == []
