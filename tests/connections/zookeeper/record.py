"""Record what a lab's ZooKeeper servers answer, by word and by admin server: `record.py NAME HOME FILE`.

The lab is one with the part zookeeper. Written are the answers as they came, by server and question; of a server that
does not answer there are none. Of the metrics those are left out that sum up many others and that nobody reads.
"""

import contextlib
import json
import re
import sys
import urllib.request
from pathlib import Path

from kafka_lab.state import known
from kafka_lab.zookeeper import servers_of
from runbook.answers.zookeeper import MONITOR, QUESTIONS
from runbook.connections.zookeeper.words import ask
from runbook.formats.zookeeper import ServerAddress
from runbook.model.errors import CannotLook

_SUMMARY = re.compile(r'\s*"?(zk_)?((sum|cnt|min|p\d+)_|max_(?!latency|file)|avg_(?!latency|fsynctime))')


def cut(answer: str) -> str:
    """A list of metrics, one a line, without most summaries of what took how long."""
    return "".join(line for line in answer.splitlines(keepends=True) if not _SUMMARY.match(line))


def record(name: str, home: Path) -> dict[str, dict[str, str]]:
    """The answers, by server and by word or command."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answers: dict[str, dict[str, str]] = {}
    for server in servers_of(known(name, home)):
        texts = answers.setdefault(server.name, {})
        for question in QUESTIONS:
            with contextlib.suppress(CannotLook):
                place = ServerAddress(server.name, "127.0.0.1", server.port)
                answer = ask(place, question.word, None, 10.0)
                texts[question.word] = cut(answer) if question is MONITOR else answer
            for command in question.commands:
                url = f"http://127.0.0.1:{server.admin_port}/commands/{command}"
                with contextlib.suppress(OSError), opener.open(url, timeout=10) as answer:
                    text = answer.read().decode()
                    texts[command] = cut(text) if question is MONITOR else text
    return answers


if __name__ == "__main__":
    recorded = json.dumps(record(sys.argv[1], Path(sys.argv[2])), indent=1, sort_keys=True)
    Path(sys.argv[3]).write_text(recorded + "\n", "utf-8")
