"""The Kafka connection over both client libraries, and over the one left where a setting keeps the other out."""

from typing import Final

import pytest

LIBRDKAFKA_ALONE: Final = {"ssl.curves.list": "X25519"}
"""A setting that changes nothing over plain text, and that kafka-python has no equal for."""

BY_LIBRARY: Final = pytest.mark.parametrize("more", [{}, LIBRDKAFKA_ALONE], ids=["both libraries", "librdkafka alone"])
"""With the settings that choose the libraries as `more`."""
