"""What a real registry, Apicurio 3.3.3, said of generated pairs (record_verdicts.py), against what we say."""

import json
from pathlib import Path

import pytest

from schema_compat import KINDS
from support.schema_disagreements import DISAGREEMENTS, explained
from support.schema_pairs import COMPATIBLE, INCOMPATIBLE, UNDECIDED, Pair, judged

RECORDED = Path(__file__).with_name("recorded") / "verdicts.jsonl"
LINES = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "schema-compatibility.md"


@pytest.mark.parametrize("kind", KINDS)
def test_the_registry_said_the_same_or_we_know_why_not(kind: str):
    lines = [line for line in LINES if line["kind"] == kind]
    assert {line["registry"] for line in lines} == {COMPATIBLE, INCOMPATIBLE}
    for line in lines:
        pair = Pair(kind, line["reader"], line["writer"], tuple(line["changes"]), line["back"])
        ours, found = judged(pair)
        assert ours in (line["registry"], UNDECIDED) or explained(pair), (line, found)


def test_every_known_disagreement_is_argued_in_the_docs():
    page = DOCS.read_text(encoding="utf-8")
    assert [disagreement.name for disagreement in DISAGREEMENTS if f"| {disagreement.name} |" not in page] == []
