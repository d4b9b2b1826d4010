"""A recorded Connect cluster that also runs connectors of MirrorMaker; for tests of both probes."""

from typing import Any

from connect_servers import Played

PACKAGE = "org.apache.kafka.connect.mirror."


def mirrored(**connectors: dict[str, str]) -> Played:
    """A recorded cluster with connectors in the place of its own, each by name with its configuration."""
    played = Played("healthy")

    def replace(told: dict[str, Any]) -> None:
        [source] = [one for one in told.values() if one["info"]["type"] == "source"]
        told.clear()
        for name, settings in connectors.items():
            info = source["info"] | {"name": name, "config": settings}
            told[name] = source | {"info": info}

    played.change(replace)
    for answers in played.answers.values():
        answers["/connectors"] = str(sorted(connectors)).replace("'", '"')
    return played


def source(**more: str) -> dict[str, str]:
    """The configuration of a connector that copies from us to eu; settings have underscores for their dots."""
    own = {
        "connector.class": f"{PACKAGE}MirrorSourceConnector",
        "source.cluster.alias": "us",
        "target.cluster.alias": "eu",
        "source.cluster.bootstrap.servers": "us-1:9092",
    }
    return own | {name.replace("_", "."): value for name, value in more.items()}
