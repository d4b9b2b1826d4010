from pathlib import Path
from typing import Any

from runbook.connections.schema_registry import connect
from runbook.model.fact import Observed
from runbook.model.probe import Deadline
from runbook.probes.schema_proposal import SchemaProposal, observe
from support.http_servers import Answer, Asked, http_server
from support.registry_servers import Content, registry_server

CONTENT = Content({"orders-value": ["x"]})


def proposed(folder: Path, *subjects: str) -> list[dict[str, Any]]:
    file = folder / "a.avsc"
    file.write_text("text", "utf-8")
    return [{"subject": subject, "path": str(file)} for subject in subjects]


def tried(address: str, proposals: list[dict[str, Any]]) -> Observed:
    return observe(connect({"url": address, "proposals": proposals}, Deadline(9)))


def test_a_proposal_is_a_row_and_of_a_new_subject_nothing_is_known(tmp_path: Path):
    with registry_server(CONTENT) as (address, _):
        observed = tried(address, proposed(tmp_path, "orders-value", "new-value"))
    path = str(tmp_path / "a.avsc")
    assert observed.rows == [
        SchemaProposal(subject="orders-value", path=path, type="AVRO", new=False, compatible=False, messages=["no"]),
        SchemaProposal(subject="new-value", path=path, type="AVRO", new=True, compatible=None, messages=[]),
    ]
    assert observed.gaps == []


def test_a_schema_that_the_registry_says_nothing_of_is_a_gap(tmp_path: Path):
    def answer(asked: Asked) -> Answer:
        return Answer(b"", 500) if asked.method == "POST" else CONTENT.answer(asked)

    with http_server(answer) as (address, _):
        observed = tried(address, proposed(tmp_path, "orders-value"))
    assert observed.rows == []
    assert [gap.keys for gap in observed.gaps] == [{"subject": "orders-value"}]


def test_where_nothing_is_proposed_there_is_nothing_to_try():
    with registry_server(CONTENT) as (address, _):
        assert "proposes no schema" in tried(address, []).inapplicable
