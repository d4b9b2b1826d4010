from runbook.model import errors
from runbook.model.errors import FilePosition, Invalid, Problem, RunbookError


def test_every_error_of_the_tree_is_documented_in_it() -> None:
    tree = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, RunbookError)}
    assert all(name in (errors.__doc__ or "") for name in tree)


def test_a_problem_names_place_cause_and_remedy_as_editors_read_it() -> None:
    problem = Problem(FilePosition("ha.md", 3, 7), "unknown field", "did you mean id?\nknown: id")
    assert str(problem) == "ha.md:3:7  unknown field\n    did you mean id?\n    known: id"


def test_an_invalid_file_says_all_of_its_problems() -> None:
    problems = [Problem(FilePosition("a"), "one"), Problem(FilePosition("a", 2), "two")]
    assert str(Invalid(problems)).splitlines() == ["a:1:1  one", "a:2:1  two"]
