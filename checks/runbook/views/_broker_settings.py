"""The settings of brokers, one broker beside the other."""

from collections import defaultdict

from runbook.model.fact import Fact
from runbook.model.quantity import BrokerId


def by_broker(setting: Fact) -> dict[BrokerId, dict[str, str | None]]:
    """Broker → setting → value, of kafka_broker_setting; None where the value is hidden."""
    found: dict[BrokerId, dict[str, str | None]] = defaultdict(dict)
    for row in setting.rows():
        found[row["broker"]][row["setting"]] = row["value"]
    return found
