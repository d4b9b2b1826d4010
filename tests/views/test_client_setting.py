from runbook.model.fact import Fact
from runbook.views.client_setting import compute

CONFIG = Fact(
    "client_config",
    {
        "client": ["a", "a", "b", "c"],
        "kind": ["producer", "producer", "producer", "producer"],
        "setting": ["acks", "retries", "acks", "retries"],
        "value": ["all", "5", "1", None],
    },
)


def test_each_client_has_what_its_files_say_or_the_default():
    rows = {
        row.client: (row.kind, row.value, row.said)
        for row in compute(config=CONFIG, setting="retries", default="2147483647").rows
    }
    assert rows["a"] == ("producer", "5", True)
    assert rows["b"] == ("producer", "2147483647", False)
    assert rows["c"] == ("producer", None, True)  # left to a variable
