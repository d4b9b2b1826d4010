"""What `runbook measure` writes, and what came of it: settings, what each side saw, repetitions."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Compression = Literal["none", "gzip", "snappy", "lz4", "zstd"]


class ProducerSetting(Struct, frozen=True, kw_only=True):
    """Producer settings, a record size and a partition count that are measured together.

    The defaults are those of the Java producer from 4.0, by their names there.
    """

    acks: Literal["0", "1", "all"] = "all"
    linger_ms: Annotated[float, Meta(ge=0, le=60_000)] = 5
    batch_size: Annotated[int, Meta(ge=1, le=10_000_000)] = 16_384
    compression: Compression = "none"
    size: Annotated[int, Meta(ge=64, le=900_000)] = 1_000
    partitions: Annotated[int, Meta(ge=1, le=1_000)] = 3


class Trial(Struct, frozen=True, kw_only=True):
    """One repetition of one setting.

    Attributes:
        number: which of the run.
        setting: what it writes with.
        topic: where.
        rate: records a second that are asked for.
        seconds: for which it writes at most.
        records: that it writes at most.
        warm: of these, the first ones that no figure counts.
        spread: whether record n goes to partition n % partitions; otherwise the client's partitioner decides.
        drain: seconds that acknowledgements and reads may take after the last record.
    """

    number: int
    setting: ProducerSetting
    topic: str
    rate: float
    seconds: float
    records: int
    warm: int = 0
    spread: bool = False
    drain: float = 10.0


class Latency(Struct, frozen=True, kw_only=True):
    """Percentiles of so many latencies, in ms. p99.9 is None where fewer than 1,000 were counted."""

    count: int
    p50: float
    p95: float
    p99: float
    p999: float | None
    max: float


class LongestGap(Struct, frozen=True, kw_only=True):
    """One of the longest times in which one partition gave nothing new.

    Attributes:
        seconds: between two records of it that follow each other.
        partition: which.
        since: when it began, in seconds since 1970.
        open: whether it had not ended when the measurement did, so that it is longer.
    """

    seconds: float
    partition: int
    since: float
    open: bool = False


class Produced(Struct, frozen=True, kw_only=True):
    """What the producer saw of one trial.

    Attributes:
        sent, acknowledged: records.
        failed: the numbers of those that were not acknowledged.
        errors: reason -> records that were refused for it.
        ran: seconds in which records were sent.
        seconds: in which the counted records were sent and acknowledged.
        rate: counted records that were acknowledged a second.
        latency: from when a record was due until it was acknowledged.
        gaps: of acknowledgements, the longest first; none without `spread`.
        held: seconds in which the producer's buffer was full.
        late: p99 in ms by which the client itself sent records later than they were due.
        thread: share of one processor that the thread which writes used.
        machine: share of all processors of this machine that were busy; None: not known.
        wire: bytes that were sent to brokers, with their requests' headers; None: not known.
    """

    sent: int
    acknowledged: int
    failed: list[int] = []
    errors: dict[str, int] = {}
    ran: float
    seconds: float
    rate: float
    latency: Latency | None
    gaps: list[LongestGap] = []
    held: float = 0.0
    late: float = 0.0
    thread: float = 0.0
    machine: float | None = None
    wire: int | None = None


class Consumed(Struct, frozen=True, kw_only=True):
    """What the consumer saw of one trial.

    Attributes:
        records: different ones.
        missing: numbers of sent records that it did not see.
        duplicates: records that it saw again.
        disorder: records that came after one with a higher number of the same partition.
        elections: changes of a partition's leader epoch between two records: usually another leader each time.
        latency: from when a record was due until the consumer had it.
        gaps: of records, the longest first; none without `spread`.
        thread: share of one processor that the thread which reads used.
        whole: whether all partitions were read to their ends, so that what is missing is not there.
        fault: why something could not be read; "" if all could.
    """

    records: int
    missing: list[int] = []
    whole: bool = True
    fault: str = ""
    duplicates: int = 0
    disorder: int = 0
    elections: int = 0
    latency: Latency | None
    gaps: list[LongestGap] = []
    thread: float = 0.0


class Repetition(Struct, frozen=True, kw_only=True):
    """What both sides saw of one trial; `why` says what is missing of it."""

    trial: Trial
    written: Produced | None = None
    read: Consumed | None = None
    why: str = ""

    def lost(self) -> list[int] | None:
        """The numbers of records that were acknowledged and not read; None: not known."""
        if self.written is None or self.read is None or not self.read.whole:
            return None
        failed = set(self.written.failed)
        return [number for number in self.read.missing if number not in failed]


class Measurement(Struct, frozen=True, kw_only=True):
    """A run of `runbook measure`.

    Attributes:
        id: of the run, as in the names of its topics.
        at: when it began.
        environment, cluster: what was measured.
        tool: the version of this tool; `client` that of librdkafka.
        copies: of each partition; `insisted` whether two had to be in sync for acks=all.
        repetitions: in the order in which they ran.
        interrupted: why not all of them ran; "" if they did.
        swept: topics of earlier runs that were removed; `standing` those that another run may still use.
        left: topics that could not be removed.
    """

    id: str
    at: str
    environment: str
    cluster: str = ""
    tool: str = ""
    client: str = ""
    copies: int = 0
    insisted: bool = False
    repetitions: list[Repetition] = []
    interrupted: str = ""
    swept: list[str] = []
    standing: list[str] = []
    left: list[str] = []
