import json
from random import Random
from typing import Any

import pytest

from schema_compat import Field, SchemaError, UndecidedSchema, incompatibilities, parse
from support.json_samples import samples, takes
from support.schema_pairs import COMPATIBLE, judged, pairs

DRAFT2020 = "https://json-schema.org/draft/2020-12/schema"
DRAFT7 = "http://json-schema.org/draft-07/schema#"
TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def item(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return item(properties, additionalProperties=False, **more)


def read(schema: Any, draft: str = DRAFT7) -> Any:
    return parse("JSON", json.dumps({"$schema": draft, **schema}))


def judge(reader: Any, writer: Any) -> list[str]:
    return incompatibilities(read(reader), read(writer))


def test_a_schema_tells_its_properties_with_those_of_references_branches_and_items():
    order = read(
        {
            "title": "shop.Order",
            "description": "What a customer bought",
            **item(
                {
                    "id": {"type": "string", "format": "uuid", "description": "of the order"},
                    "state": {"enum": ["new", "paid"], "default": "new"},
                    "lines": {"type": "array", "items": {"$ref": "#/definitions/line"}},
                    "note": {"type": ["string", "null"]},
                    "pay": {"oneOf": [item({"card": TEXT}), {"type": "null"}]},
                    "labels": {"type": "object", "additionalProperties": item({"text": TEXT})},
                },
                required=["id"],
            ),
            "definitions": {"line": item({"sku": TEXT, "parts": {"$ref": "#/definitions/line"}}, required=["sku"])},
        }
    )
    assert (order.kind, order.name, order.documented) == ("JSON", "shop.Order", True)
    rest = {"null_default": None, "number": 0}
    assert order.fields()[0] == Field("id", "string", False, False, documented=True, logical_type="uuid", **rest)  # noqa: FBT003
    assert [(field.path, field.type, field.optional, field.has_default) for field in order.fields()] == [
        ("id", "string", False, False),
        ("state", "enum", True, True),
        ("lines", "array<line>", True, False),
        ("lines[].sku", "string", False, False),
        ("lines[].parts", "line", True, False),
        ("note", "union<string,null>", True, False),
        ("pay", "union<object,null>", True, False),
        ("pay.card", "string", True, False),
        ("labels", "object", True, False),
        ("labels{}.text", "string", True, False),
    ]


def test_what_bites_later_is_told_with_its_place():
    schema = json.dumps(item({"a": {}, "b": closed({"c": TEXT})}, required=["a", "z"]))
    assert parse("JSON", schema).problems() == [
        "the schema: has no $schema: it is read as draft 7",
        "the schema: does not say whether it has other fields: a field that is added later may be there as anything",
        "the schema: requires z, which it does not describe",
        "a: has no type: anything is valid there",
    ]


def field(schema: Any) -> dict[str, Any]:
    return item({"a": schema})


@pytest.mark.parametrize(
    ("reader", "writer", "says"),
    [
        (field(TEXT), item({}), "a: the writer's schema does not name it but is open: it may be anything there [open]"),
        (closed({"a": TEXT}), closed({}), ""),
        (item({}), field(TEXT), ""),
        (closed({}), closed({"a": TEXT}), "a: the reader does not let it be, and the writer may write it [closed]"),
        (
            closed({"a": TEXT}),
            field(TEXT),
            "{}: the reader takes no fields but its own, and the writer may write others [closed]",
        ),
        (item({"a": TEXT}, required=["a"]), field(TEXT), "a: required, and the writer may leave it out [required]"),
        (field(NUMBER), field(WHOLE), ""),
        (
            field(WHOLE),
            field(NUMBER),
            "a: the reader does not take numbers with a fraction, which the writer may write [type]",
        ),
        (field({"type": ["string", "null"]}), field(TEXT), ""),
        (
            field(TEXT),
            field({"type": ["string", "null"]}),
            "a: the reader does not take null, which the writer may write [type]",
        ),
        (field({"enum": ["x", "y"]}), field({"const": "x"}), ""),
        (field({"enum": ["x"]}), field({"enum": ["x", "y"]}), 'a: the reader does not take "y" [enum]'),
        (
            field({"enum": ["x"]}),
            field(TEXT),
            'a: the reader takes only "x", and the writer others too [enum]',
        ),
        (field({"type": "integer", "minimum": 1}), field({"type": "integer", "exclusiveMinimum": 0}), ""),
        (
            field({"type": "number", "maximum": 5}),
            field({"type": "number", "maximum": 6}),
            "a: the reader takes to 5, and the writer writes to 6 [maximum]",
        ),
        (field({"type": "integer", "multipleOf": 2}), field({"type": "integer", "multipleOf": 4}), ""),
        (
            field({"type": "string", "maxLength": 5}),
            field(TEXT),
            "a: the reader takes 5 at most, and the writer any number [maxLength]",
        ),
        (
            field({"type": "string", "pattern": "^a"}),
            field({"type": "string", "pattern": "^b"}),
            "a: the reader takes ^a, and the writer writes ^b [pattern]",
        ),
        (field({"format": "date"}), field({"const": "2026-11-22"}), ""),
        (field({"format": "date"}), field({"const": "soon"}), 'a: the reader does not take "soon" [enum]'),
        (field({"type": "array", "items": NUMBER}), field({"type": "array", "items": WHOLE}), ""),
        (
            field({"type": "array", "items": WHOLE}),
            field({"type": "array", "items": TEXT}),
            "a[]: the reader does not take string, which the writer may write [type]",
        ),
        (
            field({"type": "array", "uniqueItems": True}),
            field({"type": "array"}),
            "a: the reader takes no item twice, and the writer may write one twice [uniqueItems]",
        ),
        (field({"type": "array", "items": [TEXT, WHOLE]}), field({"type": "array", "items": [TEXT, WHOLE]}), ""),
        (field({"oneOf": [TEXT, {"type": "null"}]}), field({"type": ["null", "string"]}), ""),
        (field({"anyOf": [TEXT, WHOLE]}), field({"anyOf": [WHOLE, TEXT]}), ""),
        (
            field({"anyOf": [TEXT, WHOLE]}),
            field({"type": "boolean"}),
            "a: the reader does not take false, true [type]",
        ),
        (field({"not": {"type": "null"}}), field(TEXT), ""),
        (field({"allOf": [NUMBER, {"minimum": 0}]}), field({"type": "integer", "minimum": 1}), ""),
        (
            item({}, maxProperties=1),
            closed({"a": TEXT, "b": TEXT}),
            "the schema: the reader takes 1 at most, and the writer may write 2 [maxProperties]",
        ),
        (item({}, patternProperties={"^x": TEXT}), closed({"xa": TEXT}), ""),
        (
            item({}, patternProperties={"^x": TEXT}),
            closed({"xa": WHOLE}),
            "xa: the reader does not take whole numbers, which the writer may write [type]",
        ),
        (item({}, propertyNames={"maxLength": 1}), closed({"a": TEXT}), ""),
        (item({}, propertyNames={"pattern": "a*"}), item({}), ""),  # found in every name
        (
            item({}, propertyNames={"pattern": "^a*$"}),
            item({}),
            "{}: of names: the reader takes ^a*$, and the writer writes any [propertyNames]",
        ),
        (
            item({}, propertyNames={"maxLength": 1}),
            closed({"ab": TEXT}),
            "ab: the reader takes no field of that name [propertyNames]",
        ),
        (
            item({}, dependencies={"a": ["b"]}),
            closed({"a": TEXT, "b": TEXT}),
            "a: needs b beside it, which the writer may leave out [dependentRequired]",
        ),
        (item({}, dependencies={"a": ["b"]}), closed({"a": TEXT, "b": TEXT}, required=["b"]), ""),
        (
            item({}, dependencies={"a": {"properties": {"b": WHOLE}}}),
            closed({"a": TEXT, "b": TEXT}),
            "a: with it, b: the reader does not take string, which the writer may write [type] [dependentSchemas]",
        ),
        (item({}, dependencies={"c": {"properties": {"b": WHOLE}}}), closed({"a": TEXT, "b": TEXT}), ""),
    ],
)
def test_a_reader_takes_what_is_valid_for_it(reader: Any, writer: Any, says: str):
    assert judge(reader, writer) == ([says] if says else [])


def test_what_is_left_unevaluated_is_what_is_additional_where_nothing_else_looks_at_fields():
    def sealed(properties: dict[str, Any], **more: Any) -> Any:
        return read(item(properties, unevaluatedProperties=False, **more), DRAFT2020)

    few, more = {"a": TEXT}, {"a": TEXT, "b": TEXT}
    assert incompatibilities(sealed(more), sealed(few)) == []
    [clash] = incompatibilities(sealed(few), sealed(more))
    assert clash == incompatibilities(read(closed(few), DRAFT2020), read(closed(more), DRAFT2020))[0]
    with pytest.raises(UndecidedSchema, match="unevaluatedProperties"):
        incompatibilities(sealed(more, allOf=[{"properties": {"c": TEXT}}]), sealed(few))


@pytest.mark.parametrize("keyword", ["unevaluatedProperties", "unevaluatedItems"])
def test_what_is_left_unevaluated_is_decided_where_it_is_equal_on_both_sides(keyword: str):
    def looked_at(then: Any) -> Any:
        more = {keyword: False, "if": {"required": ["a"]}, "then": then}
        return read(item({"a": {"type": "array"}}, **more), DRAFT2020)

    assert incompatibilities(looked_at({"required": ["b"]}), looked_at({"required": ["b"]})) == []
    with pytest.raises(UndecidedSchema):
        incompatibilities(looked_at({"required": ["b"]}), looked_at({"required": ["c"]}))


def test_names_of_fields_are_no_annotations():
    """A schema with a field `description` is not that without one."""
    fields = {"title": TEXT, "description": TEXT, "default": TEXT}
    assert judge(closed(fields), closed({**fields, "description": WHOLE})) != []
    assert judge(closed({"title": TEXT}), closed(fields)) != []


def kinds(*names: str) -> list[dict[str, Any]]:
    return [item({"kind": {"const": name}, name: TEXT}, required=["kind"]) for name in names]


def test_of_one_of_several_only_one_may_take_a_value():
    assert judge({"oneOf": kinds("a", "b", "c")}, {"oneOf": kinds("a", "b")}) == []
    assert judge({"oneOf": kinds("a", "b")}, {"oneOf": kinds("a", "b", "c")}) != []
    needed = [item({name: TEXT}, required=[name]) for name in ("a", "b", "c")]
    assert judge({"oneOf": needed[:2], "title": "x"}, {"oneOf": needed[:2]}) == []
    with pytest.raises(UndecidedSchema, match="Two branches of the reader's oneOf may take the same value"):
        judge({"oneOf": needed}, {"oneOf": needed[:2]})


@pytest.mark.parametrize(
    ("reader", "writer"),
    [
        (field({"not": TEXT}), field({"type": ["string", "integer"]})),
        (field({"if": TEXT, "then": {"maxLength": 5}}), field(TEXT)),
        (field({"type": "array", "contains": WHOLE}), field({"type": "array"})),
        (item({}, patternProperties={"^a": TEXT}), item({}, patternProperties={"^b": TEXT})),
        (field({"pattern": "^(a+)+$"}), field({"const": "a" * 100 + "b"})),
        (field({"minLength": 1}), field({"const": "a" * 1000})),
        (field({"format": "of our own"}), field({"const": "a"})),
    ],
)
def test_what_can_not_be_told_is_undecided_and_never_compatible(reader: Any, writer: Any):
    with pytest.raises(UndecidedSchema):
        judge(reader, writer)
    assert judge(reader, reader) == []
    assert judge({**reader, "title": "the same"}, reader) == []


def node(value: Any) -> dict[str, Any]:
    return {
        "$ref": "#/definitions/node",
        "definitions": {"node": item({"next": {"$ref": "#/definitions/node"}, **value})},
    }


def test_schemas_within_themselves_are_judged():
    assert judge(node({"v": NUMBER}), node({"v": WHOLE})) == []
    assert "v: the reader does not take" in judge(node({"v": WHOLE}), node({"v": NUMBER}))[-1]


@pytest.mark.parametrize(
    ("keyword", "of", "words"),
    [
        ("minimum", {"type": "integer"}, "from 1.00000e+400"),
        ("minLength", {"type": "string"}, "takes 1000"),
        ("exclusiveMinimum", {"type": "number"}, "from 1.00000e+400 (itself not)"),
    ],
)
def test_limits_that_no_float_can_hold_are_compared_as_they_stand(keyword: str, of: dict[str, Any], words: str):
    vast = 10**400
    messages = judge(field(of | {keyword: vast}), field(of | {keyword: vast - 1}))
    assert any(words in message for message in messages)
    assert judge(field(of | {keyword: vast - 1}), field(of | {keyword: vast})) == []


@pytest.mark.parametrize(("keyword", "of"), [("maximum", {"type": "integer"}), ("maxItems", {"type": "array"})])
def test_upper_limits_that_no_float_can_hold_are_told(keyword: str, of: dict[str, Any]):
    vast = 10**400
    [message] = judge(field(of | {keyword: vast}), field(of | {keyword: vast + 1}))
    assert "1.00000e+400" in message
    assert judge(field(of | {keyword: vast + 1}), field(of | {keyword: vast})) == []


def test_a_word_of_another_draft_means_nothing():
    old = "http://json-schema.org/draft-04/schema#"
    assert incompatibilities(read(field({"const": 1}), old), read(field({"const": 2}), old)) == []
    exclusive = read(field({"type": "integer", "minimum": 1, "exclusiveMinimum": True}), old)
    assert incompatibilities(exclusive, read(field({"type": "integer", "minimum": 1}), old)) != []
    assert incompatibilities(exclusive, read(field({"type": "integer", "minimum": 2}), old)) == []
    new = "https://json-schema.org/draft/2020-12/schema"
    one, other = (read(field({"type": "array", "prefixItems": [kind]}), new) for kind in (TEXT, WHOLE))
    assert incompatibilities(one, other) == [
        "a[0]: the reader does not take whole numbers, which the writer may write [type]"
    ]
    recursive = read(field({"$dynamicRef": "#here", "$dynamicAnchor": "here"}), new)
    with pytest.raises(UndecidedSchema):
        incompatibilities(recursive, read(field(TEXT), new))


def test_referenced_schemas_are_found_by_name_and_judged():
    text = json.dumps({"$schema": DRAFT7, "properties": {"line": {"$ref": "line.json#/definitions/line"}}})
    one, other = (
        parse("JSON", text, {"line.json": ("JSON", json.dumps({"definitions": {"line": kind}}))})
        for kind in (TEXT, WHOLE)
    )
    assert incompatibilities(one, one) == []
    assert incompatibilities(one, other) == [
        "line: the reader does not take whole numbers, which the writer may write [type]"
    ]
    with pytest.raises(SchemaError, match=r"refers to line\.json#/definitions/line, which is not there"):
        parse("JSON", text)


def endless(count: int, last: str) -> str:
    chain = {f"d{place}": {"$ref": f"#/definitions/d{place + 1}"} for place in range(count)}
    return json.dumps({"$ref": "#/definitions/d0", "definitions": {**chain, f"d{count}": {"$ref": last}}})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3", "it must be an object"),
        ("{", "is no JSON: line 1, column 2"),
        ('{"type": "strin"}', "$.type: "),
        ('{"properties": {"a": {"minimum": "x"}}}', "$.properties.a.minimum: 'x' is not of type 'number'"),
        ('{"$ref": "#/nope"}', "refers to #/nope, which is not there"),
        ('{"$ref": "#/x", "x": {"minimum": "q"}}', "'q' is not of type 'number'"),
        ('{"$ref": "#/x", "x": 3}', "refers to #/x, which is no schema"),
        ('{"$ref": "#"}', "refers to itself without end"),
        ('{"allOf": [{"$ref": "#"}]}', "refers to itself without end"),
        pytest.param(endless(3, "#/definitions/d0"), "refers to itself without end", id="a ring of three"),
        pytest.param(endless(900, "#/definitions/d0"), "refers to itself without end", id="a ring of nine hundred"),
        ('{"$schema": "http://json-schema.org/draft-03/schema#"}', "of draft 3, which is not read"),
        ('{"a":' * 100, "nests deeper than 48 levels"),
        ('{"$id": "http://[a", "properties": {"b": {"$id": "c"}}}', "an address in it is none"),
        ('{"$schema": "http://[a", "type": 3}', "$.type: 3"),
        ('{"a": NaN}', "NaN is no value of JSON"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_place(text: str, says: str):
    with pytest.raises(SchemaError) as caught:
        parse("JSON", text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 700


def test_schemas_that_unfold_without_end_are_refused_or_undecided():
    both = {
        f"d{n}": item({"a": {"$ref": f"#/definitions/d{n + 1}"}, "b": {"$ref": f"#/definitions/d{n + 1}"}})
        for n in range(40)
    }
    text = json.dumps({"$ref": "#/definitions/d0", "definitions": {**both, "d40": TEXT}})
    with pytest.raises(SchemaError, match=r"nests deeper|more than 5,000 fields"):
        parse("JSON", text)
    wide = {"allOf": [{"anyOf": [{"minLength": n}, {"maxLength": n}]} for n in range(20)]}
    with pytest.raises(UndecidedSchema, match="more than 64 cases"):
        judge(field({"type": "string", "minLength": 1}), field(wide))


def test_no_value_is_refused_by_a_schema_that_was_said_to_take_all():
    """Evidence that does not come from comparing schemas: values that are valid for the writer's, by the library."""
    tried = 0
    for pair in pairs("JSON", 250, seed=3):
        if judged(pair)[0] == COMPATIBLE:
            for value in samples(pair.writer, pair.reader, Random(pair.reader), 40):
                tried += 1
                assert takes(pair.reader, value), (value, pair)
    assert tried > 1_000
