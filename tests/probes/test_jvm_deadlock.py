from support.metrics_played import Played


def test_a_healthy_broker_has_none():
    fact = Played("pages").observe("jvm_deadlock")
    assert fact.complete
    assert fact.columns == {"broker": [1, 2, 3], "threads": [0, 0, 0]}


def test_a_page_without_it_is_a_gap():
    played = Played("pages")
    pages = played.recording["pages"]
    for url, page in pages.items():
        pages[url] = page.replace("jvm_threads_deadlocked ", "jvm_threads_other ")
    assert len(played.observe("jvm_deadlock").gaps) == 3
