"""Facts of clients' configuration, as short as tests want to write them."""

from runbook.model.fact import Fact


def client_config(*said: tuple[str, str, str, str | None]) -> Fact:
    """The fact of client_config, from client, kind, setting and value."""
    clients, kinds, settings, values = ([row[at] for row in said] for at in range(4))
    return Fact(
        "client_config",
        {"client": clients, "kind": kinds, "setting": settings, "value": values},
    )


def consumer(*said: tuple[str, str | None], client: str = "billing") -> Fact:
    """The same of one consumer that has a group."""
    rows = [("group.id", "billing"), *said]
    return client_config(*[(client, "consumer", setting, value) for setting, value in rows])


def producer(*said: tuple[str, str | None], client: str = "billing") -> Fact:
    """The same of one producer."""
    rows = [("bootstrap.servers", "kafka:9092"), *said]
    return client_config(*[(client, "producer", setting, value) for setting, value in rows])
