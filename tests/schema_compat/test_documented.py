from pathlib import Path

import pytest

from support.documented import Fence, fences

PAGE = "docs/explanation/schema-compatibility.md"
SAMPLES = [fence for fence in fences(PAGE) if fence.language == "python"]


@pytest.mark.parametrize("sample", SAMPLES, ids=[str(place) for place in range(len(SAMPLES))])
def test_what_the_page_shows_is_so(sample: Fence):
    assert "assert" in sample.text
    exec(compile(sample.text, str(Path(PAGE)), "exec"), {})
