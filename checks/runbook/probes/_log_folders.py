"""Where a Java process of Kafka says that it logs to."""

import re

from runbook.answers.ssh.processes import JavaProcess

_OPTION = re.compile(r"-Dkafka\.logs\.dir=(/.*)")


def log_folder(process: JavaProcess) -> str:
    """The folder that its command line names (-Dkafka.logs.dir, as Kafka's scripts do); "" if it names none."""
    named = [found[1] for word in process.argv if (found := _OPTION.fullmatch(word))]
    return named[-1] if named else ""
