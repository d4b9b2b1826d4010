"""Vulnerabilities of Kafka's brokers that Apache has published, and which releases have them.

Sources, as they were on AS_OF: the advisories of the Apache Software Foundation for Kafka
(https://security.apache.org/projects/kafka/, the CVE records that its project publishes) and Kafka's own list
(https://kafka.apache.org/community/cve-list/). Where both give versions they agree, or the records are the finer ones.

Left out, as they are none of the broker's or as a release says nothing about them:

- of clients or Connect: CVE-2026-35554, CVE-2025-27817, CVE-2024-31141, CVE-2023-25194, CVE-2021-38153, CVE-2019-12399;
- of Log4j 1 under brokers up to 3.9, "all versions", and only with an appender that nobody configures by chance:
  CVE-2022-23302, CVE-2022-23305, CVE-2022-23307, CVE-2021-4104;
- CVE-2026-41115, 4.0.0 to 4.3.0: the broker is right and the documentation was wrong, so no release mends it; who has
  Describe on a group sees its members.
"""

import re
from typing import Final, Literal

from msgspec import Struct

from runbook.formats.release_numbers import numbers

AS_OF: Final = "2026-06-02"
"""Date of the youngest entry of the sources when the table was made."""

Verdict = Literal["affected", "not affected", "unknown"]
_RELEASE = re.compile(r"[0-9]+(\.[0-9]+){1,3}")


class Advisory(Struct, frozen=True):
    """One vulnerability.

    Attributes:
        cve: its number.
        ranges: first and last release that has it.
        fixed: the first releases without it.
        what: what somebody can do.
        only: on what it depends besides the release; "" for nothing.
    """

    cve: str
    ranges: tuple[tuple[str, str], ...]
    fixed: str
    what: str
    only: str = ""

    def verdict(self, version: str) -> Verdict:
        """Say whether a release has it. Of a line of releases (3.9) it is said only where it holds for all of them."""
        if not _RELEASE.fullmatch(version):
            return "unknown"
        asked = numbers(version)
        spans = [(numbers(first), numbers(last)) for first, last in self.ranges]
        if len(asked) > 2:  # noqa: PLR2004 - a release has three parts or four, a line of releases two
            return "affected" if any(first <= asked <= last for first, last in spans) else "not affected"
        if any(first <= (*asked, 0) and last[:2] > asked for first, last in spans):
            return "affected"
        touched = any(first[:2] <= asked <= last[:2] for first, last in spans)
        return "unknown" if touched else "not affected"


ADVISORIES: Final = (
    Advisory(
        "CVE-2026-33557",
        (("4.1.0", "4.1.1"),),
        "4.1.2, 4.2.0",
        "log in as any user with an unsigned token",
        "a listener with OAUTHBEARER and the default validator",
    ),
    Advisory(
        "CVE-2026-33558",
        (("0.11.0", "3.9.1"), ("4.0.0", "4.0.0")),
        "3.9.2, 4.0.1",
        "read credentials in the log",
        "NetworkClient logs at DEBUG",
    ),
    Advisory(
        "CVE-2025-27819",
        (("2.0.0", "3.3.2"),),
        "3.9.1, 4.0.0",
        "run code in a broker by a login module that looks names up",
        "who has AlterConfigs on the cluster",
    ),
    Advisory(
        "CVE-2025-27818",
        (("2.3.0", "3.9.0"),),
        "3.9.1, 4.0.0",
        "run code by a login module that asks LDAP",
        "who has AlterConfigs on the cluster, or may make connectors",
    ),
    Advisory(
        "CVE-2024-56128",
        (("0.10.2.0", "3.7.1"), ("3.8.0", "3.8.0")),
        "3.7.2, 3.8.1, 3.9.0",
        "replay a SCRAM login that was overheard",
        "SCRAM without TLS",
    ),
    Advisory(
        "CVE-2024-27309",
        (("3.5.0", "3.5.2"), ("3.6.0", "3.6.1")),
        "3.6.2",
        "get past ACLs, as some are not enforced",
        "while a cluster migrates from ZooKeeper to KRaft",
    ),
    Advisory(
        "CVE-2023-34455",
        (("0.8.0", "3.5.0"),),
        "3.5.1",
        "exhaust a broker's memory by one record compressed with Snappy",
        "who may produce",
    ),
    Advisory(
        "CVE-2022-34917",
        (("2.8.0", "2.8.1"), ("3.0.0", "3.0.1"), ("3.1.0", "3.1.1"), ("3.2.0", "3.2.1")),
        "2.8.2, 3.0.2, 3.1.2, 3.2.3",
        "exhaust a broker's memory without a login",
    ),
    Advisory(
        "CVE-2018-17196",
        (("0.11.0.0", "2.1.0"),),
        "2.1.1",
        "get past ACLs of transactional ids",
        "who may write to the topic",
    ),
    Advisory(
        "CVE-2018-1288",
        (("0.9.0.0", "0.9.0.1"), ("0.10.0.0", "0.10.2.1"), ("0.11.0.0", "0.11.0.2"), ("1.0.0", "1.0.0")),
        "0.10.2.2, 0.11.0.3, 1.0.1, 1.1.0",
        "disturb replication and lose data",
        "who is logged in",
    ),
    Advisory(
        "CVE-2017-12610",
        (("0.10.0.0", "0.10.2.1"), ("0.11.0.0", "0.11.0.1")),
        "0.10.2.2, 0.11.0.2, 1.0.0",
        "act as another user",
        "who is logged in by PLAIN or SCRAM",
    ),
)
"""The newest first."""
