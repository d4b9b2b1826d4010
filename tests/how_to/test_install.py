"""The page on installing: the image's file names what there is and asks for no more than it should; sizes have rows."""

import re
import subprocess
import tomllib

import pytest

from support.documented import ROOT, titled

PAGE = "docs/how-to/install.md"
FILE = ROOT / "docs" / "how-to" / "Containerfile"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the image's file, with its argument."""
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines()]


def test_the_page_shows_the_file() -> None:
    assert titled(PAGE, "Containerfile") == FILE.read_text("utf-8")


def test_what_the_image_copies_is_there_and_is_all_that_the_wheel_is_built_from() -> None:
    copied = [
        word for name, words in instructions() if name == "COPY" and "--from" not in words for word in words.split()
    ]
    sources = {word for word in copied if (ROOT / word).exists()}
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {path.partition("/")[0] for path in [*built["packages"], *built["force-include"]]}
    assert needed | {"pyproject.toml", "README.md", "LICENSE", "requirements.lock", "requirements-uv.lock"} <= sources


def test_the_image_has_two_stages_and_is_nobodys_root() -> None:
    names = [name for name, _ in instructions()]
    assert names.count("FROM") == 2
    last = instructions()[len(names) - 1 - names[::-1].index("FROM") :]
    assert ("USER", "10001:10001") in last
    assert [words for name, words in last if name == "COPY"] == ["--from=build /opt/kafka-runbook /opt/kafka-runbook"]
    user = [name for name, _ in last].index("USER")
    assert "RUN" not in [name for name, _ in last[user:]]


def test_the_extras_of_the_image_are_extras_and_every_extra_has_its_row() -> None:
    [wanted] = [
        words.partition("=")[2] for name, words in instructions() if name == "ARG" and words.startswith("EXTRAS")
    ]
    assert set(wanted.split(",")) <= set(EXTRAS)
    rows = set(re.findall(r"^\|[^|]*\| `(\w+)` \|", (ROOT / PAGE).read_text("utf-8"), re.MULTILINE))
    assert rows == set(EXTRAS) - {"all"}


@pytest.mark.parametrize("title", ["from a checkout", "from a wheel", "build and run it", "a bill of materials"])
def test_the_samples_are_shell(title: str) -> None:
    subprocess.run(["/bin/sh", "-n", "-c", titled(PAGE, title)], check=True, timeout=30)


def test_the_wheel_of_the_sample_is_called_as_it_would_be() -> None:
    from runbook import __version__

    assert f"kafka_runbook-{__version__.removesuffix('.dev0')}-py3-none-any.whl" in titled(PAGE, "from a wheel")
