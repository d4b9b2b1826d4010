"""One broker of an old line of releases: what no lab of today's Kafka can show.

It has known vulnerabilities, no password in its file, and nobody above its ACLs, so that Kafka hides nothing. It asks
for lists of revoked certificates, which harms nobody here as it speaks no TLS.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_lab.parts.jmx import fetch_agents, jolokia_agent
from kafka_lab.ports import free_ports
from support.one_broker import OneBroker
from support.security.guarded import read_attribute

RELEASE: Final = "3.8.1"
_ANONYMOUS: Final = "User:ANONYMOUS"
_APP_INFO: Final = "kafka.server:type=app-info,id=1"
_ASKS: Final = ("-Dcom.sun.net.ssl.checkRevocation=true", "-Dcom.sun.security.enableCRLDP=true")
_AUTHORIZER: Final = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"


class OldBroker(OneBroker):
    """One broker, its own controller, with an agent that tells its metrics."""

    def __init__(self, folder: Path) -> None:
        """Fetch what it needs; nothing runs yet."""
        super().__init__(folder, RELEASE)
        [self.agent] = free_ports(1)
        self.agents = fetch_agents(print)

    def configure(self, more: str = "") -> str:
        """Write its properties; gives the file."""
        return super().configure(_AUTHORIZER + more)

    def start(self, properties: str, options: Sequence[str] = ()) -> None:
        """Start it, and wait until it answers."""
        super().start(properties, [jolokia_agent(self.agents, self.agent), *_ASKS, *options])


@contextmanager
def old_broker(folder: Path) -> Iterator[OldBroker]:
    """Run one. It starts with a super user, who sets the ACLs by which it then starts without one."""
    broker = OldBroker(folder)
    broker.format()
    try:
        broker.start(broker.configure(f"super.users={_ANONYMOUS}\n"))
        _allow_everything(broker.address)
        broker.stop()
        broker.start(broker.configure())
        yield broker
    finally:
        broker.end()


def _allow_everything(address: str) -> None:
    from kafka import KafkaAdminClient
    from kafka.admin import ACL, ACLOperation, ACLPermissionType, ResourcePattern, ResourceType

    kinds = [(ResourceType.CLUSTER, "kafka-cluster"), (ResourceType.TOPIC, "*"), (ResourceType.GROUP, "*")]
    made = [
        ACL(_ANONYMOUS, "*", ACLOperation.ALL, ACLPermissionType.ALLOW, ResourcePattern(kind, name))
        for kind, name in kinds
    ]
    admin = KafkaAdminClient(bootstrap_servers=[address])
    try:
        assert not admin.create_acls(made)["failed"]
    finally:
        admin.close()


def of_old(broker: OldBroker) -> Mapping[str, bool]:
    """What proves that it is of the old line, with nothing for Kafka to hide, and told to ask for revocations."""
    properties = (broker.folder / "server.properties").read_text("utf-8")
    command = Path(f"/proc/{broker.process.pid}/cmdline").read_text() if broker.process else ""
    _, said = read_attribute(broker.agent, _APP_INFO, "Version")
    return {
        f"it says that it is {RELEASE}": f'"{RELEASE}"' in said,
        "it has an authorizer": "authorizer.class.name=" in properties,
        "nobody stands above its ACLs": "super.users" not in properties,
        "its file opens nothing by default": "allow.everyone" not in properties,
        "its file holds no password": "password" not in properties and "jaas" not in properties,
        "it answers whom its ACLs allow": broker.answers(),
        "its JVM asks for lists of revoked certificates": all(asks in command for asks in _ASKS),
    }
