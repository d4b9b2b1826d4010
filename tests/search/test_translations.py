"""What is asked in German or Spanish is looked for in English."""

from runbook.run.sources.runbooks import read_all
from runbook.search.entries import entries_of
from runbook.search.index import Index
from runbook.search.translations import in_english


def test_no_word_of_a_runbook_is_taken_for_one_of_another_language():
    written = {word for book in read_all([]) for entry in entries_of(book) for word in entry.words.values()}
    assert {said: english for said, english in in_english().items() if said in written and said != english} == {}


def test_it_is_found_without_umlauts_and_accents_and_with_a_slip():
    index = Index(read_all([]))
    for asked in ("Verbraucher haengt hinterher", "Verbraucher hängt hinterher", "verbraucehr hangt hinterher"):
        assert index.search(asked)[0].name == "consumers/consumers-fall-behind"
    assert index.search("el disco esta lleno")[0].name == "ha/a-disk-failed-or-is-full"
