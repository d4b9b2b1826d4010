"""All incidents, in an order in which those that share a lab stand together."""

from typing import Final

from support.incidents import between, cluster, doors, groups, inside, rights

INCIDENTS: Final = sorted(
    [
        *between.INCIDENTS,
        *doors.INCIDENTS,
        *cluster.INCIDENTS,
        *inside.INCIDENTS,
        *rights.INCIDENTS,
        *groups.INCIDENTS,
    ],
    key=lambda incident: incident.parts != ("proxies",),
)
