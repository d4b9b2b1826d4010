import pytest

from support.recorded_kubernetes import Played


def test_the_version_is_told():
    [row] = Played("healthy").observe("kubernetes_cluster").rows()
    assert (row["version"], row["major"], row["minor"]) == ("v1.36.3", 1, 36)
    assert row["server"].startswith("https://127.0.0.1")


@pytest.mark.parametrize(("minor", "read"), [("36+", 36), ("", None), ("new", None)])
def test_a_clouds_way_of_writing_the_version_is_understood(minor: str, read: int | None):
    played = Played("healthy")
    played.answers["/version"]["minor"] = minor
    [row] = played.observe("kubernetes_cluster").rows()
    assert row["minor"] == read
