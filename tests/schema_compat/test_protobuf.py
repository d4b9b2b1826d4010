from typing import Any

import pytest

from schema_compat import Field, SchemaError, UndecidedSchema, incompatibilities, parse, unreserved

FILE = """syntax = "proto3";
package shop.v1;
import "google/protobuf/timestamp.proto";

// What a customer bought.
message Order {
  reserved 2, 9 to 11, 40 to max;
  reserved "foo", "bar";
  // of the order
  string id /* never empty */ = 1;
  optional Item first = 3 [deprecated = true]; // the one that counts
  oneof paid { int32 cash = 4; string card = 5; }
  map<string, Item> items = 6;
  repeated .shop.v1.Order.State states = 7;
  google.protobuf.Timestamp at = 8;
  enum State { STATE_UNSPECIFIED = 0; NEW = 1; }
  message Item { string sku = 1; Order within = 2; }
}
"""


def v3(body: str, head: str = "") -> str:
    return f'syntax = "proto3"; package p; {head} message A {{ {body} }}'


def v2(body: str) -> str:
    return f'syntax = "proto2"; package p; message A {{ {body} }}'


def judged(reader: str, writer: str) -> list[str]:
    return incompatibilities(parse("PROTOBUF", reader), parse("PROTOBUF", writer))


def test_a_file_tells_the_fields_of_its_first_message_and_of_those_within():
    order = parse("PROTOBUF", FILE)
    assert (order.kind, order.name, order.documented) == ("PROTOBUF", "shop.v1.Order", True)
    assert [(field.path, field.type, field.documented) for field in order.fields()] == [
        ("id", "string #1", True),
        ("first", "optional Item #3", True),
        ("first.sku", "string #1", False),
        ("first.within", "Order #2", False),
        ("cash", "int32 #4", False),
        ("card", "string #5", False),
        ("items", "map<string,Item> #6", False),
        ("items{}.sku", "string #1", False),
        ("items{}.within", "Order #2", False),
        ("states", "repeated enum State #7", False),
        ("at", "Timestamp #8", False),
    ]
    assert order.problems() == []


def test_a_required_field_is_not_optional_and_a_default_is_told():
    fields = parse("PROTOBUF", v2('required int32 a = 1; optional string b = 2 [default = "x"];')).fields()
    rest = {"null_default": None, "documented": False, "logical_type": ""}
    assert fields[0] == Field("a", "required int32 #1", optional=False, has_default=False, number=1, **rest)
    assert fields[1] == Field("b", "optional string #2", optional=True, has_default=True, number=2, **rest)


def test_what_bites_later_is_told_with_its_place():
    assert parse("PROTOBUF", "message A { required int32 a = 1; enum Color { RED = 0; } }").problems() == [
        "the schema: has no syntax: it is read as proto2",
        "A: has no package: another message of that name can't be told from it",
        "A.a: required: it can neither be added to nor removed from what is written",
        "A.Color.RED: is 0: whoever does not set the field says RED",
    ]


@pytest.mark.parametrize(
    ("reader", "writer", "says"),
    [
        ("string a = 1;", "string a = 1; int32 b = 2;", []),
        ("string a = 1; int32 b = 2;", "string a = 1;", []),
        ("string b = 1;", "string a = 1;", []),
        ("int64 a = 1;", "int32 a = 1;", []),
        ("int32 a = 1;", "int64 a = 1;", ["A.a: int32 does not hold every value of int64 [range]"]),
        ("uint32 a = 1;", "int32 a = 1;", ["A.a: uint32 does not hold every value of int32 [range]"]),
        ("sint32 a = 1;", "int32 a = 1;", ["A.a: sint32 does not read int32 [type]"]),
        ("bytes a = 1;", "string a = 1;", []),
        ("string a = 1;", "bytes a = 1;", ["A.a: string does not hold every value of bytes [range]"]),
        ("string a = 2;", "string a = 1;", ["A.a: its number 2 was 1: the value is lost without a word [number]"]),
        ("repeated string a = 1;", "string a = 1;", []),
        (
            "string a = 1;",
            "repeated string a = 1;",
            ["A.a: the writer writes many values, of which the reader keeps the last [label]"],
        ),
        ("repeated int32 a = 1;", "int32 a = 1;", []),  # readers take numbers packed or not
        ("optional int32 a = 1;", "int32 a = 1;", []),
        ("oneof x { string a = 1; int32 b = 2; }", "string a = 1;", []),
        (
            "oneof x { string a = 1; int32 b = 2; }",
            "string a = 1; int32 b = 2;",
            ["A.x: the writer may set a and b together, the reader keeps one [oneof]"],
        ),
        ("string a = 1; int32 b = 2;", "oneof x { string a = 1; int32 b = 2; }", []),
        (
            "oneof x { string a = 1; }",
            "oneof x { string a = 1; int32 b = 2; }",
            ["A.b: is of the oneof x and not known to the reader: it reads that none is set [oneof]"],
        ),
        ("map<string, int64> a = 1;", "map<string, int32> a = 1;", []),
        ("map<string, string> a = 1;", "map<string, int32> a = 1;", ["A.a: string does not read int32 [type]"]),
        ("map<int32, string> a = 1;", "map<string, string> a = 1;", ["A.a{}: int32 does not read string [type]"]),
        # What is on the wire is the same; of two entries of one key a map keeps one.
        ("message I { string k = 1; int64 v = 2; } repeated I a = 1;", "map<string, int32> a = 1;", []),
        (
            "message I { string k = 1; string v = 2; } repeated I a = 1;",
            "map<string, int32> a = 1;",
            ["A.a: string does not read int32 [type]"],
        ),
        (
            "message I { string k = 1; int32 v = 3; } repeated I a = 1;",
            "map<string, int32> a = 1;",
            ["A.a: a map and what is no map do not read each other [type]"],
        ),
        (
            "map<string, int32> a = 1;",
            "message I { string k = 1; int32 v = 2; } repeated I a = 1;",
            [
                "A.a: a map and what is no map do not read each other [type]",
                "A.I: the reader's schema has no such message [message]",
            ],
        ),
        (
            "string a = 1;",
            "map<string, string> a = 1;",
            ["A.a: a map and what is no map do not read each other [type]"],
        ),
        (
            "message I { string x = 1; } I a = 1;",
            "message I { int32 x = 1; } I a = 1;",
            ["A.I.x: string does not read int32 [type]"],
        ),
        ("int32 a = 1;", "enum E { Z = 0; } E a = 1;", []),
        ("enum E { Z = 0; } E a = 1;", "int32 a = 1;", []),  # an open enum keeps what it has no name for
        ("enum E { Z = 0; } E a = 1;", "int64 a = 1;", ["A.a: enum does not hold every value of int64 [range]"]),
        (
            "enum E { Z = 0; ON = 2; OFF = 1; } E a = 1;",
            "enum E { Z = 0; ON = 1; OFF = 2; } E a = 1;",
            ["A.a: ON was 1 and is 2 in the enum p.A.E: what is read is another value [symbols]"],
        ),
        ("enum E { Z = 0; LIVE = 1; } E a = 1;", "enum E { Z = 0; ON = 1; } E a = 1;", []),  # a value is renamed
        (
            "oneof y { string a = 1; }",
            "oneof x { string a = 1; int32 b = 2; }",
            ["A.b: is of the oneof x and not known to the reader: it reads that none is set [oneof]"],
        ),
        ("enum E { Z = 0; } E a = 1;", "enum E { Z = 0; Y = 1; } E a = 1;", []),
        ("", "message I { } I a = 1;", ["A.I: the reader's schema has no such message [message]"]),
    ],
)
def test_a_reader_reads_what_is_on_the_wire_unless_it_means_something_else(reader: str, writer: str, says: list[str]):
    assert judged(v3(reader), v3(writer)) == says


def test_what_only_proto2_knows_is_judged():
    assert judged(v2("required int32 a = 1;"), v2("optional int32 a = 1;")) == [
        "A.a: required, and the writer may leave it out [required]"
    ]
    assert judged(v2("required int32 a = 1;"), v2("")) == ["A.a: required, and the writer does not have it [required]"]
    old, new = "enum E { Z = 0; } optional E a = 1;", "enum E { Z = 0; Y = 1; } optional E a = 1;"
    assert judged(v2(old), v2(new)) == ["A.a: the closed enum p.A.E has no Y [symbols]"]
    assert judged(v2(old), v2("optional int32 a = 1;")) == ["A.a: enum does not hold every value of int32 [range]"]
    group = "optional group Part = 1 { optional int32 x = 1; }"
    assert judged(v2(group), v2(group)) == []
    message = "message Part { optional int32 x = 1; } optional Part part = 1;"
    assert judged(v2(message), v2(group)) == ["A.part: a group and what is no group do not read each other [type]"]


def test_another_package_is_the_same_message():
    assert judged(v3("A a = 1;").replace("package p", "package q"), v3("A a = 1;")) == []


def test_imported_files_are_read_and_judged():
    reader, writer = (f'syntax = "proto3"; package c; message M {{ {kind} x = 1; }}' for kind in ("string", "int32"))
    text = v3("c.M m = 1;", 'import "c.proto";')
    one, other = (parse("PROTOBUF", text, {"c.proto": ("PROTOBUF", inner)}) for inner in (reader, writer))
    assert [field.path for field in one.fields()] == ["m", "m.x"]
    assert incompatibilities(one, one) == []
    assert incompatibilities(one, other) == ["c.M.x: string does not read int32 [type]"]
    with pytest.raises(SchemaError, match=r"it imports c\.proto, which is not there"):
        parse("PROTOBUF", text)


def test_a_message_imported_from_another_package_is_judged_by_what_it_holds():
    def imports(package: str, body: str) -> Any:
        inner = (
            f'syntax = "proto3"; package {package}; message M {{ {body} }} enum E {{ Z = 0; {package.upper()} = 1; }}'
        )
        text = v3(f"{package}.M m = 1; {package}.E e = 2;", f'import "{package}.proto";')
        return parse("PROTOBUF", text, {f"{package}.proto": ("PROTOBUF", inner)})

    assert incompatibilities(imports("c", "string x = 1; M m = 2;"), imports("d", "string x = 1; M m = 2;")) == []
    wrong = ["c.M.x: string does not read int32 [type]"]
    assert incompatibilities(imports("c", "string x = 1; M m = 2;"), imports("d", "int32 x = 1; M m = 2;")) == wrong


def test_a_change_of_extensions_is_not_guessed_at():
    old = v2("extensions 100 to 200;") + " extend A { optional int32 more = 126; }"
    assert judged(old, old) == []
    with pytest.raises(UndecidedSchema, match="Extensions add fields"):
        judged(old.replace("126", "127"), old)
    option = (
        'import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { optional bool pii = 50001; }'
    )
    assert judged(v3("int32 a = 1;", option), v3("int32 a = 1;")) == []


def test_the_features_of_an_edition_are_not_guessed_at():
    plain = 'edition = "2023"; package p; message A { int32 a = 1; }'
    assert judged(plain, plain) == []
    packed = plain.replace("a = 1", "a = 1 [features.field_presence = LEGACY_REQUIRED]")
    with pytest.raises(UndecidedSchema, match="features of an edition"):
        judged(packed, plain)


def test_numbers_and_names_that_may_be_used_again_are_told():
    def found(new: str, old: str) -> list[str]:
        return unreserved(parse("PROTOBUF", v3(new)), parse("PROTOBUF", v3(old)))

    old = "string a = 1; int32 b = 2; enum E { Z = 0; Y = 1; }"
    assert found(old, old) == []
    assert found("string a = 1; reserved 2; reserved 'b'; enum E { Z = 0; reserved 1; reserved 'Y'; }", old) == []
    assert found("string a = 1; enum E { Z = 0; reserved 1; }", old) == [
        "p.A.b: removed, and its number 2 is not reserved",
        "p.A.b: removed, and its name is not reserved",
        "p.A.E.Y: removed, and its name is not reserved",
    ]
    assert found("string a = 1; string c = 2; enum E { Z = 0; Y = 1; }", old) == [
        "p.A.b: its number 2 now belongs to c",
        "p.A.b: removed, and its name is not reserved",
    ]
    assert found("string a = 1; reserved 5;", "string a = 1; reserved 3, 5 to 6; reserved 'x';") == [
        "p.A: 3 was reserved and is no longer",
        "p.A: 5 to 6 was reserved and is no longer",
        "p.A: x was reserved and is no longer",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("garbage", "line 1, column 1"),
        ("message A { string x = ; }", "line 1, column 24"),
        ("/* never closed", "line 1, column 2"),
        (v3("B b = 1;"), "p.A: the type B is not there"),
        (v3("int32 a = 1; int32 b = 1;"), "p.A: a and b both have the number 1"),
        (v3("int32 a = 1; int32 a = 2;"), "p.A: a is there twice"),
        (v3("reserved 1 to 3; int32 a = 2;"), "p.A: a = 2 is reserved"),
        (v3("int32 a = 19500;"), "p.A: a has the number 19500, which no field can have"),
        (v3("required int32 a = 1;"), "p.A: a is required, which proto3 does not know"),
        (v3("enum E { A = 1; }"), "p.A.E: its first value is 1, and must be 0 in proto3"),
        (v3("message I {} message I {}"), "p.A.I: is declared twice"),
        ('syntax = "proto9";', "its syntax proto9 is not known"),
        ("message A {" * 60, "nests deeper than 48 levels"),
        ("((" * 60_000, "nests deeper than 48 levels"),
        (" " * 300_000, "has 300,000 characters; at most 262,144 are read"),
    ],
)
def test_what_is_no_file_is_refused_with_the_place(text: str, says: str, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(SchemaError) as caught:
        parse("PROTOBUF", text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500
    assert capfd.readouterr() == ("", "")


def test_messages_that_unfold_without_end_are_refused():
    many = " ".join(f"message M{i} {{ M{i - 1} a = 1; M{i - 1} b = 2; }}" for i in range(1, 40))
    with pytest.raises(SchemaError, match="more than 5,000 fields"):
        parse("PROTOBUF", 'syntax = "proto3"; message R { M39 r = 1; } message M0 { int32 x = 1; } ' + many)
    chain = " ".join(f"message M{i} {{ M{i - 1} a = 1; }}" for i in range(1, 90))
    with pytest.raises(SchemaError, match="nests deeper than 48 messages"):
        parse("PROTOBUF", 'syntax = "proto3"; message R { M89 r = 1; } message M0 { int32 x = 1; } ' + chain)


def test_an_enum_that_no_field_of_the_file_uses_may_be_imported():
    def file(values: str) -> str:
        return f'syntax = "proto3"; package p; enum State {{ UNKNOWN = 0; {values} }}'

    moved = judged(file("ON = 2; OFF = 1;"), file("ON = 1; OFF = 2;"))
    assert moved == ["State: ON was 1 and is 2 in the enum p.State: what is read is another value [symbols]"]
    assert judged(file("ON = 1; OFF = 2; LOST = 3;"), file("ON = 1; OFF = 2;")) == []
