"""Plots in pages are static, named, and the same every time."""

import xml.etree.ElementTree as ET

from runbook.publish.plot import Drawing


def draw(alternative: str) -> str:
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4], label="<b>")
    return Drawing(figure, alternative)._repr_html_()


def test_a_drawing_is_svg_alone_and_says_what_it_shows() -> None:
    root = ET.fromstring(draw('It rises from 3 to 4 "quickly" & well'))
    assert root.tag.endswith("svg")
    assert (root.get("role"), root.get("aria-label")) == ("img", 'It rises from 3 to 4 "quickly" & well')


def test_a_drawing_holds_no_date_script_or_image() -> None:
    drawing = draw("It rises")
    for unwanted in ("<metadata", "<script", "<image", "<!DOCTYPE", "<?xml"):
        assert unwanted not in drawing


def test_the_same_plot_gives_the_same_bytes_and_another_one_other_ids() -> None:
    assert draw("It rises") == draw("It rises")
    ids = [
        {element.get("id") for element in ET.fromstring(draw(text)).iter() if element.tag.endswith("clipPath")}
        for text in "ab"
    ]
    assert ids[0]
    assert not ids[0] & ids[1]
