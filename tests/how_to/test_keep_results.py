"""What the page on results stores shows is read, and its addresses are taken."""

import datetime as dt
import re
import shlex

import pytest

from runbook.parse.inventory import parse_inventory
from runbook.safety.secret import plain_secrets
from runbook.stores import open_store
from support.documented import ROOT, titled

PAGE = "docs/how-to/keep-results.md"


def test_the_inventory_names_a_topic_and_holds_no_secret() -> None:
    inventory = parse_inventory(titled(PAGE, "Results in a topic"), "environments.yaml", dt.date(2026, 11, 21))
    assert inventory.results == "kafka://collect.example:9093/runbook-results"
    assert plain_secrets(inventory.results_settings) == []
    assert "sasl.password" in inventory.results_settings


@pytest.mark.parametrize("address", ["/tmp/results", "webhdfs://namenode:9870/results", "kafka://broker:9092/results"])
def test_the_kinds_of_stores_of_the_page_are_taken(address: str) -> None:
    pytest.importorskip("fsspec")
    pytest.importorskip("requests")
    assert open_store(address)
    assert f"{address.partition('://')[0]}://" in (ROOT / PAGE).read_text("utf-8") or address.startswith("/")


def test_the_topic_is_never_compacted() -> None:
    words = shlex.split(titled(PAGE, "Make the topic").replace("\\\n", " "))
    settings = dict(words[i + 1].split("=") for i, word in enumerate(words) if word == "--config")
    assert settings["cleanup.policy"] == "delete"
    assert int(settings["retention.ms"]) == 30 * 24 * 3600 * 1000
    assert re.fullmatch(r"[a-z-]+", words[words.index("--topic") + 1])
