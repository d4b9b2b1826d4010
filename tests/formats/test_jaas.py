import pytest

from runbook.formats.jaas import read_logins


def test_options_belong_to_the_module_before_them():
    pieces = ["KafkaServer {", "a.PlainLoginModule required", 'username="x"', "user_y", "b.OtherLoginModule", "z", "};"]
    logins = read_logins(pieces)
    assert [(login.module, login.options, login.users, login.values) for login in logins] == [
        ("a.PlainLoginModule", ["username", "user_y"], ["y"], {"username": "x"}),
        ("b.OtherLoginModule", ["z"], [], {}),
    ]


def test_a_section_ends_with_its_brace_and_the_next_may_have_its_own_on_another_line():
    logins = read_logins(["KafkaServer {", "a.b optional", "}", "Client", "c.D required", "password", "}"])
    assert [(login.section, login.module, login.options) for login in logins] == [
        ("KafkaServer", "a.b", []),
        ("Client", "c.D", ["password"]),
    ]


def test_what_is_commented_out_counts_for_nothing():
    assert read_logins(["/*", "KafkaServer {", "a.b required", "}", "*/"]) == []


def test_a_setting_is_a_section_of_its_own():
    [login] = read_logins(["listener.name.x.plain.sasl.jaas.config=", "a.b required", "password"])
    assert (login.section, login.options) == ("listener.name.x.plain.sasl.jaas.config", ["password"])


@pytest.mark.parametrize(
    ("pieces", "closed"),
    [
        (["KafkaServer {", "a.b required", "};", "Client {", "c.d required", "};"], [True, True]),
        (["KafkaServer {", "a.b required", "}", ";"], [True]),  # over two lines, as Java takes it too
        (["KafkaServer {", "a.b required", ";", "}  ;"], [True]),
        (["KafkaServer {", "a.b required", "}"], [False]),
        (["KafkaServer {", "a.b required"], [False]),
        (["KafkaServer {", "a.b required", ";", "Client {", "c.d required", "};"], [False, True]),
        (["KafkaServer {", "a.b required", "Client", "c.d required", "};"], [False, True]),
        (["x.sasl.jaas.config=", "a.b required", "password"], [True]),
    ],
)
def test_a_section_is_closed_by_a_brace_with_its_semicolon_alone(pieces: list[str], closed: list[bool]):
    assert [login.closed for login in read_logins(pieces)] == closed
