from runbook.publish.without_cause import without_cause
from support.declared import causes


def said_of(name: str) -> list[str]:
    return next(without_cause(cause.cause) for cause in causes() if cause.placed.name == name)


def test_rows_that_a_cause_declares_are_told_in_words() -> None:
    assert said_of("os-hardware/broker-is-in-swap") == [
        "rows of `host_process` where `row.host in process.host`: `swapped` is `0`; not known: `resident`",
        "rows of `host_kernel` where `row.host in process.host`: not known: "
        + ", ".join(f"`{name}`" for name in ("available", "swap_used", "swapped_in", "swapped_out")),
        "all that these tell is not known then: `jvm_gc`, `jvm_gc_log`",
    ]


def test_expressions_are_shown_without_their_braces_and_rows_that_go_as_gone() -> None:
    first, second, *_ = said_of("kubernetes/bare-pod-has-broker-labels")
    assert first == "rows of `kubernetes_pod` where `row.pod in pod.pod`: they are gone"
    assert second == "rows of `kubernetes_service`: `pods` is `row.pods.filter(one, !(one in pod.pod))`"


def test_a_recovery_is_told_with_its_help_its_sources_and_its_end_of_a_link() -> None:
    sentences = said_of("dr/no-broker-of-the-primary-answers")
    assert sentences[0].startswith("`cluster_reachable` at the source: A cluster that did not answer is reached")
    assert sentences[1].startswith("`source_cluster_reachable` at the target: ")
    assert all("(" in sentence for sentence in sentences)
