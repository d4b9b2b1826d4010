"""What of the inventory is another when a walk goes on."""

import datetime as dt

from msgspec.structs import replace

from runbook.parse.inventory import Inventory, parse_inventory
from runbook.procedure.inventory_seen import changed_inventory, parts_of
from runbook.procedure.walk_record import Begun, Entry, Paused, Resumed
from support.small_walks import AT, BEGUN

TEXT = """environments:
  eu: {kafka: {bootstrap.servers: "127.0.0.1:1"}}
  us: {kafka: {bootstrap.servers: "127.0.0.1:2"}}
  other: {kafka: {bootstrap.servers: "127.0.0.1:3"}}
mirrors:
  - {from: eu, to: us}
  - {from: eu, to: other}
"""


def inventory(text: str = TEXT) -> Inventory:
    return parse_inventory(text, "i.yaml", dt.date(2026, 11, 27))


def walked(*texts: str) -> list[Entry]:
    """The entries of a walk that was at work over each of these inventories."""
    parts = [parts_of(inventory(text), "us", "eu") for text in texts]
    entries: list[Entry] = [replace(BEGUN, environment="us", source="eu", inventory=parts[0])]
    for part in parts[1:]:
        entries += [Paused("ada", AT), Resumed("ada", AT, attended=True, inventory=part)]
    return entries


def test_the_parts_are_the_ends_and_what_leads_from_one_to_the_other() -> None:
    assert list(parts_of(inventory(), "us", "eu")) == ["environment eu", "environment us", "mirror eu→us"]
    assert list(parts_of(inventory(), "us")) == ["environment us"]


def test_what_a_walk_is_not_about_and_how_it_is_written_change_nothing() -> None:
    other = TEXT.replace("127.0.0.1:3", "127.0.0.1:4").replace("{from: eu, to: us}", '{"from": eu,  "to": "us"} # so')
    assert changed_inventory(walked(TEXT, other)) == []


def test_what_has_changed_come_or_gone_since_it_was_at_work_last_is_named() -> None:
    filtered = TEXT.replace("{from: eu, to: us}", "{from: eu, to: us, topics: [orders]}")
    both = TEXT + "  - {from: us, to: eu}\n"
    assert changed_inventory(walked(TEXT)) == []
    assert changed_inventory(walked(TEXT, filtered)) == ["mirror eu→us"]
    assert changed_inventory(walked(TEXT, filtered, filtered)) == []
    assert changed_inventory(walked(TEXT, both)) == ["mirror us→eu (new)"]
    assert changed_inventory(walked(both, TEXT)) == ["mirror us→eu (gone)"]
    assert changed_inventory(walked(TEXT, TEXT.replace(":1", ":9"))) == ["environment eu"]


def test_a_record_from_before_tells_nothing_of_it() -> None:
    first, *rest = walked(TEXT, TEXT.replace(":1", ":9"))
    assert isinstance(first, Begun)
    assert changed_inventory([replace(first, inventory={}), *rest]) == []
