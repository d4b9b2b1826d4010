"""Why librdkafka does not take settings, by the setting and what is wrong with it: it tells numbers of OpenSSL."""

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.connections._local_files import from_os
from runbook.connections.kafka.errors import plainly
from runbook.model.errors import Misconfigured

_NO_FILE: Final = frozenset({"ssl.engine.location"})
_ITS_OWN_SEARCH: Final = "probe"  # by which librdkafka looks for the system's authorities itself
_OF_A_FILE: Final = re.compile(r"(ssl\.(?:ca|certificate|key|crl|keystore)\.location)\b.*?: (.*)")
_WRONG: Final[tuple[tuple[str, str, str], ...]] = (
    (r".*", "key values mismatch", "the key in {path} is not that of the certificate in ssl.certificate.location"),
    (r".*keystore.*", "mac verify failure", "{path} does not open with the password in ssl.keystore.password"),
    (r".*keystore.*", "", "{path} holds no key and certificate in PKCS#12"),
    (r".*key.*", "", "{path} holds no private key in PEM, or one that does not open with ssl.key.password"),
    (r".*crl.*", "", "{path} holds no list of revoked certificates in PEM"),
    (r".*", "", "{path} holds no certificate in PEM"),
)
"""Of a setting that names a file, and the words of OpenSSL, what is wrong; the first that fits decides."""


def refuse_missing_files(settings: Mapping[str, Any]) -> None:
    """Look whether the files that settings of TLS name can be read.

    Raises:
        Misconfigured: one can't.
    """
    for name, value in settings.items():
        if not (name.startswith("ssl.") and name.endswith(".location")) or name in _NO_FILE or value == _ITS_OWN_SEARCH:
            continue
        path = Path(str(value))
        try:
            if stat.S_ISREG(path.stat().st_mode):  # opening a pipe could wait for ever
                path.open("rb").close()
        except OSError as error:
            raise Misconfigured(f"{name}: {from_os(error, path, 'kafka')}") from None


def refused_settings(error: Exception, settings: Mapping[str, Any]) -> str:
    """Say why confluent-kafka does not take settings."""
    text = str(error.args[0].str() if error.args and hasattr(error.args[0], "str") else error)
    text = text.removeprefix("Failed to create admin client: ")
    if "No provider for SASL mechanism" in text:
        return (
            f"the librdkafka that is installed has no such SASL mechanism ({text.partition('No provider for ')[2]}): "
            "pip's wheel lacks GSSAPI. Install librdkafka-dev and SASL's module for GSSAPI, then "
            "pip install --no-binary confluent-kafka confluent-kafka; or use a listener with SCRAM or a certificate"
        )
    if of_a_file := _OF_A_FILE.search(text):
        name, words = of_a_file.groups()
        wrong = next(wrong for of, said, wrong in _WRONG if re.fullmatch(of, name) and said in words)
        return f"{name}: {wrong.format(path=settings.get(name, 'its file'))} ({plainly(words)})"
    names = "its property names are those of its CONFIGURATION.md"
    return f"librdkafka does not take these settings: {plainly(text)}; {names}"
