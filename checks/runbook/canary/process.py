"""A process of a canary: client libraries abort, hang and print, and figures must survive that.

Started as `python -m runbook.canary.process`; what it is to do comes over standard input (`runbook.canary.messages`).
Secrets are resolved here, and nothing that is told holds one.
"""

import os
import resource

from runbook.canary.load_reader import sink
from runbook.canary.load_writer import clean, load
from runbook.canary.messages import CanaryJob, CanaryReport, ParentLine
from runbook.canary.reader import read
from runbook.canary.writer import write
from runbook.model.errors import CannotLook
from runbook.parse.allowed import require_allowed
from runbook.plugins.guard import attempt
from runbook.run.sources.secret_references import resolve


def serve(job: CanaryJob, line: ParentLine) -> None:
    """Do the job.

    Raises:
        CannotLook: it can't be begun.
    """
    require_allowed("kafka", job.settings)
    settings, line.redaction = resolve(job.settings)
    serving = {"writer": write, "reader": read, "load": load, "sink": sink, "cleaner": clean}
    serving[job.role](job, settings, line)


def main() -> None:
    """Serve one job, and end."""
    line = ParentLine()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # an image of this process would hold its secrets
    failure = attempt(lambda: serve(line.job(), line))
    if isinstance(failure, CannotLook):
        line.tell(CanaryReport("failed", why=str(failure)))
    os._exit(0)  # threads of a hung client library must not keep the process


if __name__ == "__main__":
    main()
