import inspect

import pytest

from runbook.plugins.catalog import catalog


@pytest.mark.parametrize("name", catalog("views").names())
def test_a_view_takes_the_facts_and_parameters_it_declares(name: str) -> None:
    module = catalog("views").load(name)
    parameters = inspect.signature(module.compute).parameters.values()
    facts = [parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_ONLY]
    options = {
        parameter.name: parameter.default for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert len(facts) == len(module.VIEW.of)
    assert options == {key: parameter.default for key, parameter in module.VIEW.parameters.items()}


@pytest.mark.parametrize("name", catalog("views").names())
def test_a_view_is_keyed_and_each_column_says_what_it_is(name: str) -> None:
    view = catalog("views").load(name).VIEW
    assert any(column.key for column in view.columns)
    assert view.help
    assert all(column.help for column in view.columns)
