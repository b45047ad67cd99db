"""The drawing of a pipeline's timeline, from the table that the program prints."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from tools.labs import timeline

TABLE = """device: CPU device (as NVIDIA H200)
chunk  part      begin ms    end ms
    0  copy_in     0.0000    2.0000
    0  compute     2.0000    6.0000
    0  copy_out    6.0000    8.0000
    1  copy_in     2.0000    4.0000
    1  compute     6.0000   10.0000
    1  copy_out   10.0000   12.0000
"""


def test_reads_every_line_of_the_table_and_no_other():
    spans = timeline.parse(TABLE)
    assert len(spans) == 6
    assert spans[4] == timeline.Span(chunk=1, part="compute", begin=6.0, end=10.0)


def test_text_without_a_timeline_is_refused():
    with pytest.raises(ValueError, match="no timeline"):
        timeline.parse("chunk  part      begin ms    end ms\n")


def test_overlap_is_the_time_of_all_parts_over_the_whole():
    assert timeline.overlap(timeline.parse(TABLE)) == pytest.approx(16 / 12)


def test_draws_a_bar_for_each_span_at_its_place():
    picture = ET.fromstring(timeline.draw(timeline.parse(TABLE)))
    bars = picture.findall("{http://www.w3.org/2000/svg}rect")
    assert len(bars) == 6
    scale = timeline.WIDTH / 12
    (wide,) = [bar for bar in bars if bar[0].text == "chunk 1: 6 to 10 ms"]
    assert float(wide.get("x")) == pytest.approx(timeline.LEFT + 6 * scale, abs=0.01)
    assert float(wide.get("width")) == pytest.approx(4 * scale, abs=0.01)
    inside = [float(bar.get("x")) + float(bar.get("width")) for bar in bars]
    assert max(inside) <= timeline.LEFT + timeline.WIDTH + 0.01


def test_bars_of_a_part_that_overlap_lie_below_each_other():
    waits = TABLE.replace("1  copy_in     2.0000", "1  copy_in     0.0000")
    picture = ET.fromstring(timeline.draw(timeline.parse(waits)))
    bars = picture.findall("{http://www.w3.org/2000/svg}rect")
    places = {bar[0].text.partition(":")[0] + bar.get("style"): float(bar.get("y")) for bar in bars}
    copies_in = [y for name, y in places.items() if "--chart-1" in name]
    others = [y for name, y in places.items() if "--chart-1" not in name]
    assert len(set(copies_in)) == 2
    assert len(set(others)) == 2  # a lane for each of the other two parts
    assert max(copies_in) + timeline.LANE < min(others)


def test_a_lane_holds_what_does_not_overlap():
    def span(chunk, begin, end):
        return timeline.Span(chunk, "copy_in", begin, end)

    found = timeline.lanes([span(0, 0, 2), span(1, 0, 4), span(2, 2, 3), span(3, 5, 6)])
    assert [[s.chunk for s in lane] for lane in found] == [[0, 2, 3], [1]]


def test_the_description_says_what_a_bar_includes():
    picture = ET.fromstring(timeline.draw(timeline.parse(TABLE)))
    assert "includes its wait for the engine" in picture[1].text


def test_the_command_writes_a_picture_and_refuses_other_text(tmp_path, capsys):
    table, out = tmp_path / "table.txt", tmp_path / "picture.svg"
    table.write_text(TABLE)
    assert timeline.main([str(table), "-o", str(out)]) == 0
    ET.parse(out)
    table.write_text("nothing")
    assert timeline.main([str(table)]) == 1
    assert "course run 6 timeline" in capsys.readouterr().err
