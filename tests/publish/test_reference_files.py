"""The inventory and the results of runs, field by field."""

from runbook.model.result import Result
from runbook.model.run import VERSION, DeclaredWaiver, Expected, Head
from runbook.parse import inventory
from runbook.plugins.catalog import catalog
from runbook.publish.reference_files import inventory_page, results_page


def test_every_field_of_the_inventory_is_explained() -> None:
    text = inventory_page().text
    for record in (inventory._Document, inventory.Environment, inventory.Waiver, inventory.Mirror):
        for name in record.__struct_encode_fields__:
            assert f'<th scope="row"><code>{name}</code></th>' in text
    for kind in catalog("connections").names():
        assert kind in text
    assert f"{inventory.LONGEST_WAIVER.days} days at most" in text


def test_every_field_of_a_result_is_named_and_explained() -> None:
    text = results_page().text
    assert f"version {VERSION} of the form" in text
    for record in (Result, Head, Expected, DeclaredWaiver):
        for name in record.__struct_encode_fields__:
            assert f'<th scope="row"><code>{name}</code></th>' in text
    of_results = text.partition("## Result line")[2].partition("## ")[0]
    assert "<td></td></tr>" not in of_results
