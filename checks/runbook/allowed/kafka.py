"""Kafka clients: each property of librdkafka is allowed here, or refused with its reason.

The two lists hold every property that the library knows (a test reads its own list), so that what a newer one brings
is refused until somebody has looked at it. kafka-python gets its options of us alone (`connections.kafka.properties`).
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from runbook.model.errors import did_you_mean, nearest
from runbook.parse.allowed import Refusal
from runbook.safety.secret import is_reference, is_secret


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WHERE: Final = _names("""
    bootstrap.servers metadata.broker.list client.id client.rack client.dns.lookup broker.address.family
    broker.address.ttl socket.timeout.ms socket.connection.setup.timeout.ms socket.send.buffer.bytes
    socket.receive.buffer.bytes socket.keepalive.enable socket.nagle.disable socket.max.fails
    socket.blocking.max.ms connections.max.idle.ms reconnect.backoff.ms reconnect.backoff.max.ms
    reconnect.backoff.jitter.ms retry.backoff.ms retry.backoff.max.ms request.timeout.ms api.version.request
    api.version.request.timeout.ms api.version.fallback.ms broker.version.fallback metadata.max.age.ms
    metadata.recovery.strategy metadata.recovery.rebootstrap.trigger.ms topic.metadata.refresh.interval.ms
    topic.metadata.refresh.fast.interval.ms topic.metadata.refresh.fast.cnt topic.metadata.refresh.sparse
    topic.metadata.propagation.max.ms topic.blacklist allow.auto.create.topics enable.metrics.push
    enable.random.seed log_level log.connection.close log.thread.name
""")
_WHO: Final = _names("""
    security.protocol ssl.ca.location ssl.ca.pem ssl.ca.certificate.stores ssl.crl.location
    ssl.certificate.location ssl.certificate.pem ssl.key.location ssl.key.pem ssl.key.password
    ssl.keystore.location ssl.keystore.password ssl.cipher.suites ssl.curves.list ssl.sigalgs.list
    ssl.endpoint.identification.algorithm enable.ssl.certificate.verification https.ca.location https.ca.pem
    sasl.mechanism sasl.mechanisms sasl.username sasl.password sasl.kerberos.service.name
    sasl.oauthbearer.config sasl.oauthbearer.method sasl.oauthbearer.client.id sasl.oauthbearer.client.secret
    sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.client.credentials.client.secret
    sasl.oauthbearer.scope sasl.oauthbearer.extensions sasl.oauthbearer.token.endpoint.url
    sasl.oauthbearer.sub.claim.name sasl.oauthbearer.grant.type sasl.oauthbearer.metadata.authentication.type
    sasl.oauthbearer.assertion.algorithm sasl.oauthbearer.assertion.private.key.file
    sasl.oauthbearer.assertion.private.key.passphrase sasl.oauthbearer.assertion.private.key.pem
    sasl.oauthbearer.assertion.file sasl.oauthbearer.assertion.jwt.template.file
    sasl.oauthbearer.assertion.claim.aud sasl.oauthbearer.assertion.claim.exp.seconds
    sasl.oauthbearer.assertion.claim.iss sasl.oauthbearer.assertion.claim.jti.include
    sasl.oauthbearer.assertion.claim.nbf.seconds sasl.oauthbearer.assertion.claim.sub
""")
_HOW_MUCH: Final = _names("""
    acks request.required.acks enable.idempotence linger.ms queue.buffering.max.ms queue.buffering.max.messages
    queue.buffering.max.kbytes queue.buffering.backpressure.threshold retries message.send.max.retries
    message.timeout.ms delivery.timeout.ms message.max.bytes message.copy.max.bytes max.in.flight
    max.in.flight.requests.per.connection batch.size batch.num.messages compression.codec compression.type
    compression.level partitioner sticky.partitioning.linger.ms delivery.report.only.error produce.offset.report
    queuing.strategy enable.gapless.guarantee receive.message.max.bytes fetch.wait.max.ms fetch.queue.backoff.ms
    fetch.message.max.bytes max.partition.fetch.bytes fetch.max.bytes fetch.min.bytes fetch.error.backoff.ms
    queued.min.messages queued.max.messages.kbytes isolation.level check.crcs auto.offset.reset
    enable.partition.eof
""")
ALLOWED: Final = _WHERE | _WHO | _HOW_MUCH
"""Properties that say what is reached in which time, who we are and whether it is the right broker, and how much."""

_CODE = "it names code that the client library would load or run"
_SHELL = "it goes into a shell command that the client library runs; get a ticket by kinit before instead"
_POINTER = "it is a function or an object of a program, which no file can give"
_GROUP = "no consumer group is joined here, and no offset committed"
_WRITES = "the client library would write a file by it"
_UNUSED = "what the client library would report by it is not read here"

REFUSED: Final = {
    **dict.fromkeys(
        ("plugin.library.paths", "ssl.engine.location", "ssl.engine.id", "ssl.providers", "interceptors"), _CODE
    ),
    **dict.fromkeys(("sasl.kerberos.kinit.cmd", "sasl.kerberos.keytab", "sasl.kerberos.principal"), _SHELL),
    "sasl.kerberos.min.time.before.relogin": _SHELL,
    **dict.fromkeys(
        _names("""
            background_event_cb closesocket_cb connect_cb consume_cb default_topic_conf dr_cb dr_msg_cb
            error_cb log_cb log.queue msg_order_cmp oauthbearer_token_refresh_cb offset_commit_cb opaque
            open_cb partitioner_cb rebalance_cb resolve_cb socket_cb ssl.certificate.verify_cb ssl_ca
            ssl_certificate ssl_engine_callback_data ssl_key stats_cb throttle_cb enabled_events
        """),
        _POINTER,
    ),
    **dict.fromkeys(
        _names("""
            group.id group.instance.id group.protocol group.protocol.type group.remote.assignor
            partition.assignment.strategy session.timeout.ms heartbeat.interval.ms
            coordinator.query.interval.ms max.poll.interval.ms max.poll.records
            share.acknowledgement.mode enable.auto.commit auto.commit.enable auto.commit.interval.ms
            enable.auto.offset.store consume.callback.max.messages
        """),
        _GROUP,
    ),
    **dict.fromkeys(("offset.store.method", "offset.store.path", "offset.store.sync.interval.ms"), _WRITES),
    **dict.fromkeys(("debug", "statistics.interval.ms", "builtin.features"), _UNUSED),
    "transactional.id": "it would end the transactions of the application whose it is",
    "transaction.timeout.ms": "nothing is written in transactions here",
    "internal.termination.signal": "it would send signals to this process",
    "enable.sasl.oauthbearer.unsecure.jwt": "it makes up unsigned tokens",
}
"""Properties that no file may set, and why."""


_LOGIN: Final = "that is a Java client's; write sasl.username: and sasl.password: {env: NAME}"
_STORE: Final = "that is a Java client's; write ssl.ca.location: and a PEM file of the authorities that are trusted"
_UNLOCKED: Final = "leave it out: a PEM file of certificates has no password"
_OF_JAVA: Final = {
    "sasl.jaas.config": _LOGIN,
    "sasl.client.callback.handler.class": "leave it out: that is code of a Java client",
    "sasl.login.callback.handler.class": "leave it out: that is code of a Java client",
    "ssl.enabled.protocols": "leave it out: versions of TLS are not chosen here",
    "ssl.keystore.type": "leave it out: ssl.certificate.location: and ssl.key.location: are PEM files",
    "ssl.protocol": "leave it out: versions of TLS are not chosen here",
    "ssl.truststore.certificates": "that is a Java client's; write ssl.ca.pem:",
    "ssl.truststore.location": _STORE,
    "ssl.truststore.password": _UNLOCKED,
    "ssl.truststore.type": "leave it out: the file of ssl.ca.location: is PEM",
}
"""Settings of Java clients that librdkafka has none of by that name, and what is written here."""

_WRITTEN: Final = "write host:port, several with commas between them"
_ADDRESSES: Final = ("bootstrap.servers", "metadata.broker.list")
_ADDRESS: Final = re.compile(r"(?:[A-Za-z_]+://)?(?:\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+)(?::(\d{1,5}))?")
_PORTS: Final = range(1, 65536)
_WORDS: Final = {
    "security.protocol": ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
    "sasl.mechanism": ("GSSAPI", "OAUTHBEARER", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"),
}
"""Settings that are one of few words. Of mechanisms a newer librdkafka may know more: one like none of these stays."""


def _nearest(name: str) -> str:
    if name in _OF_JAVA:
        return _OF_JAVA[name]
    near = nearest(name, sorted(ALLOWED))
    return (
        f"did you mean {near}?" if near else "leave it out: only properties of librdkafka that are known here are set"
    )


def refused(settings: Mapping[str, Any]) -> Iterator[Refusal]:
    """What may not be set."""
    for name, value in settings.items():
        if name in REFUSED:
            yield Refusal((name,), f"{name} may not be set: {REFUSED[name]}", "leave it out")
        elif name not in ALLOWED:
            yield Refusal((name,), f'"{name}" is no setting of Kafka that is known here', _nearest(str(name)))
        elif isinstance(value, list) and not is_secret(name):  # which is told, without what it holds
            joined = ",".join(str(part) for part in value if not isinstance(part, list | dict))
            yield Refusal((name,), f"{name} is one text, joined by commas, and no list", f'write "{joined}"')
        elif isinstance(value, dict) and not is_reference(value) and not is_secret(name):  # which is told likewise
            remedy = "write its value, or where that comes from: {env: NAME}, {file: PATH}"
            yield Refusal((name,), f"{name} is one value, and no map", remedy)
        elif name in _ADDRESSES and not isinstance(value, str | dict):
            stands = "stands empty" if value is None else f"is no address: {value}"
            yield Refusal((name,), f"{name} {stands}", _WRITTEN)
        elif isinstance(value, str):
            yield from _no_value(name, value)


def _no_value(name: str, value: str) -> Iterator[Refusal]:
    """What no broker would ever be asked with."""
    if name in _ADDRESSES:
        for part in (part.strip() for part in value.split(",")):
            found = _ADDRESS.fullmatch(part)
            if part and (found is None or (found[1] and int(found[1]) not in _PORTS)):
                yield Refusal((name,), f"{name} is no address: {part}", _WRITTEN)
    word = "sasl.mechanism" if name == "sasl.mechanisms" else name
    if word in _WORDS and value.upper() not in _WORDS[word]:
        near = nearest(value, _WORDS[word])
        if near or word == "security.protocol":
            yield Refusal((name,), f"{name}: {value}", did_you_mean(value, _WORDS[word]))


def remarks(settings: Mapping[str, Any]) -> Iterator[str]:
    """What is taken, and lets somebody on the way read a login or pass for the brokers; and files that are not here."""
    values = {name: str(value).lower() for name, value in settings.items()}
    mechanism = values.get("sasl.mechanism") or values.get("sasl.mechanisms", "")
    if values.get("security.protocol") == "sasl_plaintext":
        readable = mechanism in ("plain", "oauthbearer")
        way = "can be read on the way" if readable else "can be guessed at by who sees it pass"
        yield f"security.protocol is SASL_PLAINTEXT: the login {way}, and nothing says that these are the brokers"
    if values.get("enable.ssl.certificate.verification") in _FALSE:
        yield "enable.ssl.certificate.verification is false: anybody can pass for the brokers, and gets the login"
    elif values.get("ssl.endpoint.identification.algorithm") == "none":
        yield "ssl.endpoint.identification.algorithm is none: any certificate of the authority can pass for the brokers"
    for name, value in settings.items():
        if name.endswith(".location") and isinstance(value, str) and value != "probe" and not Path(value).exists():
            yield f"{name}: there is no file {value} here"


_FALSE: Final = ("false", "f", "0")
