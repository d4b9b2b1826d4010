"""A chart whose templates were not rendered is one thing that is not read, with its remedy."""

from pathlib import Path

import pytest

from runbook.connections import manifests
from runbook.model.probe import Deadline
from runbook.probes import strimzi_kafka, topic_declaration

KAFKA = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: {{ .Release.Name }}}\nspec: {{ .Values.x }}\n"
ANY = '{{ include "all" . }}\n'


def reasons(
    folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], probe: object = strimzi_kafka
) -> set[str]:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(folder)
    read = manifests.connect({"paths": "."}, Deadline(5))
    return {str(gap.reason) for gap in probe.observe(read).gaps}  # type: ignore[attr-defined]


def test_all_templates_of_a_chart_are_one_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "my chart/Chart.yaml": "name: a\n",
        "my chart/templates/kafka.yaml": KAFKA,
        "my chart/templates/x/a.yaml": ANY,
    }
    [said] = reasons(tmp_path, monkeypatch, files)
    assert said == (
        "my chart: 2 templates of this Helm chart not read, as they are not rendered: helm template 'my chart' | "
        "runbook check kubernetes -, or leave them out: --exclude 'my chart/templates'"
    )


def test_a_template_of_a_chart_still_hides_its_own_kind_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a/Chart.yaml": "name: a\n", "a/templates/kafka.yaml": KAFKA}
    assert reasons(tmp_path, monkeypatch, files, topic_declaration) == set()
    assert len(reasons(tmp_path, monkeypatch, {})) == 1


@pytest.mark.parametrize("beside", [{}, {"a/templates/Chart.yaml": "name: a\n"}], ids=["no chart", "not above"])
def test_a_template_of_no_chart_stands_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: dict[str, str]
) -> None:
    [said] = reasons(tmp_path, monkeypatch, beside | {"a/templates/kafka.yaml": KAFKA})
    assert said.startswith("a/templates/kafka.yaml:3: Kafka is not judged: it holds a template")


def test_another_mistake_in_a_chart_stands_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: [\n"
    files = {"a/Chart.yaml": "name: a\n", "a/templates/kafka.yaml": KAFKA, "a/templates/b.yaml": broken}
    said = sorted(reasons(tmp_path, monkeypatch, files))
    assert [each.partition(" ")[0] for each in said] == ["a/templates/b.yaml:4:", "a:"]
