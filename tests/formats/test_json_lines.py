from runbook.formats.json_lines import MOST_FIELDS, MOST_VALUES, LogSample


def sample(*lines: str) -> LogSample:
    made = LogSample()
    made.add(lines)
    return made


def test_lines_that_are_no_object_are_counted_and_hold_nothing():
    seen = sample('{"a": 1}', "plain words", "[1, 2]", "", '{"a": ', "[" * 100_000)
    assert (seen.lines, seen.objects, list(seen.fields)) == (5, 1, ["a"])


def test_a_number_in_quotes_is_no_number_and_neither_is_a_truth_value():
    seen = sample('{"took": 0.02, "ok": true}', '{"took": "0.02", "ok": false}').fields
    assert (seen["took"].lines, seen["took"].numbers) == (2, 1)
    assert (seen["ok"].lines, seen["ok"].numbers) == (2, 0)


def test_a_field_within_another_is_named_by_both():
    assert list(sample('{"http": {"method": "GET"}, "empty": {}}').fields) == ["http.method", "empty"]


def test_only_fields_that_every_object_has_are_always_there():
    assert sample('{"a": 1, "b": 1}', '{"a": 2}').always() == ["a"]


def test_what_is_kept_of_a_log_is_bounded():
    many = sample(*(f'{{"id": {number}}}' for number in range(MOST_VALUES + 5)))
    assert len(many.fields["id"].values) == MOST_VALUES
    odd = sample(*(f'{{"id{number}": 1}}' for number in range(MOST_FIELDS + 5)))
    assert (len(odd.fields), odd.cut) == (MOST_FIELDS, True)
