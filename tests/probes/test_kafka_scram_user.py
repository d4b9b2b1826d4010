import json
from pathlib import Path
from typing import Any

import pytest

from runbook.model.errors import Denied

RIGHTS = json.loads(Path(__file__).with_name("recorded").joinpath("rights_loose.json").read_text("utf-8"))


def test_every_user_and_mechanism_is_a_row(healthy: Any):
    healthy.recording["answers"] += RIGHTS
    fact = healthy.observe("kafka_scram_user")
    assert fact.complete
    assert {(row["principal"], row["mechanism"], row["iterations"]) for row in fact.rows()} == {
        ("User:billing", "SCRAM-SHA-512", 16384),
        ("User:legacy", "SCRAM-SHA-512", 4096),
        ("User:runbook", "SCRAM-SHA-512", 16384),
    }


def test_a_user_that_is_not_told_is_a_gap_and_one_that_went_away_is_none(healthy: Any):
    from kafka.protocol.admin import DescribeUserScramCredentialsResponse as Response

    results = [
        Response.DescribeUserScramCredentialsResult(user=user, error_code=code, error_message="", credential_infos=[])
        for user, code in (("a", 29), ("b", 91))
    ]
    answer = Response(throttle_time_ms=0, error_code=0, error_message="", results=results)
    cells = {"request": "DescribeUserScramCredentials", "node": None, "version": 0}
    healthy.recording["answers"].append(cells | {"bytes": bytes(answer.encode(version=0)).hex()})
    [gap] = healthy.observe("kafka_scram_user").gaps
    assert gap.keys == {"principal": "User:a"}


def test_without_the_right_to_ask_nothing_is_known(healthy: Any):
    healthy.python.refused["DescribeUserScramCredentials"] = 31
    with pytest.raises(Denied):
        healthy.observe("kafka_scram_user")
