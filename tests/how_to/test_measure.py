"""What the page on measuring says is so."""

import datetime as dt

import msgspec
import pytest

from runbook.cli.measure_options import USUAL_RATE
from runbook.model.canary import Load
from runbook.model.measurement import ProducerSetting
from runbook.parse.inventory import parse_inventory
from support.documented import ROOT, titled

PAGE = "docs/how-to/measure.md"
TEXT = (ROOT / PAGE).read_text("utf-8")


def test_the_inventory_allows_it_within_the_defaults_that_are_told() -> None:
    inventory = parse_inventory(titled(PAGE, "environments.yaml"), "environments.yaml", dt.date(2026, 11, 29))
    allowed = inventory.targets["stage"].environment.measure
    assert isinstance(allowed, Load)
    assert allowed == msgspec.structs.replace(Load(), kafka=allowed.kafka)
    assert inventory.targets["stage"].connections["records"] == {"measurements": "/var/lib/runbook/measurements"}


def test_every_bound_is_told() -> None:
    assert [field.encode_name for field in msgspec.structs.fields(Load) if f"{field.encode_name}:" not in TEXT] == []


def test_the_defaults_are_those_that_are_told() -> None:
    usual = ProducerSetting()
    assert f"`acks={usual.acks}`, `linger.ms={usual.linger_ms:g}`, `batch.size={usual.batch_size}`" in TEXT
    assert f"{USUAL_RATE:,} records\nof {usual.size:,} bytes" in TEXT


@pytest.mark.parametrize(
    ("name", "most"), [("megabytes", 100_000), ("megabytes_per_second", 2_000), ("seconds", 7_200)]
)
def test_no_inventory_allows_without_end(name: str, most: int) -> None:
    assert msgspec.convert({name: most}, Load)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: most + 1}, Load)
