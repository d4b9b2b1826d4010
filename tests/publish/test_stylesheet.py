"""Colours of status: readable on their grounds in both palettes (WCAG 2.2: at least 4.5:1)."""

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).parents[2] / "docs" / "stylesheets" / "tokens.css"


def _palettes() -> dict[str, dict[str, str]]:
    light, _, dark = SHEET.read_text(encoding="utf-8").partition('[data-md-color-scheme="slate"]')
    read = re.compile(r"--rb-([a-z-]+):\s*(#[0-9a-f]{6})")
    return {"light": dict(read.findall(light)), "dark": dict(read.findall(dark.partition("}")[0]))}


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_the_guideline_says() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)
    assert _contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_text_stands_out_from_its_ground(palette: str) -> None:
    colours = _palettes()[palette]
    grounds = [name for name in colours if name.endswith("-ground")]
    assert grounds
    for ground in grounds:
        assert _contrast(colours[ground.removesuffix("-ground")], colours[ground]) >= 4.5, ground
    assert _contrast(colours["unknown"], colours["text-ground"]) >= 4.5  # notes stand on the card itself


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_lines_stand_out_from_the_page(palette: str) -> None:
    colours = _palettes()[palette]
    assert _contrast(colours["line"], colours["text-ground"]) >= 3
