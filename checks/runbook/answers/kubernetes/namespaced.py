"""Rows about objects that live in a namespace: two of one name in two namespaces are two things."""

from typing import Annotated, ClassVar, Final

from runbook.formats.declared import at
from runbook.model.row import Cell, Row

ITS_NAMESPACE: Final = Cell("Its namespace; empty where the manifest names none.", key=True)


class Namespaced(Row):
    """A row about an object of a namespace; what refers to it by name means one of the same namespace."""

    own_first: ClassVar[bool] = True

    namespace: Annotated[str, ITS_NAMESPACE] = at("metadata.namespace")
