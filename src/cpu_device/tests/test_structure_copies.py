"""How a copy of a structure is taken apart; test_counts.py has what hardware counts."""

import pytest

FLOAT4, FIELDS = ["%struct.float4"], ["%struct.fields"]
DEVICE, PRIVATE = False, True
CASES = [
    # size, alignment of target and source, where they are, structures; bytes of a store, a load
    (16, (16, 16), (DEVICE, DEVICE), FLOAT4, (16, 16)),
    (16, (4, 4), (DEVICE, DEVICE), FLOAT4, (16, 16)),  # a cast: the GPU's request fails
    (16, (4, 4), (DEVICE, DEVICE), FIELDS, (4, 4)),
    (16, (16, 4), (DEVICE, DEVICE), FIELDS, (16, 4)),
    (12, (16, 16), (DEVICE, DEVICE), FIELDS, (4, 4)),
    (24, (8, 16), (DEVICE, DEVICE), FIELDS, (8, 8)),
    (64, (16, 16), (DEVICE, DEVICE), FIELDS, (16, 16)),
    (8, (2, 4), (DEVICE, DEVICE), FIELDS, (2, 2)),
    (8, (2, 4), (PRIVATE, DEVICE), FIELDS, (4, 4)),
    (16, (16, 4), (DEVICE, PRIVATE), FIELDS, (16, 16)),
    (16, (4, 4), (PRIVATE, PRIVATE), FIELDS, None),
    (16, (4, 4), (DEVICE, DEVICE), [], (4, 4)),
    (16, (8, 8), (DEVICE, DEVICE), [], None),  # perhaps two pointers
    (8, (8, 8), (DEVICE, DEVICE), [], (8, 8)),
    (128, (4, 4), (DEVICE, DEVICE), FIELDS, (4, 4)),
    (132, (4, 4), (DEVICE, DEVICE), FIELDS, None),  # more than 32 accesses
]


@pytest.mark.parametrize(("size", "aligned", "private", "kinds", "expected"), CASES)
def test_widths_of_a_copy(size, aligned, private, kinds, expected):
    from driver import structure_copies

    assert structure_copies.widths(size, aligned, private, kinds) == expected


COPY_TO_LOCAL = """\
%struct.fields = type { [4 x float] }
define void @f(ptr %there) {
  %here = alloca %struct.fields, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %here, ptr align 16 %there, i64 16, i1 false)
  ret void
}
"""


def test_a_private_side_keeps_its_own_alignment():
    from driver import structure_copies

    text = structure_copies.split(COPY_TO_LOCAL)
    assert "load <4 x i32>, ptr %copy.1.0.from, align 16" in text
    assert "store <4 x i32> %copy.1.0, ptr %copy.1.0.to, align 4" in text
