"""The job that makes a scorecard and the site that shows it take format and words from one place."""

from runbook.model import scorecard
from runbook.publish import scorecard as shown
from runbook.scorecard import pipeline


def test_the_job_writes_and_the_site_reads_one_format() -> None:
    for part in (pipeline, shown):
        assert (vars(part)["FORMAT"], vars(part)["ALL"]) == (scorecard.FORMAT, scorecard.ALL)
