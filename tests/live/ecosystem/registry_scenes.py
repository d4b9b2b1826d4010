"""What goes wrong with a Schema Registry, one thing at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_lab import LabState, connect, registry
from live.ecosystem.expectations import WELL, errors, schemas
from support import gateways, wrong_schemas
from support.documented import titled
from support.ecosystem.lab import changed, inventory, secrets
from support.ecosystem.right import proposal
from support.evidence.fault import fault_scene
from support.evidence.scene import State, scene

_OF_FAULTS = {
    "incompatible-schema": schemas(
        {"every-version-keeps-the-promise": "orders-value", "identifying-fields-stay": "orders-value"}
    ),
    "no-compatibility": schemas(
        {
            "the-registry-guards-what-has-no-level": "NONE",
            "every-subject-is-guarded": ("orders-key", "clicks-value", "payments-value"),
        },
        # Whether a subject has a level of its own, which alone holds then, depends on the scenes before.
        undetermined=frozenset({"every-version-keeps-the-promise", "full-compatibility-has-defaults-everywhere"}),
    ),
    "frozen-registry": schemas({"the-registry-takes-new-schemas": "READONLY"}),
    "raw-records": schemas({"records-carry-a-known-schema": "deliveries"}),
    "unsafe-registry-topic": schemas({"the-registrys-topic-has-copies": "kafkasql-journal: 1 replicas"}),
    "stop-registry": schemas(
        {"the-registry-answers": "1 of 2 instances answer", "all-instances-answer": ""}, frozenset({"instances-agree"})
    ),
}
_FAULTS = [
    fault_scene(fault, WELL, broken, inventory=inventory, secrets=secrets, module=__name__)
    for fault, broken in _OF_FAULTS.items()
]

_PAGE: Final = "runbooks/schema-governance.md"
_OUTSIDER: Final = {
    "schema-governance": schemas({"the-registry-requires-authentication": "{registry}"})["schema-governance"],
    "error-handling": errors({"connect-requires-authentication": "{worker}"})["error-handling"],
}


@scene({"open": _OUTSIDER})
def nobody_is_asked(lab: LabState, folder: Path) -> Iterator[State]:
    """Where the inventory lets it be tried, it is told that the registry and Connect serve anybody."""
    del folder
    words = {"registry": registry.addresses(lab)[0], "worker": connect.workers_of(lab)[0].url}

    def claims() -> dict[str, bool]:
        return {
            "the registry serves anybody": gateways.status(f"{words['registry']}/config") == 200,
            "a worker serves anybody": gateways.status(f"{words['worker']}/") == 200,
        }

    yield State("open", changed(lab), claims, words, secrets(lab))


_NAME: Final = "proposed"
_EVENT: Final = '{{"type": "record", "name": "Event", "namespace": "shop", "doc": "It was.", "fields": {}}}'
_STORED, _BROKEN = _EVENT.format("[]"), _EVENT.format('[{"name": "id", "type": "long", "doc": "Its number."}]')
_NO_TOPIC: Final = {"subject-names-follow-a-strategy": _NAME}


@scene({"good": schemas(_NO_TOPIC), "bad": schemas({**_NO_TOPIC, "proposed-schemas-are-compatible": _NAME})})
def a_schema_is_proposed(lab: LabState, folder: Path) -> Iterator[State]:
    """One that would do, and one that would not; neither is stored, as the registry says after each look."""
    try:
        registry.register(lab, _NAME, _STORED)
        for state, text, does in (("good", _STORED, True), ("bad", _BROKEN, False)):
            proposed = {**_registry_of(lab), "proposals": proposal(folder, _NAME, text)}
            looked_at = changed(lab, {"schema_registry": proposed}, absent={"tls": "nothing is tried from outside"})
            yield State(state, looked_at, lambda text=text, does=does: _tried(lab, text, does=does), {}, secrets(lab))
    finally:
        wrong_schemas.forget_subject(lab, _NAME)


def _registry_of(lab: LabState) -> dict[str, object]:
    return {"url": registry.addresses(lab)}


def _tried(lab: LabState, text: str, *, does: bool) -> dict[str, bool]:
    path = f"/compatibility/subjects/{_NAME}/versions/latest"
    answer = registry.request("POST", registry.required(lab), path, {"schema": text})
    return {
        f"the registry calls it {'compatible' if does else 'incompatible'}": answer["is_compatible"] is does,
        "nothing is stored": registry.answers(lab, f"/subjects/{_NAME}/versions") == [[1], [1]],
    }


_DELETED: Final = "purchases-value"
# This registry lists what was deleted and does not tell it: which ids there are is not known.
_UNTOLD: Final = schemas({"deleted-subjects-are-few": _DELETED}, frozenset({"records-carry-a-known-schema"}))


@scene({"deleted": _UNTOLD, "deleted-for-good": WELL})
def a_subject_is_deleted(lab: LabState, folder: Path) -> Iterator[State]:
    """In a way that can be undone, then for good."""
    del folder

    def seen() -> tuple[bool, bool]:
        listed = (registry.answers(lab, path) for path in ("/subjects", "/subjects?deleted=true"))
        there, with_deleted = (all(_DELETED in one for one in answer) for answer in listed)
        return there, with_deleted

    try:
        registry.register(lab, _DELETED, titled(_PAGE, "purchase.avsc"))
        registry.request("DELETE", registry.required(lab), f"/subjects/{_DELETED}")
        claims = {"deleted": "it is listed among the deleted only", "deleted-for-good": "no instance lists it"}
        wanted = {"deleted": (False, True), "deleted-for-good": (False, False)}
        for state, claim in claims.items():
            if state == "deleted-for-good":
                wrong_schemas.forget_subject(lab, _DELETED)
            yield State(
                state,
                inventory(lab),
                lambda claim=claim, state=state: {claim: seen() == wanted[state]},
                secrets=secrets(lab),
            )
    finally:
        wrong_schemas.forget_subject(lab, _DELETED)


_OWN: Final = ("clicks-value", "BACKWARD_TRANSITIVE")
_OWN_LEVEL: Final = schemas(
    {"subjects-have-the-registrys-level": f"own level is {_OWN[1]}; the registry's level is {registry.LEVEL}"}
)


@scene({"kept": _OWN_LEVEL, "removed": WELL})
def a_level_of_its_own(lab: LabState, folder: Path) -> Iterator[State]:
    """A subject keeps a level that its registry has for no other, until its owner removes it."""
    del folder
    subject, level = _OWN

    def claims(wanted: str) -> dict[str, bool]:
        told = registry.answers(lab, f"/config/{subject}?defaultToGlobal=true")
        return {f"{subject} has the level {wanted}": {one["compatibilityLevel"] for one in told} == {wanted}}

    try:
        registry.set_level(lab, level, subject)
        yield State("kept", inventory(lab), lambda: claims(level), secrets=secrets(lab))
    finally:
        registry.request("DELETE", registry.required(lab), f"/config/{subject}")
    yield State("removed", inventory(lab), lambda: claims(registry.LEVEL), secrets=secrets(lab))


SCENES = [*_FAULTS, nobody_is_asked, a_schema_is_proposed, a_subject_is_deleted, a_level_of_its_own]
