"""Differences of listings, and marks in highlighted lines."""

from __future__ import annotations

from coalesce_docs import difference, markup
from coalesce_docs.difference import ADDED, REMOVED, SAME

OLD = ["int sum = 0;", "for (int i = first; i < last; ++i) {", "  sum += a[i];", "}"]
NEW = ["int sum = 0;", "for (int i = t; i < n; i += 512) {", "  sum += a[i];", "}", "done();"]


def test_changed_lines_stand_side_by_side() -> None:
    rows = difference.pairs_of(OLD, NEW)
    changed = [row for row in rows if row.left is not row.right]
    assert (changed[0].left.old, changed[0].right.new) == (1, 1)
    assert changed[1].left is None and changed[1].right.new == 4


def test_only_the_changed_words_are_marked() -> None:
    row = difference.pairs_of(OLD, NEW)[1]
    marked = [OLD[1][start:end] for start, end in row.left.words]
    assert "first" in marked[0]
    assert all("for" not in word for word in marked)


def test_unlike_lines_are_not_paired() -> None:
    rows = difference.pairs_of(["alpha beta"], ["x = f(y) + 1;"])
    assert all(row.left is None or row.right is None for row in rows)


def test_nothing_is_lost_or_invented() -> None:
    rows = difference.pairs_of(OLD, NEW)
    assert [row.left.old for row in rows if row.left] == list(range(len(OLD)))
    assert [row.right.new for row in rows if row.right] == list(range(len(NEW)))


def test_removed_lines_come_before_added_ones() -> None:
    kinds = [line.kind for line in difference.unified(difference.pairs_of(OLD, NEW))]
    assert kinds == [SAME, REMOVED, ADDED, SAME, SAME, ADDED]


def test_far_lines_are_left_out_and_counted() -> None:
    old = [f"line {number};" for number in range(30)]
    new = [*old[:15], "inserted();", *old[15:]]
    shown = difference.with_context(difference.unified(difference.pairs_of(old, new)))
    assert shown[0] == 13 and shown[-1] == 13
    assert len(shown) == 2 + 2 * 2 + 1


def test_equal_listings_show_nothing_but_a_count() -> None:
    assert difference.with_context(difference.unified(difference.pairs_of(OLD, OLD))) == [4]


def test_marks_keep_the_markup_well_nested() -> None:
    line = '<span class="k">const</span> int a &lt; b;'
    marked = markup.mark_ranges(line, [(3, 12)], "ins")
    assert marked == ('<span class="k">con<ins>st</ins></span><ins> int a </ins>&lt; b;')
    assert markup.text_of(marked) == "const int a < b;"


def test_highlighting_keeps_every_character() -> None:
    code = "// a\n\n__global__ void k(int* p) {\n  p[threadIdx.x] = 1 < 2;\n}"
    lines = markup.highlighted_lines(code, "cuda")
    assert "\n".join(map(markup.text_of, lines)) == code


def test_words_of_cuda_are_told_apart() -> None:
    html = "\n".join(
        markup.highlighted_lines("__global__ void k() { thread = threadIdx.x; }", "cuda")
    )
    assert "-Cuda-Qualifier" in html and "-Cuda-Builtin" in html
    assert ">thread<" not in html  # an ordinary name, no keyword
