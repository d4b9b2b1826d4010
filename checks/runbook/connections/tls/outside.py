"""All endpoints of an environment, looked at side by side, each once."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from runbook.answers.tls import NOBODY, Certificate, Endpoint, OfferedTls
from runbook.connections._memory import Memory
from runbook.connections.tls import learning
from runbook.connections.tls.chain import described, load, whole_chain
from runbook.connections.tls.look import look
from runbook.connections.tls.settings import authorities, given_endpoints
from runbook.connections.tls.web import status_for_anybody
from runbook.model.errors import CannotLook, Misconfigured
from runbook.model.fact import Gap
from runbook.model.probe import Deadline
from runbook.recording.pool import Pool
from runbook.recording.question import question

WEB: Final = ("jolokia", "prometheus", "schema_registry", "connect")
"""The connections of the inventory that are asked over HTTP."""

_AT_ONCE = 16  # endpoints side by side; our judgement

Seen = list[tuple[Endpoint, OfferedTls]]


def merged(found: Iterable[Endpoint]) -> list[Endpoint]:
    """Each address once, with all its origins; whose it is, the first tells that knows."""
    by_address: dict[str, Endpoint] = {}
    for endpoint in found:
        before = by_address.get(endpoint.address)
        if before is None:
            by_address[endpoint.address] = endpoint
            continue
        known = before if before.broker != NOBODY else endpoint
        origins = tuple(dict.fromkeys((*before.origins, *endpoint.origins)))
        by_address[endpoint.address] = replace(before, broker=known.broker, listener=known.listener, origins=origins)
    return list(by_address.values())


class Outside:
    """What can be seen of an environment by whoever can reach its ports."""

    def __init__(self, settings: Mapping[str, Any], clock: Deadline) -> None:
        """Prepare; nothing is sent.

        Raises:
            Misconfigured: the settings can't be used.
        """
        self._given = given_endpoints(settings)
        self._settings = settings
        self.clock = clock
        self._memory = Memory()
        self.authorities = authorities(settings, clock)

    def close(self) -> None:
        """Nothing stays open."""

    def endpoints(self) -> tuple[list[Endpoint], list[Gap]]:
        """Every endpoint that is given or can be learned, and what keeps others from being known.

        Raises:
            Misconfigured: there is none, nor anything to learn of one from.
        """
        return self._memory.once("endpoints", self._endpoints)

    def _endpoints(self) -> tuple[list[Endpoint], list[Gap]]:
        found = list(self._given)
        gaps: list[Gap] = []
        if kafka := self._settings.get("kafka"):
            learned, gaps = learning.of_kafka(kafka, self.clock)
            found += learned
        for name in WEB:
            found += learning.of_web(name, self._settings.get(name) or {})
        found += learning.of_zookeeper(self._settings.get("zookeeper") or {})
        if not found and not self._settings.get("kafka"):
            raise Misconfigured("tls needs `endpoints`, as in [registry.example:8081], or a kafka connection beside it")
        return merged(found), gaps

    def web_statuses(self) -> list[tuple[str, str, str, int | CannotLook]]:
        """For each address that HTTP connections are given: whose, which owner, the address, what anybody gets."""
        known = [
            (name, owner, url)
            for name in WEB
            for owner, url in learning.web_addresses(name, self._settings.get(name) or {})
        ]

        def ask(one: tuple[str, str, str]) -> int | CannotLook:
            try:
                return self._status(one[2])
            except CannotLook as error:
                return error

        with Pool(_AT_ONCE, thread_name_prefix="web") as pool:
            return [(*entry, status) for entry, status in zip(known, pool.map(ask, known), strict=True)]

    @question("HTTP status")
    def _status(self, url: str) -> int:
        return status_for_anybody(url, self.clock.request())

    def looks(self) -> tuple[Seen, list[Gap]]:
        """What each endpoint offers, and a gap for each that could not be looked at, in whole or in part."""
        return self._memory.once("looks", self._looks)

    def _looks(self) -> tuple[Seen, list[Gap]]:
        endpoints, gaps = self.endpoints()
        gaps = list(gaps)
        seen: Seen = []
        with Pool(_AT_ONCE, thread_name_prefix="tls") as pool:
            for endpoint, answer in zip(endpoints, pool.map(self._look, endpoints), strict=True):
                keys: dict[str, str | int] = {"endpoint": endpoint.address}
                if isinstance(answer, CannotLook):
                    gaps.append(Gap.of(answer, keys, f"{endpoint.label} {answer}"))
                    continue
                seen.append((endpoint, answer))
                gaps += [Gap(f"{endpoint.label}: {reason}", keys) for reason in answer.open]
        return seen, gaps

    def certificates(self, offered: OfferedTls) -> tuple[list[Certificate], list[Certificate]]:
        """The certificates that an endpoint shows, and those that complete the chain to an authority.

        Raises:
            Garbled: one of them can't be read.
        """
        shown = load(offered.chain)
        whole = whole_chain(shown, self.authorities)[0] if shown and self.authorities else []
        others = [certificate for certificate in whole if certificate not in shown]
        return [described(certificate) for certificate in shown], [described(certificate) for certificate in others]

    def trust(self, offered: OfferedTls) -> tuple[bool | None, str | None]:
        """Whether they lead to an authority that clients trust, and why not; both None where none is named.

        Raises:
            Garbled: one of them can't be read.
        """
        if self.authorities is None or not offered.chain:
            return None, None
        whole, distrust = whole_chain(load(offered.chain), self.authorities)
        # An empty chain was tried, and leads to no authority.
        return bool(whole), distrust

    def _look(self, endpoint: Endpoint) -> OfferedTls | CannotLook:
        try:
            return look(endpoint, self.clock)
        except CannotLook as error:
            return error
