import json
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import Denied

RIGHTS = json.loads(Path(__file__).with_name("recorded").joinpath("rights_loose.json").read_text("utf-8"))


def test_defaults_and_quotas_of_one_client_are_told_apart(healthy: Any):
    healthy.recording["answers"] += RIGHTS
    fact = healthy.observe("kafka_quota")
    assert fact.complete
    rows = {(row["who"], row["limit"]): row for row in fact.rows()}
    whole = rows["every user", "producer_byte_rate"]
    assert (whole["value"], whole["default"], whole["about"], whole["principal"]) == (52428800.0, True, "user", "")
    quota = rows["user billing, client app", "producer_byte_rate"]
    assert (quota["default"], quota["about"], quota["principal"]) == (False, "user and client", "User:billing")


def test_without_the_right_to_ask_nothing_is_known(healthy: Any):
    healthy.python.refused["DescribeClientQuotas"] = 31
    with pytest.raises(Denied):
        healthy.observe("kafka_quota")
