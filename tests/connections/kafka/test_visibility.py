"""Which topics a cluster may hide: what a DENY takes away again is seen, which no random name shows."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

import pytest

from runbook.answers.kafka import Acl
from runbook.connections.kafka.visibility import hidden_topics
from runbook.model.errors import Denied
from runbook.model.probe import Deadline

UNKNOWN, REFUSED = "UNKNOWN_TOPIC_OR_PARTITION", "TOPIC_AUTHORIZATION_FAILED"


class Cluster:
    """What it says of topics that are asked for by these names, or by names that begin so (secret*), and of others."""

    def __init__(self, said: Mapping[str, str] | None = None, others: str = UNKNOWN) -> None:
        self.said, self.others = said or {}, others

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """What each of them gives."""
        return {
            name: next((error for form, error in self.said.items() if fnmatchcase(name, form)), self.others)
            for name in names
        }


def acl(resource: str, *, pattern: str = "Literal", operation: str = "Describe", permission: str = "Deny") -> Acl:
    return Acl(
        principal="User:somebody",
        host="*",
        operation=operation,
        permission=permission,
        resource_type="Topic",
        resource=resource,
        pattern=pattern,
    )


def hidden_reasons(cluster: Cluster, *acls: Acl) -> list[str]:
    return [gap.reason for gap in hidden_topics(cluster, lambda: [*acls], Deadline(5))]


def test_where_every_name_is_unknown_and_nothing_denied_nothing_is_hidden():
    assert hidden_reasons(Cluster()) == []
    assert [gap.reason for gap in hidden_topics(Cluster(), lambda: None, Deadline(5))] == []  # without an authorizer
    # a DENY that is somebody else's: it is there, and seen
    assert hidden_reasons(Cluster({"orders": ""}), acl("orders")) == []
    assert hidden_reasons(Cluster(), acl("orders")) == []  # likewise, and it is not there


@pytest.mark.parametrize("operation", ["Describe", "All"])
@pytest.mark.parametrize(("pattern", "said"), [("Literal", "secret"), ("Prefixed", "secret*")])
def test_a_name_that_a_deny_takes_from_us_is_told_though_random_names_are_unknown(
    operation: str, pattern: str, said: str
):
    hidden = f"topics are hidden from us by a DENY, if they exist: {said}"
    assert hidden_reasons(Cluster({said: REFUSED}), acl("secret", pattern=pattern, operation=operation)) == [hidden]


def test_a_deny_of_what_hides_nothing_and_an_allow_are_not_asked_about():
    assert hidden_reasons(Cluster({"secret": REFUSED}), acl("secret", operation="Write")) == []
    assert hidden_reasons(Cluster({"secret": REFUSED}), acl("secret", permission="Allow")) == []


def test_without_the_right_to_all_topics_or_to_the_acls_it_is_said_that_some_may_be_hidden():
    def may_not() -> list[Acl]:
        raise Denied("it needs Describe on the cluster")

    asked: list[tuple[Cluster, Callable[[], list[Acl] | None], str]] = [
        (Cluster(others=REFUSED), list, "we have no Describe on all topics"),
        (Cluster(others=""), list, "a topic that can't exist gave no error"),
        (Cluster(), may_not, "by a DENY, as the ACLs can't be read: it needs Describe on the cluster"),
    ]
    for cluster, acls, why in asked:
        [gap] = hidden_topics(cluster, acls, Deadline(5))
        assert gap.reason.startswith("topics may be hidden from us")
        assert why in gap.reason
