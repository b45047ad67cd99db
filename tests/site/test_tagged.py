"""Regions of source files."""

from __future__ import annotations

from pathlib import Path

import pytest
from coalesce_docs import tagged

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """\
// [all]
int before;
  // [inner]
  int a;

  int b;
  // [/inner]
// [empty]

// [/empty]
// [/all]
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "step.cu"
    path.write_text(SOURCE)
    return path


def test_a_region_has_its_lines_without_indentation_and_tags(source: Path) -> None:
    region = tagged.read_region(source, "inner")
    assert region.text == "int a;\n\nint b;"
    assert region.line_numbers == (4, 5, 6)


def test_a_region_hides_the_tags_of_regions_inside(source: Path) -> None:
    assert "[" not in tagged.read_region(source, "all").text


def test_the_whole_file_has_no_tag_lines(source: Path) -> None:
    region = tagged.read_region(source)
    assert (region.first, region.last) == (2, 6)
    assert "[inner]" not in region.text


def test_shell_and_python_use_hashes(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text("# [do]\necho hello\n# [/do]\n")
    assert tagged.read_region(path, "do").text == "echo hello"


@pytest.mark.parametrize(
    ("text", "tag", "says"),
    [
        (SOURCE, "iner", "no tag [iner] in step.cu; it has inner"),
        (SOURCE, "empty", "holds no lines"),
        ("// [a]\n1\n", "a", "closes 0 times"),
        ("// [a]\n1\n// [/a]\n// [a]\n2\n// [/a]\n", "a", "opens 2 times"),
        ("// [/a]\n1\n// [a]\n", "a", "closes before it opens"),
        ("int main() {}\n", "a", "it has no tags"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, tag: str, says: str) -> None:
    path = tmp_path / "step.cu"
    path.write_text(text)
    with pytest.raises(tagged.TagError) as caught:
        tagged.read_region(path, tag)
    assert says in str(caught.value)


def test_an_index_in_code_is_no_tag() -> None:
    assert not tagged.is_tag_line("values[i] += 1;  // [sum]")
    assert not tagged.is_tag_line("// see [1] for more")
    assert tagged.is_tag_line("    // [/kernel]")


def test_every_tag_in_the_chapters_can_be_read() -> None:
    """Also tags that no page shows: a broken pair is a trap for the next author."""
    files = [
        path
        for pattern in ("*.cu", "*.hpp", "*.cpp")
        for path in (ROOT / "chapters").rglob(pattern)
        if tagged.tags_of(path)
    ]
    for path in files:
        text = path.read_text(encoding="utf-8")
        for tag in tagged.tags_of(path):
            if tag == "answer" and text.count("// [answer]") > 1:
                # A solution may have its answer in several places; each is left out of the start.
                assert text.count("// [answer]") == text.count("// [/answer]"), path
            else:
                assert tagged.read_region(path, tag).text
