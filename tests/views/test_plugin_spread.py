from runbook.model.fact import Fact
from runbook.views.plugin_spread import compute


def test_a_worker_that_lacks_a_version_is_named():
    fact = Fact(
        "connect_plugin",
        {
            "worker": ["a", "b", "a", "b", "c"],
            "plugin": ["Sink", "Sink", "Source", "Source", "Source"],
            "type": ["sink", "sink", "source", "source", "source"],
            "version": ["1.0", "1.0", "2.0", "2.1", "2.0"],
        },
    )
    rows = {(row.plugin, row.type, row.version): (row.workers, row.lacking) for row in compute(plugin=fact).rows}
    assert rows["Sink", "sink", "1.0"] == (["a", "b"], ["c"])
    assert rows["Source", "source", "2.0"] == (["a", "c"], ["b"])
    assert rows["Source", "source", "2.1"] == (["b"], ["a", "c"])
