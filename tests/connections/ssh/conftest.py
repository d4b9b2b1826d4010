"""Hosts behind a real sshd."""

from collections.abc import Iterator

import pytest

from runbook.connections.ssh import Hosts, connect
from support.ssh_server import LACKING, Server, patient, running_sshd


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if LACKING:
        pytest.skip(LACKING)
    with running_sshd(tmp_path_factory.mktemp("sshd")) as running:
        yield running


@pytest.fixture
def hosts(server: Server) -> Iterator[Hosts]:
    found = connect(server.settings(), patient())
    yield found
    found.close()
