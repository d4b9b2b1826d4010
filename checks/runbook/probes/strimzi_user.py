"""KafkaUser resources of Strimzi, as they are declared."""

from typing import Annotated

from runbook.answers.kubernetes.objects import many, part, text
from runbook.formats.declared import at
from runbook.model.fact import Observed
from runbook.model.row import Cell, row_of
from runbook.probes._strimzi import SOURCE, Declared, Declares, PlacedRow, each, observed, probe_of


class StrimziUser(PlacedRow):
    """A user."""

    user: Annotated[str, Cell("Name of the resource, and of the user.", key=True)] = at("name")
    kafka: Annotated[str, Cell("The Kafka resource it belongs to, by its label; empty for none.")] = at("cluster")
    version: Annotated[str, Cell("Version of the API it is written in, such as v1 or v1beta2.")] = at("version")
    source: Annotated[str, SOURCE] = at("source")
    authentication: Annotated[
        str,
        Cell(
            "How it logs in: tls, scram-sha-512; empty where the operator gives nothing.",
            written="spec.authentication.type",
        ),
    ]
    authorization: Annotated[str, Cell("Type of its rights, simple; empty for none.")] = at("spec.authorization.type")
    rules: Annotated[int, Cell("Rules of its rights.", written="spec.authorization.acls")]
    quotas: Annotated[bool, Cell("Whether it has quotas of its own.", written="spec.quotas")]


PROBE = probe_of(StrimziUser, "kafkausers", help="One row per KafkaUser of Strimzi.")


def observe(strimzi: Declares) -> Observed:
    """Observe the users that are declared."""
    return observed(strimzi, {"kafkausers": lambda found: each(found, _row)})


def _row(one: Declared) -> StrimziUser:
    return row_of(
        StrimziUser,
        one,
        places=one.places(StrimziUser),
        authentication=text(one.spec, "authentication", "type").removesuffix("-external"),
        rules=len(many(one.spec, "authorization", "acls")),
        # not made up: a resource that names no quotas has none of its own
        quotas=bool(part(one.spec, "quotas")),
    )
