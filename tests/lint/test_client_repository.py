"""What configures clients is found by what stands in it, and nothing hostile costs more than itself."""

import os
import subprocess
from pathlib import Path

import pytest

from runbook.lint.client_repository import LARGEST, as_of, look_through
from runbook.model.errors import UsageError

PRODUCER = "bootstrap.servers=a:1,b:1\nacks=all\n"
SPRING = "spring:\n  kafka:\n    producer: {acks: all}\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(file: str, text: str | bytes) -> str:
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_properties_are_read_as_java_reads_them() -> None:
    put("latin.properties", b"# \xe9\nbootstrap.servers=a\n")
    assert [file.path for file in look_through(["."]).files] == ["latin.properties"]


def test_mirrormakers_files_are_read() -> None:
    put("mm2.properties", "clusters=A,B\nA.bootstrap.servers=a:1\nA->B.enabled=true\n")
    assert [file.path for file in look_through(["."]).files] == ["mm2.properties"]


def test_what_can_not_be_read_is_told_from_what_is_no_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.properties", PRODUCER)
    put("application.yml", "spring:\n  kafka:\n    producer: {acks: 1, acks: 0}\n")
    put("b/c.properties", PRODUCER)
    put("notes.yaml", "kafka: bootstrap it\n")
    read, scan = Path.read_bytes, os.scandir

    def read_bytes(path: Path) -> bytes:
        if path.name == "a.properties":
            raise PermissionError(13, "Permission denied")
        return read(path)

    def scandir(path: str) -> object:
        if path.endswith("/b"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(os, "scandir", scandir)
    unread = {one.path: one.why for one in look_through(["."]).skipped if one.unread}
    assert unread == {
        "a.properties": "can't be read: Permission denied",
        "application.yml": 'can\'t be read: line 3: duplicate key "acks"; it stands already in line 3',
        "b": "can't be read: Permission denied",
    }


def reasons() -> dict[str, str]:
    return {each.path: each.why for each in look_through(["."]).skipped}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("any.properties", PRODUCER),
        ("any.conf", "metadata.broker.list=a:1\n"),
        ("any.properties", "linger.ms=5\n"),
        ("any.yml", SPRING),
        ("sink.json", '{"connector.class": "x.Sink"}'),
        ("application.properties", "spring.kafka.client-id=a\n"),
    ],
)
def test_a_setting_of_a_client_makes_a_file_one_of_a_client(name: str, text: str) -> None:
    put(name, text)
    assert [file.path for file in look_through(["."]).files] == [name]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("server.properties", "bootstrap.servers=a:1\nprocess.roles=broker\n", "a broker's"),
        ("kafka.properties", "ssl.protocol=TLS\nclient.id=kafka\nretries=3\n", "no setting of a client"),
        ("values.yaml", "kafka: {bootstrapper: 3}\n", "YAML without settings of clients"),
        ("package.json", '{"dependencies": {"kafkajs": "1"}}', "no setting of a client"),
        ("templates/a.yaml", "spring: {kafka: {{ .Values.kafka }}}\n", "a template"),
        ("large.properties", PRODUCER.encode() * (LARGEST // 20), "more than"),
        ("latin.conf", b"# \xe9\nbootstrap.servers=a\n", "no text in UTF-8"),
        ("bomb.yaml", "bootstrap: &a [x, x]\nb: &b [*a, *a]\n" + "c: !!python/object:x {}\n", "not readable"),
    ],
)
def test_what_is_skipped_is_listed_with_its_reason(name: str, text: str | bytes, why: str) -> None:
    put(name, text)
    assert reasons()[name].startswith(why)
    assert look_through(["."]).files == []


def test_aliases_that_grow_beyond_measure_are_not_followed() -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    put("bomb.yaml", "bootstrap: &a0 [x]\n" + levels)
    assert reasons()["bomb.yaml"].startswith("not readable")


def test_links_and_pipes_are_not_followed() -> None:
    put("../secret.properties", PRODUCER)
    Path("link.properties").symlink_to("../secret.properties")
    Path("folder").symlink_to("..", target_is_directory=True)
    os.mkfifo("pipe.properties")
    assert reasons() == dict.fromkeys(["link.properties", "pipe.properties"], "a link, or no regular file")


def test_what_was_built_or_is_hidden_is_left_out_and_other_kinds_are_counted() -> None:
    for folder in (".git", "node_modules", "target", "x/build"):
        put(f"{folder}/a.properties", PRODUCER)
    put("src/Main.java", "kafka")
    found = look_through(["."])
    assert (found.files, found.skipped, found.others) == ([], [], 1)


def test_files_of_one_application_have_one_name_and_the_profiles_come_last() -> None:
    for name in ("application-prod.yaml", "application.properties", "application.yaml", "other.yaml"):
        put(f"a/{name}", SPRING if name.endswith("yaml") else "spring.kafka.client-id=a\n")
    found = [(file.name, file.path, file.profile) for file in look_through(["."]).files]
    assert found == [
        ("a/application.yaml", "a/application.yaml", ""),
        ("a/application.yaml", "a/application.properties", ""),
        ("a/application.yaml", "a/application-prod.yaml", "prod"),
        ("a/other.yaml", "a/other.yaml", ""),
    ]


def test_what_is_excluded_is_told() -> None:
    put("src/test/a.properties", PRODUCER)
    [skipped] = look_through(["."], ["src/test/*"]).skipped
    assert skipped[:2] == ("src/test/a.properties", "excluded")


def test_a_path_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UsageError, match="nowhere is not there"):
        look_through(["nowhere"])


def test_what_a_commit_has_is_found_under_the_same_names() -> None:
    put("a/x.properties", PRODUCER)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], check=True, capture_output=True)
    put("a/x.properties", "acks=1\n")
    assert [(file.name, file.path, file.text) for file in as_of("HEAD", ["a"]).files] == [
        ("a/x.properties", "a/x.properties", PRODUCER)
    ]
