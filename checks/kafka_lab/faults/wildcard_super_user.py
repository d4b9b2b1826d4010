"""Restarts broker 2 with User:* among its super users, which somebody took for a wildcard. Needs security."""

from collections.abc import Mapping

from kafka_lab import rights_signs, security
from kafka_lab.state import LabState

SEEN_IN = "security"

_NUMBER = 2


def inject(lab: LabState) -> None:
    """Restart it with one more super user."""
    security.required(lab)
    supers = str(security.settings(lab, lab.broker(_NUMBER))["super.users"])
    security.alter(lab, [_NUMBER], {"super.users": f"{supers};User:*"})


def heal(lab: LabState) -> None:
    """Restart it as it was."""
    security.restore(lab)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the broker's authorizer says that it has such a super user."""
    return {f"broker {_NUMBER} has the super user User:*": "User:*" in rights_signs.authorizer_of(lab, _NUMBER)[0]}
