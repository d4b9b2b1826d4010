import datetime as dt

import msgspec
import pytest

from runbook.model.canary import Canary, CanaryHere
from runbook.model.errors import Invalid
from runbook.parse.inventory import Inventory, parse_inventory

BOTH = "environments: {eu: {}, us: {}}\nmirrors:\n  - {from: eu, to: us, canary: CANARY}\n"


def read(canary: str) -> Inventory:
    return parse_inventory(BOTH.replace("CANARY", canary), "e.yaml", dt.date(2026, 11, 22))


def message(canary: str) -> str:
    with pytest.raises(Invalid) as caught:
        read(canary)
    return str(caught.value)


def test_consent_is_given_by_an_entry_however_short() -> None:
    assert read("{}").mirrors[0].canary == Canary()


@pytest.mark.parametrize(
    ("canary", "said"),
    [
        ("{rate: 201}", "e.yaml:3:39  mirrors.0.canary.rate"),
        ("{rate: 0}", "mirrors.0.canary.rate"),
        ("{size: 10}", "mirrors.0.canary.size"),
        ("{acks: 0}", "mirrors.0.canary.acks"),
        ("{topics: x}", 'unknown field "topics" in mirrors.0.canary'),
        ("{topic: 'a b'}", "mirrors.0.canary.topic"),
        ("{minutes: 481}", "mirrors.0.canary.minutes"),
        ("{source: {sasl.password: abcdefgh}}", "sasl.password stands here as plain text"),
        ("{target: {sasl.password: abcdefgh}}", "sasl.password stands here as plain text"),
    ],
)
def test_what_goes_beyond_the_bounds_is_refused_with_its_place(canary: str, said: str) -> None:
    assert said in message(canary)


def test_an_environment_gives_consent_by_an_entry_of_its_own() -> None:
    inventory = parse_inventory("environments: {eu: {canary: {}}, us: {}}", "e.yaml", dt.date(2026, 11, 22))
    canaries = [inventory.targets[name].environment.canary for name in ("eu", "us")]
    assert canaries == [CanaryHere(), None]


@pytest.mark.parametrize(
    ("canary", "said"),
    [
        ("{rate: 201}", "canary.rate"),
        ("{wait: 5}", "e.yaml:1:30  canary.wait is about a link, and this is the canary of eu alone"),
        ("{source: {a: b}}", "canary.source is about a link"),
        ("{target: {a: b}}", "Kafka settings of its own stand under kafka: here"),
        ("{topics: x}", 'unknown field "topics"'),
        ("[]", "canary"),
        ("{kafka: {sasl.password: abcdefgh}}", "sasl.password stands here as plain text"),
    ],
)
def test_what_an_environment_may_not_say_is_refused(canary: str, said: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_inventory(f"environments: {{eu: {{canary: {canary}}}}}", "e.yaml", dt.date(2026, 11, 22))
    assert said in str(caught.value)
    assert "abcdefgh" not in str(caught.value)


def test_a_password_is_not_shown_where_it_is_refused() -> None:
    assert "abcdefgh" not in message("{source: {sasl.password: abcdefgh}}")


def test_one_is_a_number_and_all_a_word() -> None:
    assert msgspec.convert({"acks": 1}, Canary).acks == 1
    assert msgspec.convert({"acks": "all"}, Canary).acks == "all"
