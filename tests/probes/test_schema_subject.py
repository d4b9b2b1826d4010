from runbook.connections.schema_registry import connect
from runbook.model.probe import Deadline
from runbook.probes.schema_subject import SchemaSubject, observe
from support.http_servers import Answer, Asked, http_server
from support.registry_servers import Content, registry_server

CONTENT = Content(
    {"orders-value": ["x"], ":.eu:orders-value": ["x"], ":.no": ["x"]},
    levels={"orders-value": "FULL"},
    deleted=("gone-value",),
)


def test_a_subject_is_a_row_with_the_level_in_force():
    with registry_server(CONTENT) as (address, _):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert observed.rows == [
        SchemaSubject(
            subject=":.eu:orders-value", context="eu", name="orders-value", deleted=False, compatibility="BACKWARD"
        ),
        SchemaSubject(subject=":.no", context="", name=":.no", deleted=False, compatibility="BACKWARD"),
        SchemaSubject(subject="gone-value", context="", name="gone-value", deleted=True, compatibility=""),
        SchemaSubject(subject="orders-value", context="", name="orders-value", deleted=False, compatibility="FULL"),
    ]
    assert observed.gaps == []


def test_a_level_that_could_not_be_had_is_not_known():
    def answer(asked: Asked) -> Answer:
        return Answer(b"", 500) if asked.path.startswith("/config/orders") else CONTENT.answer(asked)

    with http_server(answer) as (address, _):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert observed.rows[-1] == SchemaSubject(
        subject="orders-value", context="", name="orders-value", deleted=False, compatibility=None
    )
    assert [gap.keys for gap in observed.gaps] == [{"subject": "orders-value"}]
