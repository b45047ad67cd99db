"""The figures: light and dark from one picture, small, described, without a network."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import socket
from xml.etree import ElementTree

import pytest

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

from figures import colours, style
from figures.style import (
    Bar,
    Cell,
    Figure,
    bar_ladder,
    bars,
    heat_map,
    line_chart,
    lines,
    render_svg,
    spec_json,
)
from tests.results.made_up import CONTIGUOUS, CPU, ONE_THREAD, STRIDED

SUM = "05-advanced-optimization/sum_of_squares_i32"
OLD = "geforce-g-103m:04-optimization/sum_of_squares_i32/strided/n:1048576"


@pytest.fixture(scope="module")
def ladder(store, historical) -> Figure:
    """A ladder with the reader's bars and an older figure."""
    made = bars(store, [("one thread", ONE_THREAD), ("CPU", CPU), ("contiguous", CONTIGUOUS),
                        ("strided", STRIDED)])  # fmt: skip
    made[-1] = dataclasses.replace(made[-1], then=historical.resolve(OLD))
    return bar_ladder(made, title="The sum", caption="Measured.", log=True)


@pytest.fixture(scope="module")
def curve(store) -> Figure:
    """Lines of two steps, the reader's beside."""
    found = lines(store, [("ours", f"{SUM}/warp_shuffle/*"), ("CUB", f"{SUM}/cub/*")])
    return line_chart(found, x_title="elements", caption="Both.", log_x=True, log_y=True)


@pytest.fixture(scope="module")
def map_of_shapes(store) -> Figure:
    """A triangle of cells."""
    base = store.row(STRIDED).value()
    cells = [Cell(str(x), str(y), dataclasses.replace(base, value=x * y * 1e-6, text=f"{x * y} µs"))
             for y in (1, 2, 4, 8) for x in (1, 2, 4, 8) if x * y <= 16]  # fmt: skip
    return heat_map(cells, column_title="x", row_title="y", caption="Shapes.")


@pytest.fixture(scope="module", params=["ladder", "curve", "map_of_shapes"])
def figure(request) -> Figure:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def svg(figure) -> str:
    return render_svg(figure)


def test_the_picture_is_small_and_scales(svg):
    assert len(svg.encode()) < 30_000
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox")
    assert root.get("width") is None
    assert re.fullmatch(r"max-width:\d+px", root.get("style"))
    assert float(root.get("viewBox").split()[2]) <= 500


def test_every_colour_is_a_variable(svg):
    without = re.sub(r"var\(--chart-[a-z0-9-]+,#[0-9a-f]{6}\)", "", svg)
    assert "var(--chart-" in svg
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b", without)
    paints = set(re.findall(r'(?:fill|stroke)="([^"]+)"', without))
    assert paints <= {"none", "transparent"}
    defined = colours.css_variables()
    for name in set(re.findall(r"--chart-[a-z0-9-]+", svg)):
        assert defined.count(f"{name}: #") == 3


def test_what_is_printed_is_light():
    printed = re.sub(r"@media screen.*?\n\}\n\}\n", "", colours.css_variables(), flags=re.DOTALL)
    for name, (light, dark) in colours.COLOURS.items():
        assert f"{name}: {light};" in printed
        assert f"{name}: {dark};" not in printed


def test_fonts_are_the_pages(svg):
    assert "font-family" not in svg
    assert "font-size" in svg


def test_it_is_described(svg, figure):
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == figure.alt
    assert figure.caption
    for row in figure.table:
        assert all(isinstance(value, str) and value for value in row.values())
        assert row.keys() == figure.table[0].keys()


def test_ids_differ_between_pictures(ladder, curve):
    ids = [set(re.findall(r'\bid="([^"]+)"', render_svg(f))) for f in (ladder, curve)]
    assert not ids[0] & ids[1]
    for one, figure in zip(ids, (ladder, curve), strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", render_svg(figure))) <= one


def test_ids_and_what_points_at_them_change_together():
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        '<clipPath id="clip0"><rect/></clipPath><g clip-path="url(#clip0)"><path d="M0,0"/></g>'
        '<use xlink:href="#clip0"/></svg>'
    )
    root = ElementTree.fromstring(text)
    style._cleaned(root, "p-")
    cleaned = ElementTree.tostring(root, encoding="unicode")
    assert re.findall(r"#?(?:p-)?clip0", cleaned) == ["p-clip0", "#p-clip0", "#p-clip0"]


def test_the_same_figure_gives_the_same_picture(ladder):
    assert render_svg(ladder) == render_svg(ladder)


def test_it_needs_no_network(ladder, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    svg = render_svg(ladder)
    assert "http" not in svg.replace("http://www.w3.org/", "")


def test_readers_and_older_figures_stand_beside(ladder):
    svg = render_svg(ladder)
    for words in ("NVIDIA H200", "your Test GPU 9000", "GeForce G 103M", "997.4"):
        assert words in svg
        assert words in ladder.alt
    assert [row["step"] for row in ladder.table].count("strided") == 3
    assert {row["device"] for row in ladder.table} == {
        "NVIDIA H200", "your Test GPU 9000", "GeForce G 103M",
    }  # fmt: skip
    assert svg.count("stroke-dasharray") >= 1


def test_every_bar_has_its_number(ladder):
    svg = render_svg(ladder)
    for row in ladder.table:
        assert row["time"] in svg


def test_a_point_measured_while_throttled_is_hollow(store, curve):
    found = lines(store, [("ours", f"{SUM}/warp_shuffle/*")])
    x, value = found[0].points[0]
    throttled = dataclasses.replace(value, origin={**value.origin, "throttled samples": "3"})
    found[0].points[0] = (x, throttled)
    figure = line_chart(found, x_title="elements", caption="One.", log_x=True)
    marks = [layer["mark"] for layer in json.loads(spec_json(figure))["layer"]]
    points = [mark["filled"] for mark in marks if mark["type"] == "point"]
    assert points == [True, False]
    assert "lowered its clock" in figure.caption
    assert "lowered its clock" not in curve.caption


def test_labels_of_lines_do_not_cover_each_other():
    places = [(100.0, 50.0, 80.0), (100.0, 52.0, 40.0), (110.0, 49.0, 10.0), (400.0, 50.0, 10.0)]
    heights = style._apart(places)
    near = sorted(heights[:3])
    assert all(b - a >= 14 - 1e-9 for a, b in itertools.pairwise(near))
    assert heights[3] == 50.0


def test_logarithmic_axes_have_few_round_marks():
    assert style._ticks([1e-6, 5e-5], True) == [1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5]
    assert style._ticks([1e-5, 1e-1], True) == [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]
    assert len(style._ticks([1e-9, 1e2], True)) <= 6
    assert style._ticks([0, 1], False) is None


def test_the_specification_is_complete_for_the_browser(figure):
    specification = json.loads(spec_json(figure))
    assert specification["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    text = json.dumps(specification)
    assert '"url"' not in text
    assert "tooltip" in text
    used = specification["usermeta"]["colours"]
    assert used
    for colour, variable in used.items():
        assert colours.COLOURS[variable][0] == colour


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("shade", "page"), [(0, "#ffffff"), (1, "#131416")])
def test_contrast_in_light_and_dark(shade, page):
    of_shade = {name: pair[shade] for name, pair in colours.COLOURS.items()}
    for name in ("text", "muted"):
        assert contrast(of_shade[f"--chart-{name}"], page) >= 4.5
    for name in ("1", "2", "3", "4", "5", "6", "rival", "then"):
        assert contrast(of_shade[f"--chart-{name}"], page) >= 3
    for step in range(1, 8):
        ink = "text" if step <= 3 else "on-strong"
        assert contrast(of_shade[f"--chart-seq-{step}"], of_shade[f"--chart-{ink}"]) >= 3
    steps = [contrast(of_shade[f"--chart-seq-{step}"], page) for step in range(1, 8)]
    assert steps == sorted(steps)


def test_colours_occur_once():
    lights = [light for light, _ in colours.COLOURS.values()]
    assert len(set(lights)) == len(lights)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", c) for pair in colours.COLOURS.values() for c in pair)


def test_a_figure_needs_words(ladder):
    for name in ("alt", "caption", "table"):
        with pytest.raises(ValueError, match=name):
            dataclasses.replace(ladder, **{name: type(getattr(ladder, name))()})


def test_a_chart_shows_one_quantity(store):
    mixed = [Bar("a", store.resolve(STRIDED)), Bar("b", store.resolve(f"{STRIDED}#bytes"))]
    with pytest.raises(ValueError, match="one quantity"):
        bar_ladder(mixed, caption="No.")


def test_linear_bars_begin_at_zero(store):
    figure = bar_ladder(bars(store, [("a", CONTIGUOUS), ("b", STRIDED)]), caption="Linear.")
    text = json.dumps(json.loads(spec_json(figure)))
    assert '"domain": [0.0, ' in text
    assert "logarithmic" not in text


def test_bandwidths_and_ratios_draw_too(store):
    for name in ("bytes_per_second", "share_of_peak"):
        figure = bar_ladder(bars(store, [("a", CONTIGUOUS), ("b", STRIDED)], name), caption="x")
        assert render_svg(figure).count("<text") > 4
    figure = bar_ladder(
        bars(store, [("small", f"{SUM}/warp_shuffle/n:16384/cache:hot/launch:graph")],
             "ratio_to_cub"), caption="x")  # fmt: skip
    assert "×" in render_svg(figure)
