import json
from typing import Any

import pytest

from schema_compat import Field, SchemaError, incompatibilities, parse, unreserved


def record(*fields: dict[str, Any], name: str = "shop.Order", **more: Any) -> str:
    return json.dumps({"type": "record", "name": name, "fields": list(fields), **more})


def field(name: str, kind: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, **more}


def judged(reader: str, writer: str) -> list[str]:
    return incompatibilities(parse("AVRO", reader), parse("AVRO", writer))


ITEM = {"type": "record", "name": "Item", "fields": [field("sku", "string"), field("count", "int", default=1)]}


def test_a_schema_tells_its_fields_and_those_of_inner_records():
    order = parse(
        "AVRO",
        record(
            field("id", "string", doc="of the order"),
            field("note", ["null", "string"], default=None),
            field("reason", ["string", "null"]),
            field("lines", {"type": "array", "items": ITEM}),
            field("at", {"type": "long", "logicalType": "timestamp-millis"}),
            field("state", {"type": "enum", "name": "State", "symbols": ["NEW"], "default": "NEW"}, default="NEW"),
            doc="What a customer bought",
        ),
    )
    assert (order.kind, order.name, order.documented) == ("AVRO", "shop.Order", True)
    plain = {"optional": False, "has_default": False, "null_default": None, "documented": False}
    plain |= {"logical_type": "", "number": 0}
    defaulted = plain | {"optional": True, "has_default": True}
    assert list(order.fields()) == [
        Field("id", "string", **plain | {"documented": True}),
        Field("note", "union<null,string>", **defaulted | {"null_default": True}),
        Field("reason", "union<string,null>", **plain | {"null_default": False}),
        Field("lines", "array<Item>", **plain),
        Field("lines[].sku", "string", **plain),
        Field("lines[].count", "int", **defaulted),
        Field("at", "long", **plain | {"logical_type": "timestamp-millis"}),
        Field("state", "enum State", **defaulted),
    ]
    assert order.problems() == ["reason: may be null but has no default: what was written without it can't be read"]


def test_what_bites_later_is_told_with_its_place():
    order = parse(
        "AVRO",
        record(
            field("state", {"type": "enum", "name": "State", "symbols": ["NEW"]}),
            field("note", ["string", "null"], default=None),
            field("word", ["null", "string"], default="none"),
            field("fits", ["null", "string"], default=None),
            field("sums", {"type": "array", "items": {"type": "bytes", "logicalType": "decimal"}}),
            field("price", {"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 3}),
            field("tax", {"type": "fixed", "name": "Tax", "size": 2, "logicalType": "decimal", "precision": 5}),
            field("at", {"type": "string", "logicalType": "timestamp-millis"}),
            field("fine", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}),
            name="Order",
        ),
    )
    assert order.problems() == [
        "Order: has no namespace: another type of that name can't be told from it",
        "state: the enum State has no default: a reader stops at a symbol that is added later",
        "note: its default null is not of the union's first type: readers older than Avro 1.12 refuse that",
        "word: its default 'none' is not of the union's first type: readers older than Avro 1.12 refuse that",
        "sums: a decimal without precision is no decimal: readers take the bare bytes",
        "price: its scale 3 is not within its precision 2: readers take the bare bytes",
        "tax: 2 bytes hold no 5 digits: readers take the bare bytes",
        "at: timestamp-millis means nothing on string: readers take the bare value",
    ]


E1 = {"type": "enum", "name": "State", "symbols": ["NEW", "PAID"]}
E2 = {"type": "enum", "name": "State", "symbols": ["NEW", "PAID", "SENT"]}
BASE = field("id", "string")


@pytest.mark.parametrize(
    ("reader", "writer", "says"),
    [
        ([BASE, field("n", "int")], [BASE], ["n: has no default, and the writer has no such field [default]"]),
        ([BASE, field("n", "int", default=0)], [BASE], []),
        ([BASE], [BASE, field("n", "int")], []),
        ([field("n", "long")], [field("n", "int")], []),
        ([field("n", "int")], [field("n", "long")], ["n: int does not read long [type]"]),
        ([field("n", "string")], [field("n", "bytes")], []),
        ([field("m", "int", aliases=["n"])], [field("n", "int")], []),
        ([field("n", ["null", "int"])], [field("n", "int")], []),
        ([field("n", "int")], [field("n", ["null", "int"])], ["n: int does not read null [type]"]),
        (
            [field("n", ["null", "int"])],
            [field("n", ["null", "string"])],
            ["n: no type of the union reads string [union]"],
        ),
        ([field("s", E1)], [field("s", E2)], ["s: the enum State has no SENT, and no default [symbols]"]),
        ([field("s", E1 | {"default": "NEW"})], [field("s", E2)], []),
        ([field("s", E2)], [field("s", E1)], []),
        (
            [field("l", {"type": "array", "items": ITEM})],
            [field("l", {"type": "array", "items": ITEM | {"fields": []}})],
            ["l[].sku: has no default, and the writer has no such field [default]"],
        ),
        (
            [field("l", {"type": "map", "values": "int"})],
            [field("l", {"type": "map", "values": "string"})],
            ["l{}: int does not read string [type]"],
        ),
        (
            [field("f", {"type": "fixed", "name": "F", "size": 4})],
            [field("f", {"type": "fixed", "name": "F", "size": 8})],
            ["f: the fixed F of 4 bytes does not read 8 bytes [size]"],
        ),
        (
            [field("t", {"type": "long", "logicalType": "timestamp-millis"})],
            [field("t", {"type": "long", "logicalType": "timestamp-micros"})],
            ["t: timestamp-millis does not read timestamp-micros: the same number means something else [logical type]"],
        ),
        ([field("t", {"type": "long", "logicalType": "timestamp-millis"})], [field("t", "long")], []),
        (
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2})],
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4})],
            ["p: a decimal of scale 2 does not read one of scale 4 [scale]"],
        ),
        (  # Avro 1.12.1 reads 12.34, written as big-decimal, as the decimal 674247.72, and the other way ends in EOF
            [field("p", {"type": "bytes", "logicalType": "big-decimal"})],
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2})],
            ["p: big-decimal does not read decimal: the same number means something else [logical type]"],
        ),
        (
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2})],
            [field("p", {"type": "bytes", "logicalType": "big-decimal"})],
            ["p: decimal does not read big-decimal: the same number means something else [logical type]"],
        ),
        ([field("p", {"type": "bytes", "logicalType": "big-decimal"})], [field("p", "bytes")], []),
        # What the specification does not know, or not there, is ignored.
        (
            [field("p", {"type": "bytes", "logicalType": "money"})],
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4})],
            [],
        ),
        (
            [field("t", {"type": "string", "logicalType": "timestamp-millis"})],
            [field("t", {"type": "string", "logicalType": "uuid"})],
            [],
        ),
        (
            [field("p", {"type": "bytes", "logicalType": "decimal"})],
            [field("p", {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4})],
            [],
        ),
    ],
)
def test_a_reader_reads_what_the_rules_of_resolution_let_it(reader: Any, writer: Any, says: list[str]):
    assert judged(record(*reader), record(*writer)) == says


def test_a_record_of_another_name_is_read_only_under_an_alias():
    assert judged(record(BASE, name="shop.Sale"), record(BASE)) == [
        "the schema: the record shop.Sale does not read shop.Order, and has no such alias [name]"
    ]
    assert judged(record(BASE, name="shop.Sale", aliases=["Order"]), record(BASE)) == []
    assert judged(record(BASE, name="store.Order"), record(BASE)) == []


def tree(value: str) -> str:
    return record(field("left", ["null", "Tree"]), field("value", value), name="Tree")


def test_types_within_themselves_are_judged_and_told_of_once():
    assert judged(tree("int"), tree("int")) == []
    assert judged(tree("int"), tree("string"))[-1] == "value: int does not read string [type]"
    assert [field.path for field in parse("AVRO", tree("int")).fields()] == ["left", "value"]


def test_a_pair_that_fails_late_does_not_make_another_one_pass():
    """Q passes only as long as P, within which it is met first, has not been seen to fail."""

    def pair(value: str) -> str:
        inner = {"type": "record", "name": "Q", "fields": [field("p", ["null", "P"])]}
        return record(
            field("q", ["null", inner]),
            field("value", value),
            name="P",
        )

    def both(value: str) -> str:
        return json.dumps([json.loads(pair(value)), "null"])

    assert judged(both("int"), both("int")) == []
    assert judged(both("int"), both("string")) != []


def test_referenced_types_are_found_in_whatever_order_they_are_given():
    line = ("AVRO", record(field("item", "shop.Item"), name="shop.Line"))
    item = ("AVRO", record(field("sku", "string"), name="shop.Item"))
    order = record(field("line", "shop.Line"))
    parsed = parse("AVRO", order, {"line.avsc": line, "item.avsc": item})
    assert [field.path for field in parsed.fields()] == ["line", "line.item", "line.item.sku"]
    with pytest.raises(SchemaError, match=r"^The Avro schema can't be read: the type shop\.Line is not there$"):
        parse("AVRO", order)
    with pytest.raises(
        SchemaError, match=r"^The reference line\.avsc can't be read: the type shop\.Item is not there$"
    ):
        parse("AVRO", order, {"line.avsc": line})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON: line 1, column 2"),
        ("NaN", "NaN is no value of JSON"),
        ('"nothing"', "the type nothing is not there"),
        ("3", "can't be read"),
        ('{"type": "record", "name": "A"}', "fields"),
        (record(field("n", "int", default="none")), "n: its default is no int: none"),
        (record(field("n", ["null", "int"], default="x")), "n: its default is no union<null,int>: x"),
        (record(field("n", "int"), field("n", "int")), "n already in use"),
        (record(field("n", ["int", "int"])), "int type already in Union"),
        (record(field("n", [ITEM, "Item"])), "n: its union has Item twice"),
        (record(field("n", {"type": "fixed", "name": "F"})), "can't be read"),
        (record(field("n", {"type": "enum", "name": "E", "symbols": ["A", "A"]})), "can't be read"),
        ("[" * 60_000, "nests deeper than 48 levels"),
        (" " * 2_000_000, "has 2,000,000 characters; at most 1,048,576 are read"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_reason(text: str, says: str):
    with pytest.raises(SchemaError) as caught:
        parse("AVRO", text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500


def test_types_that_unfold_without_end_are_refused():
    names = [f"T{place}" for place in range(40)]
    inner: dict[str, Any] | str = "int"
    for name in names:
        first = {"type": "record", "name": name, "fields": [field("a", inner)]}
        first["fields"].append(field("b", inner if isinstance(inner, str) else inner["name"]))
        inner = first
    with pytest.raises(SchemaError, match=r"nests deeper|more than 5,000 fields"):
        parse("AVRO", json.dumps(inner))
    chain = [{"type": "record", "name": "C0", "fields": [field("x", "int")]}]
    chain += [{"type": "record", "name": f"C{i}", "fields": [field("x", f"C{i - 1}")]} for i in range(1, 900)]
    with pytest.raises(SchemaError, match="nests deeper than 48 types"):
        parse("AVRO", json.dumps(chain))


def test_the_same_word_is_no_kind_of_schema():
    with pytest.raises(SchemaError, match="XML is no kind of schema that is known; known are AVRO, JSON, PROTOBUF"):
        parse("XML", "<a/>")


def test_only_protobuf_reserves():
    assert unreserved(parse("AVRO", record()), parse("AVRO", record(BASE))) == []
