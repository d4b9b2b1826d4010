"""A server that speaks S3 and lies: each lie is told, in time, costs little memory, and brings nothing into a store.

The driver is s3fs, which is no part of the locked environment: it asks for older libraries than others there.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from runbook.evidence.import_runs import import_runs
from runbook.evidence.store import Store, keep_run, run_files
from runbook.model.errors import UsageError
from runbook.stores import open_store, url
from support.kept_runs import kept_run
from support.killed_collectors import reported_before_kills
from support.s3_servers import BUCKET, S3, Answer, listing, s3_server

pytest.importorskip("s3fs", reason="s3fs is not installed: pip install s3fs into an environment of its own")

WHERE: Final = f"s3://{BUCKET}/results"
[(PATH, CONTENT)] = run_files(kept_run("prod"))
KEY: Final = f"results/{PATH}"
SOON: Final = 5.0
MOST: Final = 64 << 20
PIECE: Final = b"<Contents><Key>a</Key></Contents>" * 30_000


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """A bucket with one run, and the driver's settings for it."""
    from fsspec.registry import get_filesystem_class

    with s3_server() as served:
        place = {"AWS_ENDPOINT_URL_S3": served.endpoint, "AWS_DEFAULT_REGION": "eu-central-1"}
        for name, value in {**place, "AWS_ACCESS_KEY_ID": "ours", "AWS_SECRET_ACCESS_KEY": "geheim"}.items():
            monkeypatch.setenv(name, value)
        get_filesystem_class("s3").clear_instance_cache()
        served.objects[KEY] = CONTENT
        yield served
    with suppress(Exception):
        get_filesystem_class("s3").clear_instance_cache()


@pytest.fixture
def store(held: S3) -> Store:
    """The store in it."""
    assert held.objects
    return open_store(WHERE)


def brings(store: Store, folder: Path) -> str:
    """Import what is there into a folder, which gets nothing; gives what is told."""
    try:
        landed = import_runs(store, open_store(str(folder / "copy")))
    except UsageError as error:
        told = str(error)
    else:
        assert landed.written == []
        told = "; ".join(f"{path}: {why}" for path, why in landed.left)
    assert [file for file in (folder / "copy").rglob("*") if file.is_file()] == []
    return told


def resident() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096


def without_token(answer: Answer) -> None:
    answer.says(200, listing({KEY: 3}, truncated=True))


def cut_off(answer: Answer) -> None:
    whole = listing({KEY: 3})
    answer.begins(len(whole))
    answer.wfile.write(whole[:100])


def entities(answer: Answer) -> None:
    """A billion laughs: ten of ten of ten ..."""
    each = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    key = f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{each}]><ListBucketResult><Contents><Key>&a11;</Key>'
    answer.says(200, f'<?xml version="1.0"?>{key}</Contents></ListBucketResult>'.encode())


def a_file_of_ours(answer: Answer) -> None:
    begins = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    found = "<Contents><Key>results/runs/&a;.jsonl</Key><Size>3</Size></Contents>"
    answer.says(200, f"{begins}<ListBucketResult>{found}</ListBucketResult>".encode())


def elsewhere(answer: Answer) -> None:
    answer.says(200, listing({"other/place.jsonl": 5}))


def huge(answer: Answer) -> None:
    answer.says(200, listing({KEY: 10**40}))


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (without_token, "can't be looked at: .*NextContinuationToken"),
        (cut_off, "can't be looked at: ConnectionClosedError"),
        (entities, "can't be looked at: "),
        (a_file_of_ours, "can't be looked at: "),
        (elsewhere, "it lists 'evidence/other/place.jsonl', which is not below evidence/results"),
        (huge, f"it has {10**40} bytes, more than any run leaves: not read"),
    ],
)
def test_a_listing_that_lies_is_told(
    lie: Callable[[Answer], None], told: str, held: S3, store: Store, tmp_path: Path
) -> None:
    held.lists = lie
    with pytest.raises(AssertionError, match=told):
        raise AssertionError(brings(store, tmp_path))


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("what", ["lists", "gives"])
def test_a_redirect_to_another_host_is_not_followed(
    code: int, what: str, held: S3, store: Store, tmp_path: Path
) -> None:
    with s3_server() as other:
        other.objects[KEY] = CONTENT
        setattr(held, what, lambda answer: answer.says(code, Location=f"{other.endpoint}{answer.path}"))
        assert "can't be" in brings(store, tmp_path)
        assert other.asked == []


def endless_pages(answer: Answer) -> None:
    number = len(answer.held.asked)
    found = {f"results/runs/prod/2026-11-01/{number}-{n}.jsonl": 3 for n in range(1000)}
    answer.says(200, listing(found, truncated=True, token=str(number)))


def endless_page(answer: Answer) -> None:
    answer.begins(kind="application/xml")
    answer.wfile.write(b"<ListBucketResult>")
    answer.streams(PIECE)


def silent(answer: Answer) -> None:
    answer.held.ended.wait(2 * SOON)
    answer.says(200)


@pytest.mark.parametrize("lie", [endless_pages, endless_page, silent])
def test_a_listing_that_never_ends_is_given_up(
    lie: Callable[[Answer], None], held: S3, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(url, "_PATIENCE", SOON)
    monkeypatch.setattr(url, "_MOST_LISTED", MOST)
    held.lists = lie
    before, began = resident(), time.monotonic()
    assert "can't be looked at: " in (told := brings(store, tmp_path))
    assert "no answer within 5 s" in told or "it sends more than 64 MiB in one answer, and goes on" in told
    assert resident() - before < 5 * MOST
    assert time.monotonic() - began < 3 * SOON


def too_short(answer: Answer) -> None:
    answer.begins(len(CONTENT))
    answer.wfile.write(CONTENT[:10])


def fewer(answer: Answer) -> None:
    answer.says(200, CONTENT[:10])


def grown(answer: Answer) -> None:
    answer.says(200, CONTENT + CONTENT)


def endless(answer: Answer) -> None:
    answer.begins()
    answer.streams(PIECE)


def endless_and_says_so(answer: Answer) -> None:
    answer.begins(1 << 50)
    answer.streams(PIECE)


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (too_short, "it can't be read: Response payload is not completed"),
        (fewer, f"it was listed with {len(CONTENT)} bytes, and 10 came: files of a store never change"),
        (grown, f"it was listed with {len(CONTENT)} bytes, and more came: files of a store never change"),
        (endless, "can't be read: it sends more than 64 MiB in one answer, and goes on; one of runs/prod/"),
        (endless_and_says_so, "can't be read: it sends more than 64 MiB in one answer, and goes on; one of runs/prod/"),
    ],
)
def test_an_object_of_another_length_is_told_and_set_aside(
    lie: Callable[[Answer], None],
    told: str,
    held: S3,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(url, "_MOST_READ", MOST)
    held.gives = lie
    before = resident()
    assert told in brings(store, tmp_path)
    assert resident() - before < 5 * MOST


def test_a_collector_killed_at_any_moment_leaves_no_half_object(held: S3, store: Store, tmp_path: Path) -> None:
    held.objects.clear()
    reported = reported_before_kills(
        WHERE, 2, lambda kill, printed: [printed.readline().strip() for _ in range(1 + kill)]
    )
    assert len(reported) >= 2
    landed = import_runs(store, open_store(str(tmp_path / "copy")))
    assert landed.left == []
    assert {*reported} <= {path.rpartition("/")[2].removesuffix(".jsonl") for path in landed.written}


def test_what_is_kept_comes_back(held: S3, store: Store) -> None:
    keep_run(store, kept_run("prod", number=7))
    found = {file.path: file.content for file in store.read(lambda *_: True)}
    assert found == {key.removeprefix("results/"): content for key, content in held.objects.items()}
    assert len(found) == 2
    assert os.environ["AWS_SECRET_ACCESS_KEY"] not in str(held.asked)
