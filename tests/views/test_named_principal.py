from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.named_principal import NamedPrincipal, compute

_ACLS = Fact("kafka_acl", {"principal": ["User:billing", "User:billing", "User:shop", "User:*"]})


def test_acls_are_counted_and_without_any_similar_names_are_told():
    assert compute(acl=_ACLS, principal="User:billing").rows == [
        NamedPrincipal(principal="User:billing", acls=2, alike="")
    ]
    (other,) = compute(acl=_ACLS, principal="User:billing.prod").rows
    assert (other.acls, other.alike) == (0, "User:billing")


def test_where_acls_may_be_hidden_none_is_unknown():
    hidden = replace(_ACLS, gaps=[Gap("ACLs may be hidden")])
    assert [row.acls for row in compute(acl=hidden, principal="User:ship").rows] == [None]


def test_without_a_name_nothing_is_said():
    assert compute(acl=_ACLS).rows == []
