"""Words of other languages in which people ask, and the English for each: German and Spanish.

`translations.tsv` has English words and, behind a tab, what is said for them in each form that is asked for; which
symptoms they are to lead to is in tests/search/other_languages.yaml. What is an English word, too (`fast`, `dos`), is
not among them by itself.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_suffix(".tsv")
_SPELT_OUT: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}


@cache
def in_english() -> dict[str, str]:
    """The English for each word or phrase, also as it is typed where a keyboard has no umlauts and no accents."""
    rows = (line.split("\t") for line in TABLE.read_text("utf-8").splitlines())
    return {form: english for english, said in rows for phrase in said.split(", ") for form in _forms(phrase)}


def _forms(phrase: str) -> set[str]:
    spelt_out = "".join(_SPELT_OUT.get(letter, letter) for letter in phrase)
    plain = "".join(letter for letter in unicodedata.normalize("NFD", phrase) if not unicodedata.combining(letter))
    return {phrase, spelt_out, plain}
