"""The samples of the page about publishing, run as far as one machine can."""

import os
import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from kafka_lab.ports import free_ports
from support.bucket_server import running_bucket
from support.documented import titled
from support.until import until

PAGE = "docs/how-to/publish.md"
GITHUB = ".github/workflows/site.yml: GitHub Pages, each Monday"
GITLAB = ".gitlab-ci.yml: GitLab Pages, with access control for the project's members"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
MKDOCS = "site_name: Small\nuse_directory_urls: false\nplugins: {search: {}}\n"


def test_stepping_back_shows_the_older_build(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "releases" / name).mkdir(parents=True)
        (tmp_path / "releases" / name / "index.html").write_text(name)
    current = tmp_path / "current"
    current.symlink_to(Path("releases") / "two")
    script = titled(PAGE, "Step back to an older build")
    script = script.replace("/srv/runbooks", str(tmp_path)).replace("OLDER", "one")
    listed = subprocess.run(["sh", "-e", "-c", script], check=True, capture_output=True, text=True, timeout=10)
    assert listed.stdout.split() == ["one", "two"]
    assert (current / "index.html").read_text() == "one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "releases"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of one page, and the folder that the weekly script keeps."""
    (tmp_path / "checkout" / "docs").mkdir(parents=True)
    (tmp_path / "checkout" / "mkdocs.yml").write_text(MKDOCS)
    (tmp_path / "checkout" / "docs" / "index.md").write_text("# Small\n\nThe first words.\n")
    (tmp_path / "data").mkdir()
    return tmp_path / "checkout"


def _run(checkout: Path, line: str) -> None:
    """Run a line of a workflow as a runner does."""
    told = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(checkout.parent)}
    told["RUNBOOK_DATA"] = str(checkout.parent / "data")
    subprocess.run(["sh", "-e", "-c", line], cwd=checkout, env=told, check=True, capture_output=True, timeout=800)


def test_the_workflow_of_github_makes_what_pages_take(checkout: Path) -> None:
    workflow = yaml.safe_load(titled(PAGE, GITHUB))
    job = workflow["jobs"]["site"]
    assert {"pages": "write", "id-token": "write"}.items() <= workflow["permissions"].items()
    for step in job["steps"]:
        if "run" in step:
            _run(checkout, step["run"])
    [path] = [step["with"]["path"] for step in job["steps"] if "upload-pages-artifact" in step.get("uses", "")]
    # As that action packs what it is given.
    packed = ["tar", "--dereference", "--hard-dereference", "--directory", path, "-cvf", "artifact.tar", "."]
    listed = subprocess.run(packed, cwd=checkout, check=True, capture_output=True, text=True, timeout=60).stdout
    assert "./index.html" in listed.splitlines()
    assert (checkout.parent / "data" / "redaction.key").exists()
    assert "redaction.key" not in listed


def test_the_job_of_gitlab_makes_a_folder_without_links(checkout: Path) -> None:
    job = yaml.safe_load(titled(PAGE, GITLAB))["pages"]
    for line in job["script"]:
        _run(checkout, line)
    public = checkout / job["artifacts"]["paths"][0]
    assert not public.is_symlink()
    assert "The first words." in (public / "index.html").read_text()
    assert not [file for file in public.rglob("*") if file.is_symlink()]


@pytest.mark.skipif(shutil.which("aws") is None, reason="no aws: install the AWS CLI")
def test_a_bucket_holds_the_last_release_alone_and_says_what_each_file_is(tmp_path: Path) -> None:
    site = tmp_path / "current"
    (site / "alerts" / "Down").mkdir(parents=True)
    for name in ("index.html", "alerts/Down/index.html", "of-before.html", "a.css"):
        (site / name).write_text(f"it is {name}")
    line = titled(PAGE, "A private bucket, behind your proxy or CDN with a login")
    line = line.replace("/srv/runbooks/current/", f"{site}/")
    with running_bucket() as bucket:
        told = os.environ | {"AWS_ENDPOINT_URL": bucket.address, "AWS_EC2_METADATA_DISABLED": "true"}
        told |= {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "eu-central-1"}
        told |= {"AWS_REQUEST_CHECKSUM_CALCULATION": "when_required", "AWS_CONFIG_FILE": "/dev/null"}
        for names in (4, 3):
            subprocess.run(["sh", "-e", "-c", line], env=told, check=True, capture_output=True, timeout=300)
            assert len(bucket.kept) == names
            (site / "of-before.html").unlink(missing_ok=True)
        page = bucket.kept["alerts/Down/index.html"]
    assert (page.content, page.media, page.caching) == (b"it is alerts/Down/index.html", "text/html", "no-cache")
    assert bucket.kept["a.css"].media == "text/css"


@contextmanager
def _nginx(folder: Path, port: int) -> Iterator[None]:
    """A server with the sample, on a port and over files of our own."""
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    made += ["-keyout", str(folder / "runbooks.key"), "-out", str(folder / "runbooks.crt")]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    (folder / "runbooks.htpasswd").write_text("reader:{PLAIN}word\n")
    sample = titled(PAGE, "nginx: a login of its own").replace("listen 443", f"listen 127.0.0.1:{port}")
    sample = sample.replace("/etc/nginx/", f"{folder}/").replace("/srv/runbooks", str(folder))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; user {os.environ.get('USER', 'root')}; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ access_log off; types {{ text/html html; }}\n{sample}}}\n"
    )
    server = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        yield
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.skipif(NGINX is None, reason="no nginx: install it (Debian: apt install nginx-light)")
def test_nginx_asks_who_is_there_and_lets_no_browser_keep_a_page(tmp_path: Path) -> None:
    (tmp_path / "releases" / "one" / "alerts" / "Down").mkdir(parents=True)
    (tmp_path / "releases" / "one" / "alerts" / "Down" / "index.html").write_text("an alert")
    (tmp_path / "current").symlink_to(Path("releases") / "one")
    [port] = free_ports(1)
    unchecked = ssl._create_unverified_context()

    def ask(**headers: str) -> Any:
        request = urllib.request.Request(f"https://127.0.0.1:{port}/alerts/Down/", headers=headers)
        return urllib.request.urlopen(request, context=unchecked, timeout=30)

    def refusal() -> int | None:
        try:
            ask()
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None
        return 200

    with _nginx(tmp_path, port):
        assert until(lambda: refusal() == 401)
        with ask(Authorization="Basic cmVhZGVyOndvcmQ=") as answer:
            assert (answer.read(), answer.headers["Cache-Control"]) == (b"an alert", "no-cache")
