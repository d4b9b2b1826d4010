"""What Kafka's Java clients measure in the JVMs of applications, and MirrorMaker in those of Connect."""

from runbook.engine.column import Column
from runbook.formats.metrics.metric import Group, Metric

_CLIENT = Column("client", "string", "client.id.", key=True)


def _number(name: str, attribute: str, unit: str, says: str, bean: str) -> Metric:
    return Metric(Column(name, "float", says, unit=unit), bean, attribute)


_PRODUCER = "kafka.producer:type=producer-metrics,client-id=*"
_CONSUMER = "kafka.consumer:type={},client-id=*"
_THREAD, _FETCH, _GROUP = (
    _CONSUMER.format(kind)
    for kind in ("consumer-metrics", "consumer-fetch-manager-metrics", "consumer-coordinator-metrics")
)
_SENDS = _number("io_ratio", "io-ratio", "ratio", "Share of its I/O thread's time spent in I/O.", _PRODUCER)
_READS = _number("io_ratio", "io-ratio", "ratio", "Share of its thread's time spent in I/O.", _THREAD)

PRODUCER = Group(
    keys=(_CLIENT,),
    metrics=(
        _SENDS,
        _number("io_wait_ratio", "io-wait-ratio", "ratio", "Share of its I/O thread's time spent waiting.", _PRODUCER),
        _number("batch_size", "batch-size-avg", "bytes", "Mean bytes for one partition in a request.", _PRODUCER),
        _number(
            "compression_ratio",
            "compression-rate-avg",
            "ratio",
            "Mean size of a batch compressed, over its size before: the smaller the better, 1 is none.",
            _PRODUCER,
        ),
        _number("latency", "request-latency-avg", "ms", "Mean time of a request.", _PRODUCER),
        _number("errors", "record-error-rate", "records per second", "Records that were given up.", _PRODUCER),
    ),
    nowhere="none of the applications that were asked has a Java producer",
    proof=(_READS,),
)

CONSUMER = Group(
    keys=(_CLIENT,),
    metrics=(
        _READS,
        _number("io_wait_ratio", "io-wait-ratio", "ratio", "Share of its thread's time spent waiting.", _THREAD),
        _number("fetch_latency", "fetch-latency-avg", "ms", "Mean time of a fetch.", _FETCH),
        _number("fetch_latency_max", "fetch-latency-max", "ms", "Longest fetch of late.", _FETCH),
        _number("fetch_rate", "fetch-rate", "fetches per second", "Fetches of late.", _FETCH),
        _number("fetch_size", "fetch-size-avg", "bytes", "Mean bytes a fetch brings.", _FETCH),
        _number("fetch_size_max", "fetch-size-max", "bytes", "Most bytes a fetch brought of late.", _FETCH),
        _number("max_lag", "records-lag-max", "records", "How far it is behind at most.", _FETCH),
        _number("rebalances", "rebalance-rate-per-hour", "rebalances per hour", "Of its group.", _GROUP),
        _number("failed_rebalances", "failed-rebalance-rate-per-hour", "rebalances per hour", "That failed.", _GROUP),
    ),
    nowhere="none of the applications that were asked has a Java consumer",
    proof=(_SENDS,),
)

# Open, as Kafka 4 adds the key `source` (seen with 4.3); Kafka 3 does where add.source.alias.to.metrics is set.
_MIRROR = "kafka.connect.mirror:type=MirrorSourceConnector,target=*,topic=*,partition=*,*"
MIRROR = Group(
    keys=(
        Column("target", "string", "Alias of the target cluster.", key=True),
        Column("topic", "string", "Topic as it is called there.", key=True, entity="topic"),
        Column("partition", "string", "Number within its topic.", key=True),
    ),
    metrics=(
        _number("record_age_ms", "record-age-ms", "ms", "Age of records when they were copied, last seen.", _MIRROR),
        _number("latency_ms", "replication-latency-ms", "ms", "From the source's timestamp to the target.", _MIRROR),
        _number("byte_rate", "byte-rate", "bytes/s", "Bytes a second that are copied, keys and values.", _MIRROR),
    ),
    nowhere="none of the applications that were asked mirrors topics",
    proof=(_SENDS, _READS),
)

_ERRORS = "kafka.connect:type=task-error-metrics,connector=*,task=*"
CONNECT_ERRORS = Group(
    keys=(
        Column("connector", "string", "The connector.", key=True, entity="connector"),
        Column("task", "string", "Number of the task.", key=True),
    ),
    metrics=(
        _number(
            "errors", "total-record-errors", "errors", "Errors it met, those among them that a retry mended.", _ERRORS
        ),
        _number("failures", "total-record-failures", "failures", "Records that it failed to process.", _ERRORS),
        _number(
            "skipped", "total-records-skipped", "records", "Records that it left out because of an error.", _ERRORS
        ),
        _number("retries", "total-retries", "retries", "Tries that it made again.", _ERRORS),
        _number("logged", "total-errors-logged", "errors", "Errors that it wrote to its log.", _ERRORS),
        _number(
            "letters", "deadletterqueue-produce-requests", "records", "Dead letters that it tried to write.", _ERRORS
        ),
        _number(
            "lost_letters", "deadletterqueue-produce-failures", "records", "Those that it could not write.", _ERRORS
        ),
        Metric(
            Column("last_error", "timestamp", "When it met the last one; 1970 if it met none."),
            _ERRORS,
            "last-error-timestamp",
        ),
    ),
    nowhere="none of the applications that were asked runs tasks of Kafka Connect",
    proof=(_SENDS, _READS),
)
