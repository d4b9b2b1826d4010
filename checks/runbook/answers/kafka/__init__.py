"""What a Kafka cluster answered, as plain records that name neither client library."""

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from runbook.answers.kafka.errors import BrokerLabel
from runbook.model.quantity import BrokerId, Bytes, ControllerId, Offset, PartitionNumber, Timestamp


class TopicPartition(NamedTuple):
    """A topic and the number of one of its partitions."""

    topic: str
    partition: PartitionNumber


class Broker(Struct, frozen=True, kw_only=True):
    """A registered broker, or one that only replica lists still name.

    Attributes:
        host: advertised name or address; "" when the broker is not registered.
        port: advertised port; -1 when the broker is not registered.
        rack: "" for none, None when the broker is not registered.
        fenced: kept out of service by the cluster.
    """

    id: BrokerId
    host: str
    port: int
    rack: str | None
    fenced: bool

    @property
    def label(self) -> str:
        """How sentences name it: `broker 2 (10.0.0.2:9092)`."""
        return BrokerLabel(self.id, f"{self.host}:{self.port}") if self.host else f"broker {self.id}"


class AnswerTimes(Struct, frozen=True):
    """How a broker answered small requests, one after the other.

    Attributes:
        seconds: until each answer, in their order; the first is for a connection of its own.
        unanswered: how many had no answer in their time.
    """

    seconds: list[float]
    unanswered: int


class Cluster(Struct, frozen=True):
    """Who is in the cluster and what we may do there.

    Attributes:
        describes_all: the cluster said that we have Describe on it; None when it did not say.
        unseen: why registered brokers may be missing from the list; "" when the list is all of them.
    """

    id: str
    brokers: tuple[Broker, ...]
    controller: BrokerId
    describes_all: bool | None
    unseen: str = ""


class Partition(Struct, frozen=True, gc=False, kw_only=True):
    """One partition as a live broker's metadata shows it; equal replica lists are shared, so never change them."""

    number: PartitionNumber
    leader: BrokerId
    replicas: list[BrokerId]
    isr: list[BrokerId]


class EligibleLeaders(Struct, frozen=True, kw_only=True):
    """The eligible leader replicas of a partition (KIP-966), and the partition at the same moment.

    Attributes:
        last_leader: who led last, where the controllers keep that: of a partition without a leader; else -1.
    """

    partition: Partition
    eligible: list[BrokerId]
    last_leader: BrokerId


class Setting(Struct, frozen=True, gc=False):
    """One setting in force: its value (None if hidden or not set) and where that comes from."""

    value: str | None
    source: str
    sensitive: bool = False
    read_only: bool = False


class TopicSettings(Struct, frozen=True):
    """The settings of a topic that probes read, and all that are set on the topic itself."""

    values: dict[str, Setting]
    overrides: dict[str, str]


class LogDir(Struct, frozen=True, kw_only=True):
    """One log directory of a broker; numbers are None where it does not tell them: it failed, or the broker is old."""

    path: str
    error: str
    total_bytes: Bytes | None
    usable_bytes: Bytes | None
    replica_bytes: Bytes | None
    replicas: int | None


class Voter(Struct, frozen=True, kw_only=True):
    """A member of the metadata quorum, or a node that only follows it; times by the leader's clock.

    Attributes:
        directory: id of the disk that votes or follows, as Kafka's tools write it; "" in a static quorum (KIP-853).
    """

    node: ControllerId
    directory: str
    voter: bool
    end_offset: Offset
    caught_up_at: Timestamp
    fetched_at: Timestamp


class Quorum(Struct, frozen=True):
    """The KRaft metadata quorum as its leader sees it."""

    leader: ControllerId
    nodes: tuple[Voter, ...]


class Feature(Struct, frozen=True, kw_only=True):
    """A versioned feature: the level in force (0: off) and the levels the answering broker supports."""

    name: str
    finalized: int
    least: int
    greatest: int


class ConsumerGroup(Struct, frozen=True, kw_only=True):
    """A consumer group; what only a description tells is None until it is described."""

    name: str
    state: str
    type: str
    coordinator: BrokerId
    assignor: str | None = None
    members: int | None = None


class GroupMember(Struct, frozen=True, kw_only=True):
    """A member of a group; `instance` is "" where it has no group.instance.id.

    Attributes:
        assigned: the partitions that it reads.
        copies: whether it keeps copies of others' state (Streams' standby and warm-up tasks), as far as that is told.
    """

    id: str
    client: str
    host: str
    instance: str
    assigned: tuple[TopicPartition, ...]
    copies: bool = False


class GroupDescription(Struct, frozen=True, kw_only=True):
    """What is told of a group that is asked for by its name; `coordinator` is -1 where that is not told."""

    state: str
    type: str
    coordinator: BrokerId
    assignor: str
    members: tuple[GroupMember, ...]


class Reassignment(Struct, frozen=True, kw_only=True):
    """A partition on the move."""

    topic: str
    partition: PartitionNumber
    replicas: list[BrokerId]
    adding: list[BrokerId]
    removing: list[BrokerId]


class Acl(Struct, frozen=True, kw_only=True):
    """One binding of an access control list, in Kafka's own words: Allow, Topic, Prefixed, DescribeConfigs."""

    principal: str
    host: str
    operation: str
    permission: str
    resource_type: str
    resource: str
    pattern: str


class ScramCredential(Struct, frozen=True, kw_only=True):
    """A user's SCRAM credential: its mechanism, and how often the password is hashed."""

    user: str
    mechanism: str
    iterations: int


class Quota(Struct, frozen=True, kw_only=True):
    """One limit of one kind of client. A part that the quota is not about is None; of the default, it is ""."""

    user: str | None
    client: str | None
    ip: str | None
    name: str
    value: float


class KnownCluster(Struct, frozen=True):
    """What is known of a cluster once one of its brokers told.

    Attributes:
        servers: the bootstrap servers that told their cluster.
        cluster_id: its id.
        release: Kafka's, as far as the requests that a broker knows tell it: (4, 1).
        versions: number of a request -> its least and its greatest version that the broker knows.
    """

    servers: tuple[str, ...] = ()
    cluster_id: str | None = None
    release: tuple[int, ...] | None = None
    versions: dict[int, tuple[int, int]] = {}


class AnyGroup(Struct, frozen=True, kw_only=True):
    """A group.

    Attributes:
        type: classic, consumer, share, streams.
        protocol: consumer, connect, share, …; "" of a group that only keeps offsets.
        assignor: None where it is not told.
        members: None where they are not told; `untold` says why.
    """

    name: str
    type: str
    protocol: str
    state: str
    coordinator: BrokerId
    assignor: str | None = None
    members: tuple[GroupMember, ...] | None = None
    untold: str = ""

    def without_members(self, untold: str) -> "AnyGroup":
        """The group as it is listed, and why its members are not told."""
        return replace(self, assignor=None, members=None, untold=untold)


class ReadRecord(Struct, frozen=True, gc=False, kw_only=True):
    """A record as it is stored. It stays in the process that read it: probes tell what they may of it.

    Attributes:
        headers: names, which may repeat, and values.
    """

    topic: str
    partition: PartitionNumber
    offset: Offset
    timestamp: Timestamp
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


class ReadLimits(Struct, frozen=True):
    """How much is read at most.

    Attributes:
        records: of each partition, the newest.
        partitions: in all; each topic gives one before any gives another.
        size: bytes in all, as they are stored; four times as many where batches are large, as each comes whole.
        whole: read from the beginning instead, and call it a gap where bytes do not reach to the end.
    """

    records: int
    partitions: int
    size: int
    whole: bool = False


class ReplicaSize(Struct, frozen=True, kw_only=True, gc=False):
    """A replica on a broker; `path` is its log directory."""

    topic: str
    partition: PartitionNumber
    path: str
    size: Bytes
