import inspect

import pytest

from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog


@pytest.mark.parametrize("name", catalog("views").names())
def test_a_view_takes_the_facts_and_parameters_it_declares(name: str) -> None:
    module = catalog("views").load(name)
    parameters = inspect.signature(module.compute).parameters.values()
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)
    facts = [parameter.name for parameter in parameters if parameter.annotation is Fact]
    options = {parameter.name: parameter.default for parameter in parameters if parameter.name not in facts}
    assert facts == [*module.VIEW.inputs]
    assert options == {key: parameter.default for key, parameter in module.VIEW.parameters.items()}


@pytest.mark.parametrize("name", catalog("views").names())
def test_an_input_names_what_gives_it_and_columns_that_this_has(name: str) -> None:
    for word, wanted in catalog("views").load(name).VIEW.inputs.items():
        assert {*wanted.needs} <= {*wanted.columns}, word
        for kind in wanted.kinds:
            declared = (
                catalog("probes").load(kind).PROBE if kind in catalog("probes") else catalog("views").load(kind).VIEW
            )
            assert {*wanted.columns} <= {column.name for column in declared.columns}, (word, kind)


@pytest.mark.parametrize("name", catalog("views").names())
def test_a_view_is_keyed_and_each_column_says_what_it_is(name: str) -> None:
    view = catalog("views").load(name).VIEW
    assert any(column.key for column in view.columns)
    assert view.help
    assert all(column.help for column in view.columns)
