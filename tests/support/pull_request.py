"""A pull request of twelve changes to the repository of `platform_repository`, five of them bad.

What a reviewer expects of each stands in `tests/records/pull_request.yaml`.
"""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import yaml

from support import platform_repository

BASE: Final = "main"
BRANCH: Final = "autumn"
_NAMED: Final = ("-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "commit.gpgsign=false")

Files = dict[str, str]
Edit = Callable[[Files], None]


def swap(path: str, old: str, new: str, after: str = "") -> Edit:
    """Puts one text in the place of another: the first that stands after a third."""

    def edit(files: Files) -> None:
        before, mark, rest = files[path].partition(after) if after else ("", "", files[path])
        assert old in rest, (path, old)
        files[path] = before + mark + rest.replace(old, new, 1)

    return edit


def _listener(files: Files) -> None:
    new = "    - name: partners\n      port: 9095\n      tls: false\n      type: loadbalancer\n"
    swap("clusters/prod/orders.yaml", "    metadataVersion:", f"{new}    metadataVersion:")(files)


def _everywhere(path: str, old: str, new: str) -> Edit:
    def edit(files: Files) -> None:
        files[path] = files[path].replace(old, new)

    return edit


def _comment_moved(files: Files) -> None:
    path = "teams/shipping/prod/topics.yaml"
    comment, _, rest = files[path].partition("\n")
    files[path] = f"{rest}{comment}\n"


def _file_moved(files: Files) -> None:
    files["teams/archive/prod/returns-topics.yaml"] = files.pop("teams/returns/prod/topics.yaml")


def _formatted(files: Files) -> None:
    path = "teams/billing/prod/users.yaml"
    files[path] = yaml.safe_dump_all(yaml.safe_load_all(files[path]), explicit_start=True, indent=4)


def _anchored(files: Files) -> None:
    """Every topic's labels are those of the first one, by an alias."""
    path = "teams/search/prod/topics.yaml"
    head, *topics = files[path].split("---\n")
    labels = "  labels:\n    strimzi.io/cluster: orders\n    team: search\n"
    items = []
    for place, topic in enumerate(topics):
        named = topic.replace(labels, "  labels: *labels\n" if place else labels.replace("labels:", "labels: &labels"))
        items.append("".join(f"{'  - ' if at == 0 else '    '}{line}\n" for at, line in enumerate(named.splitlines())))
    files[path] = f"{head}apiVersion: v1\nkind: List\nitems:\n{''.join(items)}"


CHANGES: Final[Mapping[str, Edit]] = {
    "one copy of a topic": swap(
        "teams/checkout/prod/topics.yaml", "replicas: 3", "replicas: 1", after="name: checkout.orders"
    ),
    "a lower minimum": swap("clusters/prod/payments.yaml", "min.insync.replicas: 2", "min.insync.replicas: 1"),
    "a listener without TLS and login": _listener,
    "a user of every topic": swap(
        "teams/loyalty/prod/users.yaml",
        "name: loyalty., patternType: prefix",
        'name: "*", patternType: literal',
        after="name: loyalty-export",
    ),
    "a password in clear": swap(
        "teams/fraud/prod/connectors.yaml", "${secrets:orders/fraud-db:password}", "s3cret-of-fraud"
    ),
    "a label renamed": _everywhere("teams/pricing/prod/topics.yaml", "team: pricing", "team: pricing-and-offers"),
    "more partitions": swap("teams/catalog/prod/topics.yaml", "partitions: ", "partitions: 1", after="catalog.prices"),
    "a comment moved": _comment_moved,
    "a file moved": _file_moved,
    "formatting only": _formatted,
    "anchors introduced": _anchored,
    "an old mistake on another line": swap(
        "teams/reporting/prod/connectors.yaml", "---\n", "# Sinks of reporting.\n# Ask first.\n---\n"
    ),
}


def repository(folder: Path, changes: Mapping[str, Edit] = CHANGES) -> Path:
    """A clone with the pull request checked out: BASE is the branch that it goes to."""
    platform_repository.write(folder)
    git(folder, "init", "-q", "-b", BASE)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "The platform")
    git(folder, "checkout", "-qb", BRANCH)
    for name, edit in changes.items():
        apply(folder, edit)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", name.capitalize())
    (folder / "ci" / "environments.yaml").chmod(0o600)
    return folder


def apply(folder: Path, edit: Edit) -> None:
    """Make a change in a folder."""
    files = {
        str(file.relative_to(folder)): file.read_text("utf-8")
        for file in folder.rglob("*.yaml")
        if ".git" not in file.parts
    }
    before = files.copy()
    edit(files)
    assert files != before
    for path in before.keys() - files.keys():
        (folder / path).unlink()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def git(folder: Path, *words: str) -> str:
    """What a git command prints."""
    command = ["git", *_NAMED, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
