"""Patterns of --exclude mean what a .gitignore means by them, below the folder that was given."""

import pytest

from runbook.run.sources.left_out_files import left_out


@pytest.mark.parametrize(
    ("pattern", "path", "out"),
    [
        ("charts", "deploy/charts/a.yaml", True),
        ("charts/", "deploy/x/charts/a/b.yaml", True),
        ("charts/", "deploy/charts.yaml", False),
        ("chart", "deploy/charts/a.yaml", False),
        ("*.json", "deploy/x/a.json", True),
        ("*.json", "deploy/x/a.yaml", False),
        ("deploy/charts", "deploy/charts/a.yaml", True),
        ("./deploy/charts", "deploy/charts/a.yaml", True),
        ("/charts", "deploy/charts/a.yaml", True),
        ("/charts", "deploy/x/charts/a.yaml", False),
        ("x/charts", "deploy/x/charts/a.yaml", True),
        ("x/*/a.yaml", "deploy/x/charts/a.yaml", True),
        ("x/*.yaml", "deploy/x/charts/a.yaml", False),
        ("x/**/*.yaml", "deploy/x/charts/y/a.yaml", True),
        ("x/**/*.yaml", "deploy/x/a.yaml", True),
        ("**/test-?.yaml", "deploy/test-1.yaml", True),
        ("**/test-?.yaml", "deploy/test-12.yaml", False),
        ("test-[0-4].yaml", "deploy/test-3.yaml", True),
        ("test-[!0-4].yaml", "deploy/test-3.yaml", False),
        ("a+b", "deploy/a+b/c.yaml", True),
        ("a+b", "deploy/aab/c.yaml", False),
        ("**", "deploy/a.yaml", True),
    ],
)
def test_a_pattern_means_what_git_means_by_it(pattern: str, path: str, *, out: bool) -> None:
    assert left_out(path, "deploy", [pattern]) is out
    assert left_out(f"/srv/{path}", "/srv/deploy", [pattern.removeprefix("./").replace("deploy/", "")]) is out
