from runbook.formats.strimzi_stored import stored


def test_a_field_that_is_null_is_not_there():
    assert stored({"tls": None, "mirrors": [{"source": {"tls": None, "alias": "paris"}}]}) == {
        "mirrors": [{"source": {"alias": "paris"}}]
    }


def test_nulls_of_an_open_field_stay():
    assert stored({"config": {"log.dirs": None}, "listenerConfig": None}) == {"config": {"log.dirs": None}}
