"""Which topics the cluster may hide from us.

Without Describe, Kafka leaves topics out of its list and reports no error. But of a topic that is asked for by its name
it says that we may not, whether there is such a topic or not. So two things prove that nothing is hidden: a name that
can't exist is "unknown" and not refused, thus all names are visible; and so is each name that a DENY takes away again
from somebody, whoever that is.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from runbook.answers.kafka import Acl
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.probe import Deadline

_HIDING: Final = frozenset({"All", "Describe"})
"""Operations whose DENY hides a topic. One of Read or Write does not: that they imply Describe holds for ALLOW only
(Kafka's `StandardAuthorizerData.IMPLIES_DESCRIBE`)."""
_AT_ONCE: Final = 1000
_NAMED: Final = 5


class AsksByName(Protocol):
    """Either client."""

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """Return the name of the error that asking about each topic gives, "" for none (Metadata)."""


def hidden_topics(client: AsksByName, acls: Callable[[], list[Acl] | None], clock: Deadline) -> list[Gap]:
    """Say why topics may be hidden from us; nothing if it is proved that none is.

    Args:
        client: asks about topics by their names.
        acls: every ACL, None without an authorizer; raises CannotLook.
        clock: of the connection.

    Raises:
        CannotLook: the cluster can't be asked.
    """
    nobody = clock.unused_name("topic")
    answer = client.topic_errors([nobody])[nobody]
    if answer.endswith("AUTHORIZATION_FAILED"):
        needs = "Describe on all topics"
        return [Gap(f"topics may be hidden from us: we have no {needs}", kind=GapKind.DENIED, right=needs)]
    if not _unknown(answer):
        return [Gap(f"topics may be hidden from us: a topic that can't exist gave {answer or 'no error'}")]
    try:
        taken_away = _taken_away(acls() or (), nobody)
    except CannotLook as error:
        return [Gap.of(error, says=f"topics may be hidden from us by a DENY, as the ACLs can't be read: {error}")]
    names = sorted(taken_away)
    refused: set[str] = set()
    for start in range(0, len(names), _AT_ONCE):
        errors = client.topic_errors(names[start : start + _AT_ONCE])
        refused |= {taken_away[name] for name, error in errors.items() if error.endswith("AUTHORIZATION_FAILED")}
    if not refused:
        return []
    said = ", ".join(sorted(refused)[:_NAMED]) + (f" and {len(refused) - _NAMED} more" if len(refused) > _NAMED else "")
    return [Gap(f"topics are hidden from us by a DENY, if they exist: {said}")]


def _unknown(answer: str) -> bool:
    return answer.startswith("UNKNOWN_TOPIC_OR_PART")  # librdkafka's name of it ends here


def _taken_away(acls: Iterable[Acl], nobody: str) -> dict[str, str]:
    """The names of topics that a DENY concerns, each with what that DENY says; of a prefix, a name that begins so."""
    found: dict[str, Any] = {}
    for acl in acls:
        if acl.permission == "Deny" and acl.resource_type == "Topic" and acl.operation in _HIDING:
            prefixed = acl.pattern == "Prefixed"
            found[acl.resource + nobody if prefixed else acl.resource] = acl.resource + "*" * prefixed
    return found
