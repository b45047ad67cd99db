"""How the course's charts look, and how one chart becomes inline SVG and an interactive page part.

A chapter's `figures.py` has functions that take the results and return a `Figure`:

    from figures.style import bar_ladder, bars

    def ladder(results):
        return bar_ladder(
            bars(results, [("one thread", KEY1, f"geforce-g-103m:{OLD_KEY1}"), ("strided", KEY2)]),
            title="Sum of squares of 2²⁰ integers",
            caption="Each step reads the same 4 MiB.",
        )

Colours are written as the light theme's values and become CSS variables in the SVG, so that one
picture serves light and dark; `figures.colours` defines them. Labels stand at the bars and lines
themselves; colour never carries meaning alone. Everything works without a network.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

import altair as alt

from figures.colours import COLOURS
from tools import units

if TYPE_CHECKING:
    from tools.results import Device, Results, Value

WIDTH = 480  # of the whole picture, so that its 13-pixel text is still readable on a phone

OURS, YOURS, THEN, RIVAL = (COLOURS[f"--chart-{name}"][0] for name in ("1", "2", "then", "rival"))
TEXT, MUTED, AXIS, GRID = (
    COLOURS[f"--chart-{name}"][0] for name in ("text", "muted", "axis", "grid")
)
SERIES = [COLOURS[f"--chart-{number}"][0] for number in range(1, 7)]
SEQUENCE = [COLOURS[f"--chart-seq-{number}"][0] for number in range(1, 8)]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]

_VARIABLE_OF = {light: name for name, (light, _) in COLOURS.items()}


@dataclass(frozen=True)
class Figure:
    """A chart with everything a page needs beside it.

    chart    an Altair chart; its config is this module's
    table    the numbers of the chart as rows, column → printed text, for readers of the table
    alt      the picture in one or two sentences, for those who do not see it
    caption  the sentence under it
    """

    chart: alt.TopLevelMixin
    table: Sequence[dict[str, str]]
    alt: str
    caption: str

    def __post_init__(self) -> None:
        for name in ("table", "alt", "caption"):
            if not getattr(self, name):
                raise ValueError(f"a figure needs its {name}")


def theme() -> dict[str, Any]:
    """The Vega-Lite configuration of every chart."""
    return {
        "background": None,
        "padding": 4,
        "view": {"stroke": None},
        "font": "sans-serif",
        "axis": {
            "labelColor": MUTED, "titleColor": TEXT, "labelFontSize": 12, "titleFontSize": 12,
            "titleFontWeight": "normal", "domainColor": AXIS, "tickColor": AXIS,
            "gridColor": GRID, "labelLimit": 220, "titlePadding": 8,
        },
        "axisBand": {"grid": False, "ticks": False, "domain": False, "labelColor": TEXT,
                     "labelFontSize": 13},
        "title": {"color": TEXT, "fontSize": 14, "fontWeight": 600, "anchor": "start",
                  "offset": 10, "frame": "group"},
        "legend": {"labelColor": TEXT, "titleColor": TEXT, "labelFontSize": 12},
        "text": {"color": TEXT, "fontSize": 12},
        "bar": {"cornerRadiusEnd": 2},
    }  # fmt: skip


# -- from chart to page --------------------------------------------------------------------------

_DROPPED = {"aria-hidden", "aria-roledescription", "aria-label", "role", "pointer-events",
            "font-family", "class"}  # fmt: skip
_SVG = "http://www.w3.org/2000/svg"


def _specification(figure: Figure) -> dict[str, Any]:
    specification = figure.chart.to_dict()
    specification["config"] = theme()
    specification.setdefault("autosize", {"type": "fit-x", "contains": "padding"})
    return specification


def _with_variables(text: str) -> str:
    """Replaces each palette colour by its CSS variable, the colour itself as the fallback."""
    return re.sub(
        "|".join(_VARIABLE_OF),
        lambda match: f"var({_VARIABLE_OF[match[0].lower()]},{match[0].lower()})",
        text,
        flags=re.IGNORECASE,
    )


def _shortened(text: str) -> str:
    """Numbers of a path or a transform to a tenth of a pixel."""
    return re.sub(r"-?\d+\.\d{2,}", lambda match: f"{float(match[0]):.1f}".replace(".0", ""), text)


def _cleaned(element: ElementTree.Element, prefix: str) -> None:
    for child in list(element):
        hidden = child.get("display") == "none" or child.get("opacity") == "0"
        empty_path = child.tag.endswith("}path") and (
            not child.get("d") or (child.get("class") in ("background", "foreground"))
        )
        if hidden or (empty_path and child.get("fill", "none") == "none"):
            element.remove(child)
            continue
        _cleaned(child, prefix)
        if child.tag.endswith("}g") and len(child) == 0 and not child.text:
            element.remove(child)
    for name in _DROPPED & element.attrib.keys():
        del element.attrib[name]
    for name, value in list(element.attrib.items()):
        if name == "opacity" and value == "1":
            del element.attrib[name]
        elif name == "id":
            element.set(name, prefix + value)
        elif name.endswith("href") and value.startswith("#"):
            element.set(name, f"#{prefix}{value[1:]}")
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}"))
        elif name in ("d", "transform", "x2", "y2"):
            element.set(name, _shortened(value))


def render_svg(figure: Figure) -> str:
    """The figure as an inline `<svg class="chart">`: CSS variables, inherited font, unique ids.

    The picture scales with the page by its viewBox and never grows beyond its drawn width.
    """
    import vl_convert

    text = vl_convert.vegalite_to_svg(_specification(figure))
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(text)
    width = root.get("width")
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    _cleaned(root, f"c{hashlib.sha256(text.encode()).hexdigest()[:8]}-")
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", figure.alt)
    root.set("style", f"max-width:{math.ceil(float(width or WIDTH))}px")
    root.set("fill", "none")
    return _with_variables(ElementTree.tostring(root, encoding="unicode"))


def spec_json(figure: Figure) -> str:
    """The figure's Vega-Lite specification for the interactive version.

    `usermeta.colours` maps each colour in it to its CSS variable, so that the page's script can
    put the current theme's values in before it embeds the chart.
    """
    specification = _specification(figure)
    text = json.dumps(specification, ensure_ascii=False).lower()
    used = {light: name for light, name in _VARIABLE_OF.items() if light in text}
    specification["usermeta"] = {"colours": used}
    return json.dumps(specification, ensure_ascii=False, separators=(",", ":"))


# -- helper builders -----------------------------------------------------------------------------

_QUANTITY = {"s": "time", "B/s": "bandwidth", "FLOP/s": "rate", "x": "ratio", "%": "share",
             "1": "count"}  # fmt: skip


@dataclass(frozen=True)
class Bar:
    """One rung of a ladder: a label, its value, and what stands beside it.

    value   on the reference device; None where it was not measured there
    yours   the same on the reader's devices
    then    an older text's figure
    rival   True for another's answer to the same problem, drawn in grey
    """

    label: str
    value: Value | None
    yours: Sequence[Value] = ()
    then: Value | None = None
    rival: bool = False


def bars(
    results: Results,
    entries: Iterable[tuple[str, str] | tuple[str, str, str | None]],
    field_name: str = "real_time",
) -> list[Bar]:
    """Bars from results: entries of (label, key) or (label, key, reference of the older figure)."""
    made = []
    for label, key, *then in entries:
        row = results.row(key)
        yours = [results.find(key, device) for device in results.readers()]
        old = results.resolve(then[0]) if then and then[0] else None
        made.append(
            Bar(
                label,
                row.value(field_name),
                [found.value(field_name) for found in yours if found is not None],
                old,
                row.rival,
            )
        )
    return made


def _short_name(device: Device) -> str:
    return f"your {device.name}" if device.role == "reader" else device.name


def _axis_label(unit: str) -> str:
    """A Vega expression that prints an axis value with its unit."""
    if unit in ("s", "B/s", "FLOP/s", "Hz"):
        number = "replace(format(datum.value, '~s'), /([a-zA-Zµ]?)$/, '\u202f$1')"
        return f"datum.value == 0 ? '0' : {number} + '{unit}'"
    if unit == "x":
        return f"format(datum.value, '~r') + '{units.TIMES_SIGN}'"
    if unit == "%":
        return "format(100 * datum.value, '~r') + '\u202f%'"
    return "format(datum.value, ',~r')"


def _one_unit(values: Iterable[Value]) -> str:
    found = {value.unit for value in values}
    if len(found) != 1:
        raise ValueError(f"a chart shows one quantity, not {sorted(found) or 'none'}")
    return found.pop()


def _text_width(text: str, size: float = 12) -> float:
    """Pixels that a text may take: a little more than usual, since the page's font is unknown."""
    return 0.58 * size * len(text)


def _domain(
    spans: Sequence[tuple[float, float]], log: bool, length: float, least: float
) -> list[float]:
    """The range of an axis of `length` pixels on which everything fits.

    spans   (value, pixels that must fit behind it)
    least   the smallest value; a logarithmic axis begins at the power of ten below it
    """
    bottom = 10.0 ** math.floor(math.log10(0.75 * least)) if log else 0.0
    reach = [
        (math.log(value / bottom) if log else value) / (1 - min(0.7, pixels / length))
        for value, pixels in spans
    ]
    return [bottom, bottom * math.exp(max(reach)) if log else max(reach)]


def _ticks(domain: Sequence[float], log: bool) -> list[float] | None:
    """Round marks of a logarithmic axis; None leaves a linear axis to Vega."""
    if not log:
        return None
    decades = math.log10(domain[1] / domain[0])
    steps = (1, 2, 5) if decades <= 2 else (1,)
    stride = 1 if decades <= 5 else 2 if decades <= 8 else 3
    first = math.floor(math.log10(domain[0]) + 1e-9)
    marks = [
        float(f"{step}e{power}")
        for power in range(first, math.ceil(math.log10(domain[1])) + 1, stride)
        for step in steps
    ]
    return [mark for mark in marks if domain[0] * (1 - 1e-9) <= mark <= domain[1]]


def _number_axis(unit: str, domain: Sequence[float], log: bool) -> alt.Axis:
    marks = _ticks(domain, log)
    chosen = {"tickCount": 5} if marks is None else {"values": marks}
    return alt.Axis(labelExpr=_axis_label(unit), labelOverlap="greedy", **chosen)


def bar_ladder(
    bars: Sequence[Bar],
    *,
    caption: str,
    title: str | None = None,
    alt_text: str | None = None,
    log: bool = False,
    axis_title: str | None = None,
) -> Figure:
    """Horizontal bars with their values at the ends and 95 % intervals as whiskers.

    The reader's bars stand directly below the reference's, an older figure below these as an
    outline. `log` for ladders that span more than a factor of about thirty; the axis says so.
    """
    rows: list[dict[str, Any]] = []
    named: set[str] = set()
    shown = [v for bar in bars for v in (bar.value, *bar.yours, bar.then) if v is not None]
    unit = _one_unit(shown)
    several = len({value.device.id for value in shown}) > 1
    order: list[str] = []
    for bar in bars:
        beside = [("ours" if not bar.rival else "rival", bar.value)]
        beside += [("yours", value) for value in bar.yours] + [("then", bar.then)]
        for kind, value in beside:
            if value is None:
                continue
            name = _short_name(value.device)
            order += [value.device.id] if value.device.id not in order else []
            text = value.text if not several or name in named else f"{value.text} {name}"
            named.add(name)
            rows.append(
                {
                    "label": bar.label, "kind": kind, "device": value.device.id, "name": name,
                    "value": value.value, "low": value.low, "high": value.high, "text": text,
                }
            )  # fmt: skip
    labels_width = max(_text_width(bar.label, 13) for bar in bars)
    for row in rows:
        row["end"] = max(row["value"], row["high"] or 0)
    domain = _domain(
        [(row["end"], _text_width(row["text"]) + 8) for row in rows],
        log,
        WIDTH - labels_width - 20,
        min(row["value"] for row in rows),
    )
    for row in rows:
        row["from"] = domain[0]

    what = axis_title or _QUANTITY.get(unit, "value")
    what += ", logarithmic" if log else ""
    x = (
        alt.X("value:Q")
        .title(what)
        .axis(_number_axis(unit, domain, log))
        .scale(type="log" if log else "linear", domain=domain, nice=False)
    )
    y = alt.Y("label:N").sort([bar.label for bar in bars]).title(None)
    y = y.axis(minExtent=labels_width)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    if several:
        base = base.encode(yOffset=alt.YOffset("device:N").sort(order))
    kinds = ["ours", "rival", "yours", "then"]
    colour = alt.Color("kind:N").legend(None).scale(domain=kinds, range=[OURS, RIVAL, YOURS, THEN])
    tooltip = [
        alt.Tooltip("label:N", title="step"),
        alt.Tooltip("text:N", title=_QUANTITY.get(unit, "value")),
        alt.Tooltip("name:N", title="device"),
    ]
    thick = {"height": {"band": 0.8}}
    solid = (
        base.transform_filter("datum.kind != 'then'")
        .mark_bar(**thick)
        .encode(x=x, x2="from:Q", color=colour, tooltip=tooltip)
    )
    layers = [solid]
    if any(row["kind"] == "then" for row in rows):
        layers.append(
            base.transform_filter("datum.kind == 'then'")
            .mark_bar(**thick, filled=False, strokeDash=[4, 3], strokeWidth=1.5)
            .encode(x=x, x2="from:Q", color=colour, tooltip=tooltip)
        )
    if any(row["low"] is not None for row in rows):
        layers.append(
            base.transform_filter("datum.low != null")
            .mark_rule(color=TEXT, strokeWidth=1.5)
            .encode(x=alt.X("low:Q"), x2="high:Q")
        )
    layers.append(base.mark_text(align="left", dx=6).encode(x=alt.X("end:Q"), text="text:N"))
    height = alt.Step(20, **{"for": "offset"}) if several else alt.Step(28)
    chart = alt.layer(*layers).properties(width=WIDTH, height=height)
    if title:
        chart = chart.properties(title=title)
    table = [_table_row(row, unit) for row in rows]
    spoken = "; ".join(
        f"{row['label']}{' on ' + row['name'] if several else ''}: {_bare(row, unit)}"
        for row in rows
    )
    described = alt_text or f"Bar chart{' of ' + title if title else ''}: {spoken}."
    return Figure(chart, table, described, caption)


def _bare(row: dict[str, Any], unit: str) -> str:
    return row["text"].removesuffix(f" {row['name']}")


def _interval(low: float | None, high: float | None, unit: str) -> str:
    if low is None or high is None:
        return "–"
    if unit == "s":
        return units.format_interval(low, high)
    return f"{units.format_unit(low, unit)} to {units.format_unit(high, unit)}"


def _table_row(row: dict[str, Any], unit: str) -> dict[str, str]:
    return {
        "step": row["label"],
        "device": row["name"],
        _QUANTITY.get(unit, "value"): _bare(row, unit),
        "95 % interval": _interval(row["low"], row["high"], unit),
    }


@dataclass(frozen=True)
class Line:
    """One line: a label and its points (x, value). `rival` is drawn grey, `yours` dashed."""

    label: str
    points: Sequence[tuple[float, Value]]
    rival: bool = False
    yours: bool = False


def lines(
    results: Results,
    entries: Iterable[tuple[str, str]],
    x_of: Callable[[Any], float] | None = None,
    field_name: str = "real_time",
) -> list[Line]:
    """Lines from results: entries of (label, pattern of keys), the reader's lines after each.

    `x_of` takes a Row and gives its x; the number of elements where it is left out.
    """
    place = x_of or (lambda row: row.key.n)
    made = []
    for label, pattern in entries:
        found = results.rows(pattern)
        if not found:
            results.row(pattern)  # says what is missing, with the nearest names
        for device in [None, *results.readers()]:
            rows = found if device is None else results.rows(pattern, device)
            if rows:
                points = sorted(((place(row), row.value(field_name)) for row in rows),
                                key=lambda point: point[0])  # fmt: skip
                name = label if device is None else f"{label}, {_short_name(device)}"
                made.append(Line(name, points, rows[0].rival, device is not None))
    return made


def _apart(places: Sequence[tuple[float, float, float]], height: float = 14) -> list[float]:
    """Heights of labels at (x, y, width in pixels), moved up until none covers another."""
    placed: list[tuple[float, float, float]] = []
    found = dict[int, float]()
    for at in sorted(range(len(places)), key=lambda at: places[at][1]):
        x, y, width = places[at]
        moved = True
        while moved:
            moved = False
            for other_x, other_y, other_width in placed:
                beside = x > other_x + other_width + 8 or other_x > x + width + 8
                if not beside and abs(y - other_y) < height - 1e-6:
                    y, moved = other_y + height, True
        placed.append((x, y, width))
        found[at] = y
    return [found[at] for at in range(len(places))]


def line_chart(
    lines: Sequence[Line],
    *,
    x_title: str,
    caption: str,
    title: str | None = None,
    alt_text: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
    axis_title: str | None = None,
    x_unit: Literal["1", "B"] = "1",
    height: int = 260,
) -> Figure:
    """Lines with a label at their last point, a mark at each point, intervals as a band."""
    unit = _one_unit(value for line in lines for _, value in line.points)
    colours = iter(SERIES)
    look: dict[str, tuple[str, str, list[int]]] = {}
    colour = SERIES[0]
    for number, line in enumerate(lines):
        if not line.yours:  # the reader's line has the colour of the line that it follows
            colour = RIVAL if line.rival else next(colours, SERIES[-1])
        look[line.label] = (colour, SHAPES[number % len(SHAPES)], [5, 3] if line.yours else [1, 0])
    say_x = units.format_bytes if x_unit == "B" else units.format_count
    rows = [
        {"label": line.label, "x": x, "x_text": say_x(x), "value": value.value, "low": value.low,
         "high": value.high, "text": value.text, "steady": value.steady}
        for line in lines for x, value in line.points
    ]  # fmt: skip
    xs = [row["x"] for row in rows]
    plot = WIDTH - 75

    def along(x: float) -> float:
        return math.log(x / min(xs)) if log_x else x - min(xs)

    reach = max(
        along(line.points[-1][0]) / (1 - min(0.6, (_text_width(line.label) + 12) / plot))
        for line in lines
    )
    right = min(xs) * math.exp(reach) if log_x else min(xs) + reach
    marks = sorted(set(xs)) if len(set(xs)) <= 6 else None
    label_x = " : ".join(
        [f"datum.value >= {1 << power} ? datum.value / {1 << power} + '\u202f{prefix}'"
         for power, prefix in ((30, "Gi"), (20, "Mi"), (10, "Ki"))] + ["datum.value"]
    )  # fmt: skip
    powers = all(float(x).is_integer() and int(x) & (int(x) - 1) == 0 for x in xs)
    axis = alt.Axis(grid=False, labelOverlap="greedy", labelSeparation=6,
                    **({"labelExpr": label_x} if powers and log_x else {"format": "~s"}),
                    **({"values": marks} if marks else {"tickCount": 6}))  # fmt: skip
    x = alt.X("x:Q").title(x_title).axis(axis).scale(
        domain=[min(xs), right], nice=False,
        **({"type": "log", "base": 2 if powers else 10} if log_x else {}),
    )  # fmt: skip
    ends = [n for row in rows for n in (row["low"], row["value"], row["high"]) if n is not None]
    domain = _domain([(max(ends), 12)], log_y, height, min(ends))
    y_title = (axis_title or _QUANTITY.get(unit, "value")) + (", logarithmic" if log_y else "")
    y = (
        alt.Y("value:Q")
        .title(y_title)
        .axis(_number_axis(unit, domain, log_y))
        .scale(type="log" if log_y else "linear", domain=domain, nice=False)
    )

    def up(value: float) -> float:
        share = math.log(value / domain[0]) / math.log(domain[1] / domain[0]) if log_y else (
            value / domain[1])  # fmt: skip
        return share * height

    places = _apart(
        [
            (along(x) / reach * plot, up(float(value.value)), _text_width(line.label))
            for line in lines
            for x, value in line.points[-1:]
        ]
    )
    names = [
        {"label": line.label, "x": line.points[-1][0],
         "value": domain[0] * (domain[1] / domain[0]) ** (place / height) if log_y
         else domain[1] * place / height}
        for line, place in zip(lines, places, strict=True)
    ]  # fmt: skip
    labels = [line.label for line in lines]
    colour = alt.Color("label:N").legend(None).scale(
        domain=labels, range=[look[name][0] for name in labels]
    )  # fmt: skip
    shape = alt.Shape("label:N").legend(None).scale(
        domain=labels, range=[look[name][1] for name in labels]
    )  # fmt: skip
    dash = alt.StrokeDash("label:N").legend(None).scale(
        domain=labels, range=[look[name][2] for name in labels]
    )  # fmt: skip
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, color=colour)
    layers = []
    if any(row["low"] is not None for row in rows):
        layers.append(
            base.transform_filter("datum.low != null")
            .mark_area(opacity=0.2)
            .encode(y=alt.Y("low:Q"), y2="high:Q")
        )
    tooltip = [alt.Tooltip("label:N", title="line"), alt.Tooltip("x_text:N", title=x_title),
               alt.Tooltip("text:N", title=_QUANTITY.get(unit, "value"))]  # fmt: skip
    layers.append(base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash))
    for steady in (True, False):  # measured while throttled: drawn hollow
        if any(row["steady"] == steady for row in rows):
            layers.append(
                base.transform_filter(f"datum.steady == {str(steady).lower()}")
                .mark_point(filled=steady, size=36, opacity=1)
                .encode(y=y, shape=shape, tooltip=tooltip)
            )
    layers.append(
        alt.Chart(alt.Data(values=names))
        .mark_text(align="left", dx=8)
        .encode(x=x, y=y, color=colour, text="label:N")
    )
    chart = alt.layer(*layers).properties(width=WIDTH, height=height)
    if title:
        chart = chart.properties(title=title)
    quantity = _QUANTITY.get(unit, "value")
    table = [
        {"line": row["label"], x_title: row["x_text"], quantity: row["text"],
         "95 % interval": _interval(row["low"], row["high"], unit)}
        for row in rows
    ]  # fmt: skip
    spoken = "; ".join(
        f"{line.label} from {line.points[0][1].text} at {say_x(line.points[0][0])} to "
        f"{line.points[-1][1].text} at {say_x(line.points[-1][0])}"
        for line in lines
    )
    described = alt_text or f"Line chart{' of ' + title if title else ''} over {x_title}: {spoken}."
    if not all(row["steady"] for row in rows):
        caption += " Hollow marks: the GPU lowered its clock while measuring."
    return Figure(chart, table, described, caption)


@dataclass(frozen=True)
class Cell:
    """One field of a heat map."""

    column: str
    row: str
    value: Value
    text: str = field(default="")


def heat_map(
    cells: Sequence[Cell],
    *,
    column_title: str,
    row_title: str,
    caption: str,
    title: str | None = None,
    alt_text: str | None = None,
) -> Figure:
    """A grid of values in seven steps of colour, equal on a logarithmic scale, dark is large.

    Columns and rows keep the order in which they first occur. Each field carries its number.
    """
    unit = _one_unit(cell.value for cell in cells)
    numbers = [float(cell.value.value) for cell in cells]
    low, high = min(numbers), max(numbers)
    if low <= 0:
        raise ValueError("a heat map's values are positive")
    width = math.log(high / low) or 1.0
    rows = [
        {
            "column": cell.column, "row": cell.row, "text": cell.text or cell.value.text,
            "value": cell.value.value,
            "class": min(6, int(7 * math.log(number / low) / width)),
        }
        for cell, number in zip(cells, numbers, strict=True)
    ]  # fmt: skip
    columns = list(dict.fromkeys(cell.column for cell in cells))
    lanes = list(dict.fromkeys(cell.row for cell in cells))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("column:O").sort(columns).title(column_title).axis(labelAngle=0),
        y=alt.Y("row:O").sort(lanes).title(row_title),
    )
    steps = list(range(7))
    colour = alt.Color("class:O").legend(None).scale(domain=steps, range=SEQUENCE)
    ink = [TEXT] * 3 + [COLOURS["--chart-on-strong"][0]] * 4
    size = 9 if len(columns) > 8 else 11
    tooltip = [alt.Tooltip("column:O", title=column_title), alt.Tooltip("row:O", title=row_title),
               alt.Tooltip("text:N", title=_QUANTITY.get(unit, "value"))]  # fmt: skip
    chart = alt.layer(
        base.mark_rect().encode(color=colour, tooltip=tooltip),
        base.mark_text(fontSize=size).encode(
            text="text:N",
            color=alt.Color("class:O").legend(None).scale(domain=steps, range=ink),
        ),
    ).resolve_scale(color="independent")
    chart = chart.properties(width=WIDTH, height=alt.Step(30))
    if title:
        chart = chart.properties(title=title)
    quantity = _QUANTITY.get(unit, "value")
    table = [
        {column_title: cell.column, row_title: cell.row, quantity: cell.value.text,
         "95 % interval": _interval(cell.value.low, cell.value.high, unit)}
        for cell in cells
    ]  # fmt: skip
    least, most = numbers.index(low), numbers.index(high)
    spoken = ", ".join(
        f"{name} {cells[at].value.text} at {column_title} {cells[at].column}, "
        f"{row_title} {cells[at].row}"
        for name, at in (("least", least), ("most", most))
    )
    described = alt_text or f"Heat map{' of ' + title if title else ''}: {spoken}."
    return Figure(chart, table, described, caption)
