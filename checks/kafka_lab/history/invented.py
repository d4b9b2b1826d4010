"""Runbooks that do not exist, for histories of more checks than there are; their names say that they are generated."""

from typing import Literal

from msgspec import Struct

from kafka_lab.history.environments import TIERS, Tier


class Invented(Struct, frozen=True):
    """A runbook that does not exist: each thing with each property is a check of it.

    Attributes:
        things, properties: the halves of the titles.
        about: what rows of its checks are about, one of these each.
        tiers: where it applies.
        drilled: whether some of its checks are proved by drills.
        links: whether they are about links between environments.
    """

    things: tuple[str, ...]
    properties: tuple[str, ...]
    about: tuple[Literal["partition", "topic", "broker", "environment"], ...]
    tiers: tuple[Tier, ...] = TIERS
    drilled: bool = False
    links: bool = False


INVENTED = {
    "dr-generated": Invented(
        (
            *("Failover", "Failback", "The restore of a topic", "The restore of a broker", "The second site"),
            *(
                "The inventory of data",
                "Access in an emergency",
                "The plan",
                "Contacts for a disaster",
                "The last backup",
            ),
        ),
        (
            *("has been drilled", "keeps its time", "is documented", "is owned by a team", "is complete"),
            *("is watched", "is where it should be", "can be undone", "is paid for", "was reviewed"),
        ),
        ("topic", "environment"),
        ("prod", "dr"),
        drilled=True,
    ),
    "gc-generated": Invented(
        (
            *("Young collections", "Old collections", "Mixed collections", "Safepoints", "Humongous allocations"),
            *("Allocation stalls", "Concurrent cycles", "Direct memory", "Metaspace", "The page cache"),
        ),
        (
            *("are short", "are rare", "are logged", "leave headroom", "are sized on purpose"),
            *(
                "are stable over a week",
                "do not grow",
                "fit the machine",
                "are like those of other brokers",
                "are known",
            ),
        ),
        ("broker",),
    ),
    "mirror-generated": Invented(
        (
            *("Offset translation", "Topic mirroring", "The mirror's lag", "Access rule mirroring", "Schema mirroring"),
            *("The heartbeat", "Configuration mirroring", "The link's bandwidth", "The link's identity", "Its naming"),
        ),
        (
            *("is within its bound", "is complete", "is watched", "is in one direction only", "works without a break"),
            *("is documented", "is of a known version", "is restarted by itself", "loses nothing", "is on purpose"),
        ),
        ("topic", "environment"),
        ("dr",),
        links=True,
    ),
    "schema-governance-generated": Invented(
        (
            *("Subjects", "Key schemas", "Value schemas", "Schema references", "Compatibility levels"),
            *("Schema owners", "Deleted schemas", "Schema contexts", "Default values", "Field names"),
        ),
        (
            *("are registered", "are compatible", "have an owner", "are documented", "follow the naming rules"),
            *("are in use", "are backed up", "agree between regions", "are reviewed", "are free of personal data"),
        ),
        ("topic",),
        ("prod", "dr", "stage", "test"),
    ),
    "security-generated": Invented(
        (
            *("Listeners", "Certificates", "Access rules", "Super users", "Client identities"),
            *("Quotas", "Secrets", "Audit logs", "Trust stores", "Inter-broker links"),
        ),
        (
            *("are encrypted", "have an owner", "expire in time", "are rotated", "grant no more than needed"),
            *("are in use", "are reviewed", "are the same on all brokers", "are kept out of files", "are logged"),
        ),
        ("broker", "topic", "environment"),
    ),
}
