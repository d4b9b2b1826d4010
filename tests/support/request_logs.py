"""What clients ask of a lab's brokers, by the request logs of these."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from kafka_lab import LabState
from kafka_lab.admin import change_settings

LOGGER = "kafka.request.logger"


@contextmanager
def written_down(*sites: LabState) -> Iterator[None]:
    """Have the brokers write down the header of every request that they complete."""

    def log(level: str | None) -> None:
        for site in sites:
            numbers = [str(broker.number) for broker in site.brokers]
            change_settings(site, "broker_logger", {number: {LOGGER: level} for number in numbers})

    log("DEBUG")
    try:
        yield
    finally:
        log(None)


def used(client: str, *sites: LabState) -> set[int]:
    """The numbers of the APIs that a client used."""
    found = set()
    for site in sites:
        for broker in site.brokers:
            for file in sorted(site.log_of(broker).parent.glob(f"{site.log_of(broker).name}*")):
                for line in file.read_text("utf-8", "replace").splitlines():
                    if '"requestHeader":' in line and "Completed request" in line and f'"{client}"' in line:
                        header = json.loads(line[line.index("{") : line.rindex("}") + 1])["requestHeader"]
                        found.add(header["requestApiKey"])
    return found
