"""Both client libraries' errors as `CannotLook`: this is the one place that knows them."""

import os
import re
from collections.abc import Sequence
from socket import gaierror
from typing import Any, Final

from runbook.answers.kafka.errors import (
    AnswersTooLate,
    BadCertificate,
    CutInHandshake,
    Gone,
    HungUp,
    NoLogin,
    NotKafka,
    WantsCertificate,
    address_in,
)
from runbook.model.errors import (
    CannotLook,
    Denied,
    Garbled,
    Misconfigured,
    NoName,
    NoRoute,
    NoTls,
    NotServing,
    NotThere,
    Refused,
    TimedOut,
    Unreachable,
    Unsupported,
)
from runbook.model.gap_kind import NO_ANSWER

NO_CONNECTION = frozenset({"_TIMED_OUT", "_TIMED_OUT_QUEUE", "_TRANSPORT", "_ALL_BROKERS_DOWN"})
"""librdkafka's names for having reached nobody; the cause, if it knows one, it tells apart."""

TELLS_THE_CAUSE: Final = frozenset({"_AUTHENTICATION", "_BAD_MSG", "_SSL", "_TRANSPORT", "_RESOLVE"})
"""The names under which it tells that cause."""

_ERRNO = re.compile(r"\b(\d+) (E[A-Z]+)\b")
_OPENSSL = re.compile(
    r"(?:[\w/.]+\.c:\d+:\w+:? )?error:[0-9A-F]{8}:[^:]*::"  # as librdkafka hands it on
    r"|\[\w+: \w+\] | \(_ssl\.c:\d+\)"  # as Python does
)
_LIBRDKAFKA_SAYS = re.compile(r"^(?:\w+://)?([^/\s]+)/\S+: (.*?)(?: \(after .*\))?$")


def from_librdkafka(error: Any, subject: str, *, heard: str = "", right: str = "") -> CannotLook:
    """Turn a `KafkaError` of confluent-kafka into ours.

    Args:
        error: the library's error.
        subject: who was asked, as a sentence begins: `broker 2 (10.0.0.2:9092)`.
        heard: what the library had said about its connections before, if anything; it holds the cause of
            time-outs and of "all brokers down".
        right: what Kafka wants for this question, named when it refuses.
    """
    name = str(error.name())
    if heard and name in NO_CONNECTION:
        return from_words(heard, subject)
    text = str(error.str())
    if cut := _cut_short(text, subject):
        return cut
    kind = _LIBRDKAFKA.get(name)
    if kind is None:
        return _from_name(name, subject, text, right)
    meant = kind(_sentence(subject, name, text))
    meant.at = address_in(subject)
    return meant


def from_kafka_python(error: BaseException, subject: str) -> CannotLook:
    """Turn an exception of kafka-python, or of the sockets below it, into ours."""
    from kafka import errors

    text = " ".join(str(part) for part in error.args)
    if isinstance(error, (errors.RequestTimedOutError, errors.KafkaTimeoutError, TimeoutError)):
        return TimedOut(f"{subject} did not answer in its time")
    if isinstance(error, errors.UnsupportedVersionError):
        return Unsupported(f"{subject} is of a version that does not know this request")
    if isinstance(error, errors.BrokerResponseError):
        return _from_name(str(error.message), subject, text)
    if isinstance(error, (errors.KafkaConnectionError, errors.NodeNotReadyError, OSError)):
        return from_words("failed to resolve" if isinstance(error, gaierror) else text, subject)
    return NotKafka(f"{subject} did not answer in Kafka's protocol: {type(error).__name__} {text}".rstrip())


_HELD: Final = (
    ", and brokers throttle our requests by a client quota: see kafka-configs.sh --describe --entity-type clients"
)


def reason_of(error: BaseException, subject: str, seconds: float, *, held: bool = False) -> CannotLook:
    """What kept kafka-python from an answer, as ours; it had so many seconds."""
    if isinstance(error, CannotLook):
        return error
    reason = from_kafka_python(error, subject)
    return silence(subject, seconds, held=held) if isinstance(reason, TimedOut) else reason


def from_code(code: int, subject: str, *, message: str | None = None, right: str = "") -> CannotLook:
    """Turn an error code out of a response into ours; see `from_librdkafka`."""
    from kafka import errors

    found = errors.for_code(code)
    return _from_name(str(found.message), subject, message or "", right)


def from_words(text: str, subject: str) -> CannotLook:
    """Turn a failure of the connection that the libraries tell in words only into ours."""
    if said := _LIBRDKAFKA_SAYS.match(text):
        subject, text = said[1], said[2]
    if meant := _cut_short(text, subject) or _first(_IN_WORDS, text, subject):
        return meant
    found = _ERRNO.search(text)
    reason = os.strerror(int(found[1])).lower() if found else text or "the connection was closed"
    return Unreachable(f"{subject} can't be reached: {reason}")


def said_of(heard: Sequence[str], address: str) -> list[str]:
    """What librdkafka said about its connections to one address: others' failures explain nothing of it."""
    return [line for line in heard if (said := _LIBRDKAFKA_SAYS.match(line)) and said[1] == address]


def plainly(text: str) -> str:
    """What OpenSSL says, without the numbers and the places in its source."""
    return _OPENSSL.sub("", text)


def silence(subject: str, seconds: float, *, held: bool = False) -> TimedOut:
    """Say that someone kept silent for that long, and whether brokers held us back by a quota meanwhile."""
    return TimedOut(f"{subject} did not answer in {seconds:.1f} s{_HELD if held else ''}", seconds)


def none_of(reasons: Sequence[CannotLook]) -> CannotLook:
    """Say that no bootstrap server answers; what any of them answered decides the kind, and else all alike."""
    kinds = {type(reason) for reason in reasons}
    kind = kinds.pop() if len(kinds) == 1 else Unreachable
    made = kind("no bootstrap server answers: " + "; ".join(map(str, reasons)))
    answered = [reason.kind for reason in reasons if reason.kind not in NO_ANSWER]
    made.kind = next(iter(answered), made.kind)
    made.waited = max(reason.waited for reason in reasons)
    return made


def none_after_bootstrap() -> Unreachable:
    """Say that a bootstrap server told its cluster, and then no broker of it answered another connection of ours."""
    return Unreachable(
        "a bootstrap server answered, then no broker did: see whether advertised.listeners lead here, and whether a "
        "quota limits our connections or requests (kafka-configs.sh --describe --entity-type ips, clients or users)"
    )


def _sentence(subject: str, name: str, text: str) -> str:
    return f"{subject} {_WORDS.get(name, f'answered {name}')}" + (f": {text}" if text else "")


def _from_name(name: str, subject: str, text: str, right: str = "") -> CannotLook:
    """Map an error code of the Kafka protocol, which both libraries spell alike."""
    if name.endswith("_AUTHORIZATION_FAILED"):
        return Denied(f"{subject} does not let us look: {f'it needs {right}' if right else name}", right)
    kind = _PROTOCOL.get(name, Garbled)
    return kind(_sentence(subject, name, text))


def _cut_short(text: str, subject: str) -> CannotLook | None:
    """A connection that ended while TLS or the login was under way, which proves nothing about either."""
    return _first(_CUT_SHORT, text, subject)


def _first(meanings: Sequence[tuple[str, type[CannotLook], str]], text: str, subject: str) -> CannotLook | None:
    lower = text.lower()
    for pattern, kind, sentence in meanings:
        if re.search(pattern, lower):
            meant = kind(f"{subject} {sentence}".format(text=plainly(text)))
            meant.at = address_in(subject)
            return meant
    return None


_CUT_SHORT: tuple[tuple[str, type[CannotLook], str], ...] = (
    (
        r"ssl connection closed by peer|unexpected_eof_while_reading|ssl handshake failed: .*connection (reset|closed)",
        CutInHandshake,
        "can't be reached over TLS: the connection was closed in the handshake, by a port without TLS or on the way",
    ),
    (r"\bsasl.*local: timed out", TimedOut, "did not answer in its time, in the midst of the login"),
    (r"\bsasl.*local: ", HungUp, "can't be reached: the connection was closed in the midst of the login"),
)
"""As the next; librdkafka calls what is its own finding, and no broker's answer, local."""

_IN_WORDS: tuple[tuple[str, type[CannotLook], str], ...] = (
    (r"not valid in current sasl state", NoLogin, "has no login, and our settings name one"),
    (r"\bsasl\b|authentication failed", NoLogin, "did not accept our credentials: {text}"),
    (r"dns resolution|failed to resolve", NoName, "can't be reached: its name does not resolve"),
    (
        r"alert (bad certificate|certificate required)",
        WantsCertificate,
        "wants a certificate of ours that it trusts: see ssl.certificate.location and ssl.key.location ({text})",
    ),
    (
        r"broker certificate could not be verified|error:0a000086:",
        BadCertificate,
        "can't be reached over TLS: its certificate ended, is for another name, or of no authority in ssl.ca.location",
    ),
    (r"certificate verify failed", BadCertificate, "can't be reached over TLS: {text}"),
    (r"handshake failed|certificate|\bssl\b|\btls\b", NoTls, "can't be reached over TLS: {text}"),
    (r"econnrefused|connection refused", Refused, "can't be reached: connection refused"),
    (r"ehostunreach|no route to host", NoRoute, "can't be reached: no route to host"),
    (r"enetunreach|network is unreachable", NoRoute, "can't be reached: network is unreachable"),
    (r"invalid response size", NotKafka, "did not answer in Kafka's protocol: {text}"),
    (r"timed out|timeout", TimedOut, "did not answer in its time: {text}"),
    (r"econnreset|connection reset", HungUp, "can't be reached: connection reset by peer"),
    (r"disconnected|broken pipe", HungUp, "can't be reached: it closed the connection without a usable answer"),
)
"""What the words of a failure mean; the first pattern that matches decides.

OpenSSL's number 0A000086 is that of a certificate that is not believed. librdkafka hands it on without its own words
where the broker's answer is there already as the handshake begins (`rd_kafka_transport_ssl_connect`): under load, seen
in 6 of 300.
"""

_LIBRDKAFKA: dict[str, type[CannotLook]] = {
    "_TIMED_OUT": TimedOut,
    "_TIMED_OUT_QUEUE": TimedOut,
    "_TRANSPORT": Unreachable,
    "_ALL_BROKERS_DOWN": Unreachable,
    "_RESOLVE": NoName,
    "_SSL": NoTls,
    "_AUTHENTICATION": NoLogin,
    "_INVALID_ARG": Misconfigured,
    "_UNSUPPORTED_FEATURE": Unsupported,
    "_BAD_MSG": NotKafka,
}
_PROTOCOL: dict[str, type[CannotLook]] = {
    "UNSUPPORTED_VERSION": Unsupported,
    "GROUP_ID_NOT_FOUND": NotThere,
    "UNKNOWN_TOPIC_OR_PART": Gone,  # librdkafka's name of the next
    "UNKNOWN_TOPIC_OR_PARTITION": Gone,
    "SASL_AUTHENTICATION_FAILED": NoLogin,
    "UNSUPPORTED_SASL_MECHANISM": NoLogin,
    "ILLEGAL_SASL_STATE": NoLogin,
    "SECURITY_DISABLED": Denied,
    "REQUEST_TIMED_OUT": AnswersTooLate,
    "BROKER_NOT_AVAILABLE": NotServing,
    "COORDINATOR_NOT_AVAILABLE": NotServing,
    "COORDINATOR_LOAD_IN_PROGRESS": NotServing,
    "NOT_COORDINATOR": NotServing,
    "NOT_CONTROLLER": NotServing,
    "LEADER_NOT_AVAILABLE": NotServing,
    "NETWORK_EXCEPTION": NotServing,
}
_WORDS = {
    "_TIMED_OUT": "did not answer in its time",
    "_TIMED_OUT_QUEUE": "did not answer in its time",
    "_TRANSPORT": "can't be reached",
    "_ALL_BROKERS_DOWN": "can't be reached",
    "_RESOLVE": "can't be reached: its name does not resolve",
    "_SSL": "can't be reached over TLS",
    "_AUTHENTICATION": "did not accept our credentials",
    "UNKNOWN_TOPIC_OR_PART": "is not there",
    "UNKNOWN_TOPIC_OR_PARTITION": "is not there",
    "UNKNOWN": "was not told: the broker failed on the request (UNKNOWN_SERVER_ERROR), and its log has the exception",
    "_INVALID_ARG": "can't be asked with these settings",
    "SASL_AUTHENTICATION_FAILED": "did not accept our credentials",
    "UNSUPPORTED_SASL_MECHANISM": "does not offer the SASL mechanism of our settings",
    "SECURITY_DISABLED": "has no authorizer",
    "COORDINATOR_LOAD_IN_PROGRESS": "is still loading its groups",
}
